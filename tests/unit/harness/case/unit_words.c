/* SPDX-License-Identifier: Apache-2.0 */
#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void nearest_by_edit_distance(void **state)
{
    (void)state;
    static const char *const words[] = {"radial", "spiral", "random", "golden", NULL};
    assert_string_equal(ndft_nearest("spiral", words), "spiral");
    assert_string_equal(ndft_nearest("sprial", words), "spiral"); /* a swap */
    assert_string_equal(ndft_nearest("gold", words), "golden");   /* deletions */
    assert_string_equal(ndft_nearest("radials", words), "radial");
    assert_string_equal(ndft_nearest("rendom", words), "random");
}

static void a_swap_costs_one(void **state)
{
    (void)state;
    static const char *const words[] = {"abxd", "acbd", NULL};
    assert_string_equal(ndft_nearest("abcd", words), "abxd");
    static const char *const far[] = {"abxy", "acbd", NULL};
    assert_string_equal(ndft_nearest("abcd", far), "acbd");
}

static void first_of_equals(void **state)
{
    (void)state;
    static const char *const words[] = {"f32", "f64", NULL};
    assert_string_equal(ndft_nearest("f99", words), "f32");
    assert_string_equal(ndft_nearest("", words), "f32");
}

static void no_words(void **state)
{
    (void)state;
    static const char *const words[] = {NULL};
    assert_null(ndft_nearest("x", words));
}

static void long_words(void **state)
{
    (void)state;
    char word[4096];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    const char *const words[] = {"short", word, NULL};
    assert_ptr_equal(ndft_nearest(word, words), word);
}

static void is_shown_as(const char *text, const char *shown)
{
    char line[256] = "";
    FILE *out = fmemopen(line, sizeof line, "w");
    assert_non_null(out);
    ndft_print_plain(out, text);
    fclose(out);
    assert_string_equal(line, shown);
}

static void what_hides_text_is_escaped(void **state)
{
    (void)state;
    static const char *const hidden[] = {"\x1b",   "\x7f",       "\xc2\x85", "\u00ad",
                                         "\u200b", "\u202e",     "\u2066",   "\ufeff",
                                         "\ue000", "\U000e0020", "\xff",     "\xe2\x80"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        assert_false(ndft_is_plain(hidden[i]));
    assert_true(ndft_is_plain("d\u00e9j\u00e0 \u4e09\u3000\U0001f9f2\t\n"));
    is_shown_as("a\u202eb\n\x1b[31m\u00e9\U0001f9f2\xff",
                "a\\xe2\\x80\\xaeb\\n\\x1b[31m\u00e9\U0001f9f2\\xff");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_by_edit_distance),
        cmocka_unit_test(a_swap_costs_one),
        cmocka_unit_test(first_of_equals),
        cmocka_unit_test(no_words),
        cmocka_unit_test(long_words),
        cmocka_unit_test(what_hides_text_is_escaped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
