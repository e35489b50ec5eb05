/* SPDX-License-Identifier: Apache-2.0 */
#include "core/loop.h"

#include "phase/dephasing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* The sinc polynomials over their whole ranges, and the plans' choice of them. */

static const double bound = 1.3e-7, short_bound = 4e-7;

static double sinc(double u) { return u == 0 ? 1 : sin(M_PI * u) / (M_PI * u); }

static void check(float (*poly)(float), double range, double promised)
{
    const int steps = 1 << 22;
    double worst = 0;
    for (int i = 0; i <= steps; i++) {
        const float u = (float)(range * i / steps);
        const double error = fabs(poly(u * u) - sinc(u));
        if (!(error <= worst)) worst = error;
    }
    print_message("worst error %.3g\n", worst);
    assert_true(worst <= promised);
}

static void test_bound(void **state)
{
    (void)state;
    check(ndft_sinc_poly, NDFT_SINC_POLY_RANGE, bound);
}

static void test_short_bound(void **state)
{
    (void)state;
    check(ndft_sinc_short, NDFT_SINC_SHORT_RANGE, short_bound);
}

static void test_centre(void **state)
{
    (void)state;
    assert_true(ndft_sinc_poly(0) == 1);
}

/* The largest argument over all pairs: k/N of the shorter axis, and what the gradient adds. */
static void test_choice(void **state)
{
    (void)state;
    const float map[1] = {0};
    ndft_problem p = {.dim = 2,
                      .n = {64, 32, 1},
                      .g = {map, map, NULL},
                      .k_max = {16, 16, 0},
                      .g_max = {20, 10, 0},
                      .t_max = 0.03};
    assert_true(fabs(ndft_sinc_range(&p) - 0.85) < 1e-12);
    assert_int_equal(ndft_dephasing_of(&p), NDFT_SINC_POLY);
    p.g_max[1] = 34;
    assert_int_equal(ndft_dephasing_of(&p), NDFT_SINC_EXACT);
    p.g[0] = NULL;
    assert_int_equal(ndft_dephasing_of(&p), NDFT_NO_SINC);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound), cmocka_unit_test(test_short_bound),
        cmocka_unit_test(test_centre), cmocka_unit_test(test_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
