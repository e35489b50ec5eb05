/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* References that are kept: who answered, and what a file that somebody changed is good for. */

enum { MOST = 4000 };

typedef struct drawn {
    ndft_problem problem;
    double k[MOST], t[MOST], dw[MOST], in[2 * MOST];
} drawn;

static void fill(double *values, int64_t count, double largest, uint64_t seed)
{
    ndft_random r = {seed};
    for (int64_t i = 0; i < count; i++) values[i] = largest * (2 * ndft_uniform(&r) - 1);
}

/* One dimension with n voxels and m samples, in double. */
static drawn *make(int64_t n, int64_t m)
{
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->problem = (ndft_problem){.dim = 1,
                                .prec = NDFT_F64,
                                .coils = 1,
                                .n = {n, 1, 1},
                                .n_voxels = n,
                                .n_samples = m,
                                .k = {d->k},
                                .t = d->t,
                                .dw = d->dw};
    fill(d->k, m, (double)n / 2, 10);
    fill(d->t, m, 0.03, 30);
    fill(d->dw, n, 3000, 31);
    fill(d->in, 2 * MOST, 1, 32);
    return d;
}

/* The cached result of a problem whose input was changed behind its hash shows who answered. */
static double cached(const drawn *d, uint64_t hash)
{
    uint64_t hashes[2] = {hash, 1};
    int64_t length = d->problem.n_samples;
    double *result = malloc((size_t)length * 2 * sizeof *result);
    assert_int_equal(ndft_reference_cached(&d->problem, NDFT_FORWARD, d->in, hashes, 0, NULL,
                                           length, result, 2, NULL),
                     NDFT_OK);
    double first = result[0];
    free(result);
    return first;
}

static char folder[32];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "ndft-cache-XXXXXX");
    return !mkdtemp(folder) || setenv("NDFT_CACHE", folder, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Runs a command of the shell for every file, $f, of a folder. */
static void for_each_file(const char *command)
{
    char line[256];
    snprintf(line, sizeof line, "for f in %s/*; do %s; done", folder, command);
    assert_int_equal(system(line), 0);
}

/* Flips the sign of two numbers. */
static void flip_signs(void)
{
    char path[256], name[128] = "";
    snprintf(path, sizeof path, "ls %s", folder);
    FILE *list = popen(path, "r");
    assert_int_equal(fscanf(list, "%127s", name), 1);
    pclose(list);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(fseek(file, -8 * i + 7, SEEK_END), 0);
        int byte = fgetc(file);
        fseek(file, -1, SEEK_CUR);
        fputc(byte ^ 0x80, file);
    }
    assert_int_equal(fclose(file), 0);
}

static void the_cache_answers_unless_damaged(void **state)
{
    (void)state;
    drawn *d = make(4000, 1200);
    double first = cached(d, 1);
    d->in[0] += 1;
    double fresh = cached(d, 2);
    assert_true(first != fresh);
    assert_true(cached(d, 1) == first);
    for_each_file("printf x | dd of=$f bs=1 seek=500 conv=notrunc 2>/dev/null");
    assert_true(cached(d, 1) == fresh);
    for_each_file("rm $f; mkfifo $f");
    assert_true(cached(d, 1) == fresh); /* and does not wait for a writer */
    setenv("NDFT_CACHE", "", 1);
    d->in[0] += 1;
    assert_true(cached(d, 1) != fresh);
    setenv("NDFT_CACHE", "/dev/null/nowhere", 1);
    assert_true(cached(d, 1) != fresh);
    free(d);
}

static void the_cache_sees_every_bit(void **state)
{
    (void)state;
    drawn *d = make(4000, 1200);
    double first = cached(d, 1);
    d->in[0] += 1;
    assert_true(cached(d, 1) == first);
    flip_signs();
    assert_true(cached(d, 1) != first);
    free(d);
}

static void small_results_are_not_kept(void **state)
{
    (void)state;
    drawn *d = make(100, 100);
    cached(d, 1);
    free(d);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_cache_answers_unless_damaged, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_cache_sees_every_bit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(small_results_are_not_kept, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
