/* SPDX-License-Identifier: Apache-2.0 */
#include "support/case_text.h"

/* maps= in the line of a case. */

static const char *printed(const char *text)
{
    static char line[NDFT_CASE_MAX];
    const ndft_case c = parsed(text);
    ndft_case_print(&c, line, sizeof line);
    const ndft_case again = parsed(line);
    assert_int_equal(again.maps.kind, c.maps.kind);
    assert_string_equal(again.maps.path, c.maps.path);
    return line;
}

/* Records came before the key: without maps a line is what it was. */
static void printed_where_there_are_some(void **state)
{
    (void)state;
    assert_null(strstr(printed("forward 1d n=4 m=8 coils=3"), "maps"));
    assert_null(strstr(printed("forward 1d n=4 m=8 coils=3 maps=none"), "maps"));
    assert_non_null(strstr(printed("forward 1d n=4 m=8 maps=birdcage coils=3"),
                           " coils=3 maps=birdcage layout=planar "));
    assert_non_null(strstr(printed("normal 1d n=4 m=8 maps=random"), " coils=1 maps=random "));
    assert_non_null(strstr(printed("adjoint 1d n=4 m=8 maps=file:s.npy"), " maps=file:s.npy "));
}

static void refused(void **state)
{
    (void)state;
    fails("forward 1d n=4 m=8 maps=birdcge", "maps=birdcge: unknown word; nearest: birdcage");
    fails("forward 1d n=4 m=8 maps=birdcage:8", "birdcage takes nothing behind it");
    fails("forward 1d n=4 m=8 maps=file:", "maps=file:: a path is missing");
    fails("forward 1d n=4 m=8 maps=smooth", "maps=smooth: unknown word");
    fails("uniform:scfo8*3 maps=birdcage", "maps");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_where_there_are_some),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
