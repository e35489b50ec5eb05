/* SPDX-License-Identifier: Apache-2.0 */
#include "core/loop.h"

#include "phase/sincos_poly.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/*
 * The promised bounds of sincospi, absolute, rounding included: in f32 proved by going over every
 * float of [1/64, 1/2] and through the smaller ones, with and without fused multiply-adds; in f64
 * measured against long double.
 */

static const double bound_plain = 1.75e-7, bound_fused = 1.4e-7, bound_f64 = 3e-16;
static const long double pi = 3.14159265358979323846264338L;

typedef struct worst {
    double sine, cosine;
} worst;

static void note(worst *w, double sine, double cosine)
{
    if (!(fabs(sine) <= w->sine)) w->sine = fabs(sine);
    if (!(fabs(cosine) <= w->cosine)) w->cosine = fabs(cosine);
}

static void compare_f32(worst *w, float x, float s, float c)
{
    note(w, (double)s - sin((double)pi * x), (double)c - cos((double)pi * x));
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Every `step`-th float from low to high. */
static void walk_plain(worst *w, float low, float high, uint32_t step)
{
    for (uint32_t b = bits_of(low); b <= bits_of(high); b += step) {
        float s, c;
        ndft_sincospi_poly_f32(float_of(b), &s, &c);
        compare_f32(w, float_of(b), s, c);
    }
}

__attribute__((target("fma"))) static void walk_fused(worst *w, float low, float high,
                                                      uint32_t step)
{
    for (uint32_t b = bits_of(low); b <= bits_of(high); b += step) {
        float s, c;
        ndft_sincospi_poly_f32(float_of(b), &s, &c);
        compare_f32(w, float_of(b), s, c);
    }
}

static void check_f32(void (*walk)(worst *, float, float, uint32_t), double bound)
{
    worst w = {0, 0};
    walk(&w, 0x1p-6f, 0.5f, 1);
    walk(&w, 0x1p-126f, 0x1p-6f, 211);
    print_message("f32: sine %.3g, cosine %.3g\n", w.sine, w.cosine);
    assert_true(w.sine <= bound);
    assert_true(w.cosine <= bound);
}

static void test_f32(void **state)
{
    (void)state;
    check_f32(walk_plain, bound_plain);
}

static void test_f32_fused(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("fma")) {
        print_message("skipped: the processor has no fused multiply-add\n");
        skip();
    }
    check_f32(walk_fused, bound_fused);
}

static void test_f64(void **state)
{
    (void)state;
    worst w = {0, 0};
    for (int i = -(1 << 20); i <= 1 << 20; i++) {
        const double x = i * (0.5 / (1 << 20)) * 0.99999999;
        double s, c;
        ndft_sincospi_poly_f64(x, &s, &c);
        note(&w, (double)(s - sinl(pi * x)), (double)(c - cosl(pi * x)));
    }
    print_message("f64: sine %.3g, cosine %.3g\n", w.sine, w.cosine);
    assert_true(w.sine <= bound_f64);
    assert_true(w.cosine <= bound_f64);
}

/* Whole half turns only change the sign, exactly. */
static void test_periods(void **state)
{
    (void)state;
    for (int n = -65536; n <= 65536; n += 77) {
        const float h = 0x1.3p-3f, sign = n % 2 ? -1 : 1;
        float s, c, s0, c0;
        double ds, dc, ds0, dc0;
        ndft_sincospi_poly_f32(h, &s0, &c0);
        ndft_sincospi_poly_f32((float)n + h, &s, &c);
        assert_true(s == sign * s0 && c == sign * c0);
        ndft_sincospi_poly_f64(h, &ds0, &dc0);
        ndft_sincospi_poly_f64(n + (double)h, &ds, &dc);
        assert_true(ds == sign * ds0 && dc == sign * dc0);
    }
}

static void test_quarter_turns(void **state)
{
    (void)state;
    float s, c;
    ndft_sincospi_poly_f32(0, &s, &c);
    assert_true(s == 0 && c == 1);
    ndft_sincospi_poly_f32(1, &s, &c);
    assert_true(s == 0 && c == -1);
    ndft_sincospi_poly_f32(-0.5f, &s, &c);
    assert_true(fabsf(s + 1) <= bound_plain && fabsf(c) <= bound_plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_f32), cmocka_unit_test(test_f32_fused),
                                       cmocka_unit_test(test_f64), cmocka_unit_test(test_periods),
                                       cmocka_unit_test(test_quarter_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
