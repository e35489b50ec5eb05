/* SPDX-License-Identifier: Apache-2.0 */
#include "scaling/ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Whether all of two other ranks compare, of which the second answers so. */
static ndft_status compared(const char *answer, bool *all)
{
    static ndft_ranks r;
    static ndft_error err;
    char first[] = NDFT_COMPARES "\n", second[32], orders[2][8] = {"", ""};
    snprintf(second, sizeof second, "%s", answer);
    r = (ndft_ranks){.n = 3, .err = &err};
    r.child[1] = (ndft_child){.in = fmemopen(orders[0], sizeof orders[0], "w"),
                              .out = fmemopen(first, sizeof first - 1, "r")};
    r.child[2] = (ndft_child){.in = fmemopen(orders[1], sizeof orders[1], "w"),
                              .out = fmemopen(second, strlen(second), "r")};
    const ndft_status status = ndft_ranks_compare(&r, all);
    for (int i = 1; i < r.n; i++) {
        fclose(r.child[i].in);
        fclose(r.child[i].out);
        assert_string_equal(orders[i - 1], "wb");
    }
    return status;
}

/* Nobody waits in a group for one that goes on without comparing. */
static void who_does_not_compare_is_seen(void **state)
{
    bool all;
    (void)state;
    assert_int_equal(compared(NDFT_COMPARES "\n", &all), NDFT_OK);
    assert_true(all);
    assert_int_equal(compared("0\n", &all), NDFT_OK);
    assert_false(all);
    assert_int_equal(compared("\n", &all), NDFT_EDEVICE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_does_not_compare_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
