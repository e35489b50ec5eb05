/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Numbers as people read them. */

static void energies_have_the_unit_that_suits(void **state)
{
    (void)state;
    char text[NDFT_SHOWN];
    assert_string_equal(ndft_show_energy(1.25e-4, text), "125 uJ");
    assert_string_equal(ndft_show_energy(0.0342, text), "34.2 mJ");
    assert_string_equal(ndft_show_energy(12.34, text), "12.3 J");
    assert_string_equal(ndft_show_energy(NAN, text), "-");
}

static void a_set_stands_beside_the_cache(void **state)
{
    (void)state;
    char text[NDFT_SHOWN];
    assert_string_equal(ndft_show_set(84e6, 50e6, text), "84 MB, 1.7 L2");
    assert_string_equal(ndft_show_set(84e6, 0, text), "84 MB");
    assert_string_equal(ndft_show_set(NAN, 50e6, text), "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energies_have_the_unit_that_suits),
                                       cmocka_unit_test(a_set_stands_beside_the_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
