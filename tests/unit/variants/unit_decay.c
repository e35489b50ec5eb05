/* SPDX-License-Identifier: Apache-2.0 */
#include "core/loop.h"

#include "base/variant.h"
#include "phase/decay.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* exp(-rate t) over all exponents that leave anything, and what becomes of those that do not. */

/* Of the product before it is rounded; one more is the product with an entry. */
static const double promised = NDFT_DECAY_EPS - 1;

enum { RATES = 1009, TIMES = 1511 };

static double worst_of(ndft_prec prec, double most)
{
    double worst = 0;
    for (int i = 0; i < RATES; i++) {
        for (int k = 0; k < TIMES; k++) {
            double rate = 1e3 * (i + 0.37) / RATES, t = most / 1e3 * (k + 0.61) / TIMES;
            if (prec == NDFT_F32) {
                rate = (float)rate;
                t = (float)t;
            }
            const long double exact = expl(-(long double)rate * t);
            const double found =
                prec == NDFT_F32 ? ndft_decay_f32((float)rate, (float)t) : ndft_decay_f64(rate, t);
            worst = fmax(worst, (double)(fabsl(found - exact) / exact));
        }
    }
    return worst / ndft_roundoff(prec);
}

static void relative_error_whatever_the_exponent(void **state)
{
    (void)state;
    static const double most[] = {86.9, 706};
    for (int prec = NDFT_F32; prec <= NDFT_F64; prec++)
        for (double reach = 1e-3; reach < most[prec]; reach *= 7) {
            const double worst = worst_of((ndft_prec)prec, reach);
            print_message("exponents up to %g: %.3g roundoffs\n", reach, worst);
            assert_true(worst <= promised);
        }
    assert_true(worst_of(NDFT_F32, most[NDFT_F32]) <= promised);
    assert_true(worst_of(NDFT_F64, most[NDFT_F64]) <= promised);
}

static void nothing_decays_at_zero(void **state)
{
    (void)state;
    assert_true(ndft_decay_f32(0, 1e30f) == 1 && ndft_decay_f32(1e30f, 0) == 1);
    assert_true(ndft_decay_f64(0, 1e300) == 1 && ndft_decay_f64(1e300, 0) == 1);
}

/* Never more than a little above where it ends, never below 0, however large the product. */
static void beyond_reach(void **state)
{
    (void)state;
    for (float y = 86; y < 3e38f; y *= 1.3f) {
        const float left = ndft_decay_f32(y, 1), other = ndft_decay_f32(y, 3e38f);
        assert_true(left > 0 && left <= 5e-38f && other > 0 && other <= 2e-38f);
    }
    for (double y = 706; y < 1e308; y *= 1.7) {
        const double left = ndft_decay_f64(y, 1), other = ndft_decay_f64(y, 1e308);
        assert_true(left > 0 && left <= 3e-307 && other > 0 && other <= 1e-307);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(relative_error_whatever_the_exponent),
                                       cmocka_unit_test(nothing_decays_at_zero),
                                       cmocka_unit_test(beyond_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
