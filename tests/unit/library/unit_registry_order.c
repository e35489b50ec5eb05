/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "device/processor.h"
#include "rank.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The order of variants.def decides nothing: engines are ranked alike however the registry lies. */

enum { PROBLEMS = 4, MOST = 96, SHUFFLES = 20 };

static void shuffle(ndft_random *random)
{
    for (int i = ndft_registry_size - 1; i > 0; i--) {
        const int j = (int)(ndft_uniform(random) * (i + 1));
        const ndft_registered moved = ndft_registry[i];
        ndft_registry[i] = ndft_registry[j];
        ndft_registry[j] = moved;
    }
}

static ndft_problem problem_of(int i)
{
    static const double k[100]; /* room for either precision */
    const ndft_problem p = {.dim = 2,
                            .coils = 1 + 7 * (i & 1),
                            .tol = 1e-4,
                            .n = {64, 64, 1},
                            .n_voxels = 64 * 64,
                            .n_samples = 100,
                            .k = {k, k},
                            .k_max = {32, 32},
                            .prec = i & 2 ? NDFT_F64 : NDFT_F32};
    return p;
}

/* The names, best first. */
static int rank(int i, const char *names[MOST])
{
    ndft_ranked *ranked;
    ndft_error err = {.status = NDFT_OK};
    const ndft_problem p = problem_of(i);
    const ndft_device device = ndft_device_cpu(2);
    const int n = ndft_rank(NDFT_NONUNIFORM, &p, NDFT_FORWARD, &device, false, &ranked, &err);
    for (int j = 0; j < n; j++) names[j] = ranked[j].candidate.entry->name;
    free(ranked);
    return n;
}

static ndft_registered *find(const char *name)
{
    for (int i = 0; i < ndft_registry_size; i++)
        if (!strcmp(ndft_registry[i].name, name) && !strcmp(ndft_registry[i].backend, "cpu"))
            return &ndft_registry[i];
    return NULL;
}

/* Three of one estimate among them, which the model does not know. */
static int plant(void **state)
{
    (void)state;
    static const char *const names[] = {"tiled", "fast_math", "output_driven"}, *const as[] = {
                                                                                    "ox", "ant",
                                                                                    "zebra"};
    const ndft_variant *variant = find("tiled")->variant;
    for (int i = 0; i < 3; i++) {
        ndft_registered *entry = find(names[i]);
        entry->variant = variant;
        entry->name = as[i];
    }
    return ndft_registry_size > MOST;
}

static void the_order_decides_nothing(void **state)
{
    (void)state;
    ndft_random random = {.state = 1};
    for (int i = 0; i < PROBLEMS; i++) {
        const char *names[MOST], *again[MOST];
        const int n = rank(i, names);
        assert_true(n > 5);
        for (int turn = 0; turn < SHUFFLES; turn++) {
            shuffle(&random);
            assert_int_equal(rank(i, again), n);
            for (int j = 0; j < n; j++) assert_string_equal(again[j], names[j]);
        }
    }
}

static void a_tie_goes_by_the_alphabet(void **state)
{
    (void)state;
    const char *names[MOST];
    const int n = rank(0, names);
    int first = 0;
    while (first < n && strcmp(names[first], "ant") != 0) first++;
    assert_true(first + 2 < n);
    assert_string_equal(names[first + 1], "ox");
    assert_string_equal(names[first + 2], "zebra");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_decides_nothing),
        cmocka_unit_test(a_tie_goes_by_the_alphabet),
    };
    return cmocka_run_group_tests(tests, plant, NULL);
}
