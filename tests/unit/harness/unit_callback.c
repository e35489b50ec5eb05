/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/case.h"
#include "case/suite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* How cases name load and store functions: what comes back, and what is said of mistakes. */

static void expect_same(const ndft_case_callback *a, const ndft_case_callback *b)
{
    assert_int_equal(a->word, b->word);
    assert_memory_equal(a->keep, b->keep, sizeof a->keep);
    assert_int_equal(a->width, b->width);
    assert_string_equal(a->path, b->path);
    assert_string_equal(a->function, b->function);
}

static void expect_print(const char *text, const char *printed)
{
    ndft_case c, again;
    ndft_error err;
    char line[NDFT_CASE_MAX];
    if (ndft_case_parse(text, &c, &err) != NDFT_OK) fail_msg("%s: %s", text, err.message);
    assert_int_equal(ndft_case_print(&c, line, sizeof line), strlen(printed));
    assert_string_equal(line, printed);
    assert_int_equal(ndft_case_parse(line, &again, &err), NDFT_OK);
    expect_same(&c.load, &again.load);
    expect_same(&c.store, &again.store);
    assert_int_equal(c.seed, again.seed);
}

static void they_come_back(void **state)
{
    (void)state;
    expect_print("uniform:scfo8 load=none store=none", "uniform:scfo8 tol=1e-4 seed=1");
    expect_print("uniform:scfo8 seed=3 store=crop:5 load=zero_pad:007",
                 "uniform:scfo8 load=zero_pad:7 store=crop:5 tol=1e-4 seed=3");
    expect_print("uniform:drfo4.8x6x2*3 load=zero_pad:8x1x2 store=deapodise:16",
                 "uniform:drfo4.8x6x2*3 load=zero_pad:8x1x2 store=deapodise:16 tol=1e-4 seed=1");
    expect_print("uniform:srbo9x6 load=zero_pad:3x6 store=crop:9x5",
                 "uniform:srbo9x6 load=zero_pad:3x6 store=crop:9x5 tol=1e-4 seed=1");
    expect_print("uniform:scfo8 store=file:a:b/c:f_1 load=file:x:_g",
                 "uniform:scfo8 load=file:x:_g store=file:a:b/c:f_1 tol=1e-4 seed=1");
}

static void expect_wrong(const char *rest, const char *reason)
{
    char text[600];
    ndft_case c;
    ndft_error err = {0};
    snprintf(text, sizeof text, "uniform:%s", rest);
    assert_int_equal(ndft_case_parse(text, &c, &err), NDFT_EINVAL);
    if (!strstr(err.message, reason)) fail_msg("%s: '%s' lacks '%s'", text, err.message, reason);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    expect_wrong("scfo9 load=zero_pd:3", "load=zero_pd:3: unknown word; nearest: zero_pad");
    expect_wrong("scfo9 load=crop:3", "nearest:");
    expect_wrong("scfo9 store=zero_pad:3", "store=zero_pad:3: unknown word");
    expect_wrong("scfo9 stor=crop:3", "nearest: store=");
    expect_wrong("scfo9 load=zero_pad", "joined by x");
    expect_wrong("scfo9 load=zero_pad:-3", "joined by x");
    expect_wrong("scfo9 load=zero_pad:0", "of axis 1, 1 to 9 can be kept");
    expect_wrong("scfo9 load=zero_pad:10", "of axis 1, 1 to 9 can be kept");
    expect_wrong("scfo9 load=zero_pad:99999999999999999999999999", "1 to 9");
    expect_wrong("scfo9x8 load=zero_pad:9", "takes 2 sizes, e.g. 64x48");
    expect_wrong("scfo9x8 store=crop:9x", "joined by x");
    expect_wrong("scfo9x8 store=crop:9x9", "of axis 2, 1 to 8 can be kept");
    expect_wrong("srfo9 store=crop:6", "of axis 1, 1 to 5 can be kept");
    expect_wrong("srbo9x8 load=zero_pad:3x7", "keeps all 8 of axis 2");
    expect_wrong("scfo9 store=deapodise", "2 to 16 cells wide");
    expect_wrong("scfo9 store=deapodise:17", "2 to 16 cells wide");
    expect_wrong("scfo9 load=file", "path");
    expect_wrong("scfo9 load=file:f", "path");
    expect_wrong("scfo9 load=file::f", "path");
    expect_wrong("scfo9 load=file:x:", "a name of C");
    expect_wrong("scfo9 load=file:x:3f", "a name of C");
    expect_wrong("scfo9 load=none:3", "takes nothing");
    expect_wrong("scfo9 load=zero_pad:3 load=zero_pad:3", "given twice");
}

static int64_t below(ndft_random *r, int64_t limit)
{
    return (int64_t)(ndft_random_bits(r) % (uint64_t)limit);
}

/* Half of the texts are keys with a character changed, left out or added. */
static void any_text_is_answered(void **state)
{
    (void)state;
    static const char letters[] = "0123456789x:=_- \377zcrofdeapnil";
    static const char *const whole[] = {"load=zero_pad:7x5", "store=crop:3x2", "store=deapodise:6",
                                        "load=file:a/b:f", "store=none"};
    ndft_random r = {5};
    int good = 0;
    for (int i = 0; i < 20000; i++) {
        char text[128] = "uniform:scfo9x8 ", line[NDFT_CASE_MAX];
        const size_t head = strlen(text);
        strcpy(text + head, whole[below(&r, 5)]);
        const size_t at = head + (size_t)below(&r, (int64_t)strlen(text + head) + 1);
        if (below(&r, 2)) memmove(text + at + 1, text + at, strlen(text + at) + 1);
        if (below(&r, 4)) text[at] = letters[below(&r, sizeof letters - 1)];
        ndft_case c;
        ndft_error err = {0};
        if (ndft_case_parse(text, &c, &err) != NDFT_OK) {
            assert_true(err.message[0] != '\0');
            continue;
        }
        good++;
        ndft_case_print(&c, line, sizeof line);
        expect_print(text, line);
    }
    assert_in_range(good, 1000, 19000);
}

/* Code is run only where its name is given by hand. */
static void files_of_cases_run_no_code(void **state)
{
    (void)state;
    static const char line[] = "uniform_naive.cpu : uniform:scfo8 load=file:./x:f";
    const char *path = "unit_callback.ndft";
    ndft_suite suite = {0};
    ndft_error err = {0};
    FILE *file = fopen(path, "w");
    fprintf(file, "uniform_naive.cpu : uniform:scfo8 load=zero_pad:3\n%s\n", line);
    fclose(file);
    assert_int_equal(ndft_suite_read(path, &suite, &err), NDFT_EINVAL);
    assert_non_null(strstr(err.message, ".ndft:2: file:./x:f would run code"));
    remove(path);
    assert_int_equal(ndft_suite_add(&suite, line, "--case", &err), NDFT_OK);
    assert_int_equal(suite.size, 1);
    ndft_suite_free(&suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_come_back),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(any_text_is_answered),
        cmocka_unit_test(files_of_cases_run_no_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
