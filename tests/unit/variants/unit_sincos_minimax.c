/* SPDX-License-Identifier: Apache-2.0 */
#include "core/loop.h"

#include "phase/sincos_minimax.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/*
 * The promised bounds of the polynomials over a whole turn, absolute, rounding included, with fused
 * multiply-adds as on a GPU. The sine is odd and the cosine even, to the bit, so that |r| suffices:
 * every float of [1/64, 1/2], and every 61st of the smaller ones, where both polynomials are all
 * but their first two terms.
 */

static const double sine_bound = 4e-7, cosine_bound = 1.1e-6;
static const double turn = 6.28318530717958647693;

typedef struct worst {
    double sine, cosine;
} worst;

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* NaN counts as worse than anything. */
static void note(double *largest, double error)
{
    if (!(fabs(error) <= *largest)) *largest = fabs(error);
}

__attribute__((target("fma"))) static void walk(worst *w, float low, float high, uint32_t step)
{
    for (uint32_t b = bits_of(low); b <= bits_of(high); b += step) {
        const float r = float_of(b), z = r * r;
        note(&w->sine, (double)ndft_sine_of_turns(ndft_sine_lead, r, z) - sin(turn * (double)r));
        note(&w->cosine, (double)ndft_cosine_of_turns(ndft_cosine_lead, z) - cos(turn * (double)r));
    }
}

static void test_bounds(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("fma")) {
        print_message("skipped: the processor has no fused multiply-add\n");
        skip();
    }
    worst w = {0, 0};
    walk(&w, 0x1p-6f, 0.5f, 1);
    walk(&w, 0x1p-126f, 0x1p-6f, 61);
    print_message("sine %.3g, cosine %.3g\n", w.sine, w.cosine);
    assert_true(w.sine <= sine_bound);
    assert_true(w.cosine <= cosine_bound);
}

static void test_parity(void **state)
{
    (void)state;
    for (float r = 0; r <= 0.5f; r += 0x1.3p-9f) {
        assert_true(ndft_sine_of_turns(ndft_sine_lead, -r, r * r) ==
                    -ndft_sine_of_turns(ndft_sine_lead, r, r * r));
        assert_true(fabsf(ndft_cosine_of_turns(ndft_cosine_lead, r * r)) <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_parity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
