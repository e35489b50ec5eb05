/* SPDX-License-Identifier: Apache-2.0 */
#include "case/suite.h"
#include "case/texts.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Suites from files: include, set, comments, messages with file:line; and all of configs/. */

typedef struct folder {
    char path[64];
    ndft_texts files;
} folder;

static int make_folder(void **state)
{
    folder *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/ndft-suite-XXXXXX");
    *state = f;
    return f && mkdtemp(f->path) ? 0 : -1;
}

static int remove_folder(void **state)
{
    folder *f = *state;
    for (size_t i = 0; i < f->files.size; i++) remove(f->files.text[i]);
    ndft_texts_free(&f->files);
    rmdir(f->path);
    free(f);
    return 0;
}

static const char *write_file(folder *f, const char *name, const char *text)
{
    assert_int_equal(ndft_texts_format(&f->files, NULL, "%s/%s", f->path, name), NDFT_OK);
    const char *path = f->files.text[f->files.size - 1];
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

static ndft_suite read_suite(const char *path)
{
    ndft_suite suite;
    ndft_error err = {0};
    if (ndft_suite_read(path, &suite, &err) != NDFT_OK) fail_msg("%s", err.message);
    return suite;
}

/* Reading path fails with the message behind the folder's name. */
static void fails(const folder *f, const char *path, ndft_status wanted, const char *message)
{
    ndft_suite suite;
    ndft_error err = {0};
    assert_int_equal(ndft_suite_read(path, &suite, &err), wanted);
    assert_memory_equal(err.message, f->path, strlen(f->path));
    assert_string_equal(err.message + strlen(f->path), message);
    assert_null(suite.items);
}

static void set_and_include(void **state)
{
    folder *f = *state;
    write_file(f, "inner.ndft",
               "forward 1d n=4 m=4\n"
               "set coils=7 prec=f64\n"
               "forward 1d n=4 m=4 coils=2\n"
               "forward 1d n=4 m=4");
    const char *outer = write_file(f, "outer.ndft",
                                   "# comment\n"
                                   "\n"
                                   "set t=5ms coils=3   # for all below\n"
                                   "include inner.ndft\n"
                                   "x : forward 1d n=4 m=4 t=0\n"
                                   "set coils={1,2}\n"
                                   "x k={5,6} : forward 1d n={4,5} m=4\n");
    ndft_suite suite = read_suite(outer);
    assert_int_equal(suite.size, 12);
    static const int coils[] = {3, 2, 7, 3, 1, 1, 1, 1, 2, 2, 2, 2};
    static const char *const knobs[] = {"k=5", "k=6"};
    for (size_t i = 0; i < suite.size; i++) {
        const ndft_item *item = &suite.items[i];
        assert_int_equal(item->problem.coils, coils[i]);
        assert_true(item->problem.t == (i == 3 ? 0 : 0.005));
        assert_int_equal(item->problem.prec, i == 1 || i == 2 ? NDFT_F64 : NDFT_F32);
        assert_string_equal(item->variants, i < 3 ? ".*" : "x");
        if (i < 4) continue;
        assert_string_equal(item->knobs, knobs[i / 2 % 2]);
        assert_int_equal(item->problem.n[0], i % 2 ? 5 : 4);
    }
    assert_string_equal(strrchr(suite.items[1].where, '/'), "/inner.ndft:3");
    assert_string_equal(strrchr(suite.items[3].where, '/'), "/outer.ndft:5");
    ndft_suite_free(&suite);
}

static void set_reaches_zips(void **state)
{
    folder *f = *state;
    const char *path = write_file(f, "zip.ndft",
                                  "set m=9 t=5ms\n"
                                  "forward 1d zip(n={4,5},m={6,7})\n"
                                  "x zip(tile={1,2},t={1ms,2ms}) : forward 1d n=4\n");
    ndft_suite suite = read_suite(path);
    assert_int_equal(suite.size, 4);
    assert_int_equal(suite.items[1].problem.m, 7);
    assert_int_equal(suite.items[3].problem.m, 9);
    assert_true(suite.items[1].problem.t == 0.005 && suite.items[3].problem.t == 0.002);
    ndft_suite_free(&suite);
}

static void messages(void **state)
{
    folder *f = *state;
    fails(f, write_file(f, "a", "\nforward 2d n=0x4 m=1"), NDFT_EINVAL,
          "/a:2: n=0x4: a size must be at least 1");
    fails(f, write_file(f, "b", "set feild=none"), NDFT_EINVAL,
          "/b:1: set feild=none: not key=value of a case; nearest: field=");
    fails(f, write_file(f, "c", "set"), NDFT_EINVAL,
          "/c:1: set: key=value is missing, e.g. set t=30ms");
    fails(f, write_file(f, "d", "include x y"), NDFT_EINVAL,
          "/d:1: include: takes one file, whose path holds no spaces");
    fails(f, write_file(f, "e", "forward 1d n={4 m=4"), NDFT_EINVAL,
          "/e:1: n={4 m=4: braces or parentheses do not match");
}

static void files_that_fail(void **state)
{
    folder *f = *state;
    char path[96], message[256];
    snprintf(path, sizeof path, "%s/nosuch", f->path);
    fails(f, path, NDFT_EIO, "/nosuch: No such file or directory");
    fails(f, f->path, NDFT_EIO, ": Is a directory");
    snprintf(message, sizeof message, "/x:2: %s/nosuch: No such file or directory", f->path);
    fails(f, write_file(f, "x", "\ninclude nosuch"), NDFT_EIO, message);
    write_file(f, "y", "forward 1d n=4 m=0");
    fails(f, write_file(f, "z", "include y"), NDFT_EINVAL, "/y:1: m=0: must be at least 1");
}

static void cycles(void **state)
{
    folder *f = *state;
    char text[96];
    snprintf(text, sizeof text, "forward 1d n=4 m=4\ninclude ../%s/b\n", strrchr(f->path, '/') + 1);
    const char *a = write_file(f, "a", text);
    write_file(f, "b", "# back\ninclude a\n");
    ndft_suite suite;
    ndft_error err = {0};
    assert_int_equal(ndft_suite_read(a, &suite, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, "/b:2: include: this file is being read already"));
}

static void depth(void **state)
{
    folder *f = *state;
    for (int i = 17; i >= 0; i--) {
        char name[16], text[32];
        snprintf(name, sizeof name, "f%d", i);
        snprintf(text, sizeof text, "include f%d\n", i + 1);
        write_file(f, name, text);
    }
    fails(f, f->files.text[f->files.size - 1], NDFT_EINVAL,
          "/f16:1: include: more than 16 files deep");
}

static double coil_pairs(const ndft_case *c)
{
    return (double)c->n[0] * (double)c->n[1] * (double)c->n[2] * (double)c->m * c->coils;
}

/* Every suite that comes with the project expands. */
static void configs(void **state)
{
    (void)state;
    DIR *directory = opendir(NDFT_SOURCE_DIR "/configs");
    assert_non_null(directory);
    int suites = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".ndft") != 0) continue;
        char path[512];
        snprintf(path, sizeof path, NDFT_SOURCE_DIR "/configs/%s", entry->d_name);
        ndft_suite suite = read_suite(path);
        assert_int_not_equal(suite.size, 0);
        ndft_suite_free(&suite);
        suites++;
    }
    closedir(directory);
    assert_in_range(suites, 5, 100);
}

/* Claims are checked on every build, so the suite must stay small. */
static void claims_are_small(void **state)
{
    (void)state;
    ndft_suite suite = read_suite(NDFT_SOURCE_DIR "/configs/claims.ndft");
    assert_in_range(suite.size, 30, 80);
    for (size_t i = 0; i < suite.size; i++)
        assert_true(coil_pairs(&suite.items[i].problem) <= 2.1e6);
    ndft_suite_free(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(set_and_include, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(set_reaches_zips, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(messages, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(files_that_fail, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(cycles, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(depth, make_folder, remove_folder),
        cmocka_unit_test(configs),
        cmocka_unit_test(claims_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
