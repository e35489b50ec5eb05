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

/* Of numbers of both signs, all of one, zeros of either, at each place. */
static void both_ends(void **state)
{
    (void)state;
    static const double middle[] = {0, -7, 7};
    double low, high, f64[MOST];
    float f32[MOST];
    for (int m = 0; m < 3; m++)
        for (int count = 2; count <= MOST; count++)
            for (int at = 0; at < count; at++) {
                const int other = (at + count / 2) % count;
                for (int i = 0; i < count; i++) f64[i] = middle[m] + (i % 2 ? -0.0 : 0.0);
                f64[at] -= 3;
                f64[other] += 2.5;
                for (int i = 0; i < count; i++) f32[i] = (float)f64[i];
                for (ndft_prec prec = NDFT_F32; prec <= NDFT_F64; prec++) {
                    ndft_ends(prec == NDFT_F32 ? (void *)f32 : (void *)f64, prec, count, &low,
                              &high);
                    assert_true(low == middle[m] - 3 && high == middle[m] + 2.5);
                }
            }
    ndft_ends(&f32[1], NDFT_F32, 1, &low, &high);
    assert_true(low == f32[1] && high == f32[1]);
}

enum { VOXELS = 700, SAMPLES = 900 };

typedef struct decaying {
    double rate[VOXELS], t[SAMPLES], k[SAMPLES];
    ndft_problem p;
} decaying;

/* Rates up to `most`, times up to 1 of which one in `each` is 0. */
static void make(decaying *d, double most, int each)
{
    for (int v = 0; v < VOXELS; v++) d->rate[v] = most * fabs(sin(1.3 * v));
    for (int j = 0; j < SAMPLES; j++) d->t[j] = j % each ? fabs(cos(0.7 * j)) : 0;
    for (int j = 0; j < SAMPLES; j++) d->k[j] = 0;
    d->p = (ndft_problem){.dim = 1,
                          .prec = NDFT_F64,
                          .coils = 1,
                          .tol = 1e-3,
                          .n = {VOXELS, 1, 1},
                          .n_voxels = VOXELS,
                          .n_samples = SAMPLES,
                          .k = {d->k},
                          .t = d->t,
                          .decay = d->rate};
    ndft_measure_bounds(&d->p, NULL);
}

static double rms(const decaying *d)
{
    double sum = 0;
    for (int j = 0; j < SAMPLES; j++)
        for (int v = 0; v < VOXELS; v++) sum += exp(-2 * d->rate[v] * d->t[j]);
    return sqrt(sum / SAMPLES / VOXELS);
}

/* Never above what it stands for, and near it, from no decay to times of 0 alone. */
static void what_decay_leaves(void **state)
{
    (void)state;
    static decaying d;
    static const double rates[] = {0, 1e-3, 1, 5, 30, 1e3, 1e9};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (int each = 2; each < 1000; each = 5 * each + 13) {
            make(&d, rates[i], each);
            const double exact = rms(&d);
            print_message("rates to %g: %.6g, and %.6g\n", rates[i], exact, d.p.b_rms);
            assert_true(d.p.b_rms <= exact * (1 + 1e-12) && d.p.b_rms >= 0.9 * exact);
            assert_true(d.p.decay_max <= rates[i]);
            assert_true(ndft_tol_of_entries(&d.p) == 1e-3 * d.p.b_rms);
        }
    d.p.tol_kind = NDFT_TOL_ANY;
    assert_true(ndft_tol_of_entries(&d.p) == 1e-3);
}

/* Sincs make it smaller only. */
static void with_gradients(void **state)
{
    (void)state;
    static decaying d;
    make(&d, 5, 3);
    const double without = d.p.b_rms;
    d.p.g[0] = d.rate;
    ndft_measure_bounds(&d.p, NULL);
    assert_true(d.p.b_rms > 0 && d.p.b_rms < without);
}

static void no_negative_one(void **state)
{
    (void)state;
    const float values[] = {0, 2, -0.0f, INFINITY, 3, -1e-30f, NAN};
    assert_int_equal(ndft_first_negative(values, NDFT_F32, 5), 5);
    assert_int_equal(ndft_first_negative(values, NDFT_F32, 7), 5);
    assert_int_equal(ndft_first_negative(values + 6, NDFT_F32, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everywhere), cmocka_unit_test(both_ends),
                                       cmocka_unit_test(what_decay_leaves),
                                       cmocka_unit_test(with_gradients),
                                       cmocka_unit_test(no_negative_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
