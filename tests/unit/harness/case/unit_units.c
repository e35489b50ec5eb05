/* SPDX-License-Identifier: Apache-2.0 */
#include "base/random.h"
#include "case/units.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const ndft_unit seconds[] = {{"s", 0, true}, {"ms", -3, true}, {"us", -6, true}, {0}};

static void prints(double value, const ndft_unit *units, const char *wanted)
{
    char text[64];
    double back = -1;
    assert_int_equal(ndft_number_print(value, units, text, sizeof text), strlen(wanted));
    assert_string_equal(text, wanted);
    assert_int_equal(ndft_number_parse(text, units, &back), NDFT_NUMBER_OK);
    assert_true(back == value);
}

static void plain_and_scientific(void **state)
{
    (void)state;
    prints(0, NULL, "0");
    prints(9999999, NULL, "9999999");
    prints(1e7, NULL, "1e7");
    prints(3e6, NULL, "3000000");
    prints(1234.5, NULL, "1234.5");
    prints(0.001, NULL, "0.001");
    prints(0.00099, NULL, "9.9e-4");
    prints(0.1 + 0.2, NULL, "0.30000000000000004");
    prints(DBL_TRUE_MIN, NULL, "4.94065645841247e-324");
    prints(1e12, seconds, "1e12s");
    prints(1e-5, seconds, "10us");
    prints(999.5e-6, seconds, "999.5us");
}

/* Every double comes back bit for bit, through any unit. */
static void all_doubles(void **state)
{
    (void)state;
    ndft_random random = {3};
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = ndft_random_bits(&random) & INT64_MAX;
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!(value <= DBL_MAX)) continue;
        char text[64];
        ndft_number_print(value, i % 2 ? seconds : NULL, text, sizeof text);
        assert_int_equal(ndft_number_parse(text, i % 2 ? seconds : NULL, &back), NDFT_NUMBER_OK);
        assert_memory_equal(&back, &value, sizeof value);
    }
}

static void lengths(void **state)
{
    (void)state;
    assert_int_equal(ndft_number_length("12ms"), 2);
    assert_int_equal(ndft_number_length("1.5e-3s"), 6);
    assert_int_equal(ndft_number_length("-.5"), 3);
    assert_int_equal(ndft_number_length("2em"), 1);
    assert_int_equal(ndft_number_length("0x10"), 1);
    assert_int_equal(ndft_number_length("."), 0);
    assert_int_equal(ndft_number_length("inf"), 0);
    assert_int_equal(ndft_number_length(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_and_scientific),
        cmocka_unit_test(all_doubles),
        cmocka_unit_test(lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
