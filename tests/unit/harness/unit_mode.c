/* SPDX-License-Identifier: Apache-2.0 */
#include "naming/mode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void lists_name_modes(void **state)
{
    (void)state;
    unsigned modes;
    ndft_error err;
    assert_int_equal(ndft_modes_parse("graph", &modes, &err), NDFT_OK);
    assert_int_equal(modes, 1u << NDFT_GRAPH);
    assert_int_equal(ndft_modes_parse("end-to-end,batch", &modes, &err), NDFT_OK);
    assert_int_equal(modes, 1u << NDFT_END_TO_END | 1u << NDFT_BATCH);
}

static void a_bad_name_is_told_with_the_nearest(void **state)
{
    (void)state;
    const char *bad[] = {"", "batch,", "batch,clod", "cold warm"};
    unsigned modes;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ndft_error err;
        assert_int_equal(ndft_modes_parse(bad[i], &modes, &err), NDFT_EINVAL);
        assert_non_null(strstr(err.message, "nearest: "));
    }
    ndft_error err;
    ndft_modes_parse("batch,clod", &modes, &err);
    assert_non_null(strstr(err.message, "'clod'; nearest: cold"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_name_modes),
        cmocka_unit_test(a_bad_name_is_told_with_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
