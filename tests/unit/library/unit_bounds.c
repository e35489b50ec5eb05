/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The largest magnitude, wherever it is in an array of any length; a NaN is above all. */

enum { MOST = 19 };

static double largest(ndft_prec prec, int count, int at, double value)
{
    float f32[MOST];
    double f64[MOST];
    for (int i = 0; i < count; i++) f64[i] = i == at ? value : 0.25 * (i % 3 - 1);
    for (int i = 0; i < count; i++) f32[i] = (float)f64[i];
    return ndft_largest(prec == NDFT_F32 ? (void *)f32 : (void *)f64, prec, count);
}

static void everywhere(void **state)
{
    (void)state;
    for (ndft_prec prec = NDFT_F32; prec <= NDFT_F64; prec++)
        for (int count = 1; count <= MOST; count++)
            for (int at = 0; at < count; at++) {
                assert_true(largest(prec, count, at, -3) == 3);
                assert_true(largest(prec, count, at, INFINITY) == INFINITY);
                assert_true(isnan(largest(prec, count, at, NAN)));
            }
    assert_true(ndft_largest(NULL, NDFT_F32, 5) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
