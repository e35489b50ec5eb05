/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/field/in_use.h"
#include "nufft/field/rank.h"
#include "nufft/host/host_values.h"
#include "nufft/shape.h"
#include "support/rank_errors.h"
#include "support/turn.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * The tables against exp(-i dw t) prod sinc(k/N + G t), in double, over all pairs of small
 * problems: what is predicted must hold, and must not be far too cautious.
 */

static void test_errors_are_as_predicted(void **state)
{
    (void)state;
    static const double spans[] = {0, 20, 80, 200, 800}; /* Hz in 25 ms: BT 0 to 20 */
    for (int method = NDFT_RANK_SVD; method <= NDFT_RANK_HANNING; method++)
        for (int i = 0; i < 5; i++)
            for (int bell = 0; bell < 2; bell++) {
                if (!has_turn((method * 5 + i) * 2 + bell)) continue;
                check(problem_of(spans[i], bell, 0, NDFT_F32), method, 1e-2);
                check(problem_of(spans[i], bell, 0, NDFT_F32), method, 1e-4);
                if (method == NDFT_RANK_HANNING) continue;
                check(problem_of(spans[i], bell, 0, NDFT_F32), method, 2e-6);
                check(problem_of(spans[i], bell, 0, NDFT_F64), method, 1e-7);
                check(problem_of(spans[i], bell, 0, NDFT_F64), method,
                      method == NDFT_RANK_SVD ? 1e-12 : 1e-9);
            }
}

/* Ranks of exp(-i w s) over an even histogram for a root mean square error of 1e-2, 1e-4, 1e-6:
 * prolate functions (H. J. Landau, H. Widom, J. Math. Anal. Appl. 1980). The error that is held
 * here is that of the worst sample and voxel, which takes up to two more. */
static void test_ranks_are_the_smallest(void **state)
{
    (void)state;
    static const int bt[] = {1, 2, 5, 10, 20};
    static const int best[][3] = {{4, 6, 7}, {5, 7, 9}, {8, 11, 14}, {14, 17, 20}, {24, 28, 31}};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            small *s = problem_of(bt[i] / 0.025, false, 0, NDFT_F64);
            const double tol = pow(10, -2 - 2 * k);
            const int svd = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tol).terms;
            const int segments = ndft_rank_choose(&s->p, NDFT_RANK_SEGMENTS, tol).terms;
            if (svd < best[i][k] - 1 || svd > best[i][k] + 2 || segments < svd)
                fail_msg("BT=%d tol=%g: %d terms, %d segments, for %d", bt[i], tol, svd, segments,
                         best[i][k]);
            free(s);
        }
}

/* Fat and water are two narrow bands: what lies between them costs nothing. */
static void test_gaps_cost_nothing(void **state)
{
    (void)state;
    small *s = problem_of(4, false, 0, NDFT_F64);
    for (int v = 0; v < VOXELS / 3; v++) s->dw[v] -= 2 * pi * 440;
    finish(s, NDFT_F64, false);
    assert_in_range(check(s, NDFT_RANK_SVD, 1e-4), 4, 8);
    s = problem_of(444, false, 0, NDFT_F64);
    assert_in_range(check(s, NDFT_RANK_SVD, 1e-4), 17, 22);
}

static void test_hanning_never_gets_good(void **state)
{
    (void)state;
    small *s = problem_of(200, false, 0, NDFT_F32);
    const ndft_rank_choice choice = ndft_rank_choose(&s->p, NDFT_RANK_HANNING, 1e-4);
    assert_int_equal(choice.terms, NDFT_RANK_TERMS);
    assert_true(choice.error > 4e-3); /* straight lines between segments would reach 1.2e-3 */
    free(s);
}

static void test_nothing_to_expand(void **state)
{
    (void)state;
    small *s = problem_of(0, false, 0, NDFT_F32);
    assert_int_equal(check(s, NDFT_RANK_SVD, 1e-6), 1); /* one offset */
    s = problem_of(200, false, 0, NDFT_F64);
    for (int j = 0; j < SAMPLES; j++) s->t[j] = 0.013;
    assert_int_equal(check(s, NDFT_RANK_SEGMENTS, 1e-12), 1); /* one time */
    s = problem_of(200, false, 0, NDFT_F64);
    memset(s->t, 0, sizeof s->t);
    s->p.t_max = 0;
    ndft_rank rank = made_of(s, NDFT_RANK_SVD, 1e-6);
    assert_true(rank.plain && rank.columns == 1 && rank.error == 0);
    assert_int_equal(ndft_rank_sizes(&rank, &s->p).place, 0);
    s->p.t_max = 1;
    s->p.dw = NULL;
    assert_true(ndft_rank_choose(&s->p, NDFT_RANK_SVD, 1e-6).error == 0);
    free(s);
}

static void test_gradients_by_quadrature(void **state)
{
    (void)state;
    static const double gradients[] = {0.5, 5, 20}; /* Hz per voxel, up to 29 ms */
    for (int i = 0; i < 3; i++) {
        check(problem_of(100, false, gradients[i], NDFT_F32), NDFT_RANK_SVD, 1e-2);
        check(problem_of(100, true, gradients[i], NDFT_F32), NDFT_RANK_SVD, 1e-4);
    }
    check(problem_of(60, false, 2, NDFT_F64), NDFT_RANK_SVD, 1e-8);
    check(problem_of(0, false, 2, NDFT_F64), NDFT_RANK_SEGMENTS, 1e-6);

    /* At one time the terms are exact, and the quadrature's error stands alone. */
    for (int i = 1; i < 3; i++)
        for (double tol = 1e-2; tol > 1e-6; tol /= 10) {
            small *s = problem_of(0, false, gradients[i], NDFT_F64);
            for (int j = 0; j < SAMPLES; j++) s->t[j] = 0.03;
            finish(s, NDFT_F64, true);
            assert_int_equal(check(s, NDFT_RANK_SVD, tol), 1);
        }

    /* Where only k/N dephases, one node is exact. */
    small *s = problem_of(100, false, 1, NDFT_F64);
    memset(s->g, 0, sizeof s->g);
    finish(s, NDFT_F64, true);
    assert_int_equal(ndft_rank_choose(&s->p, NDFT_RANK_SVD, 1e-8).nodes, 1);
    check(s, NDFT_RANK_SVD, 1e-8);
}

static void test_hopeless_fields_are_refused(void **state)
{
    (void)state;
    static const double spans[] = {100, 100, 5000, 5e12}, gradients[] = {60, 4000, 0, 0};
    static const char *const words[] = {"more than 512", "too far", "more than 100 turns",
                                        "more than 100 turns"};
    for (int i = 0; i < 4; i++) {
        small *s = problem_of(spans[i], false, gradients[i], NDFT_F64);
        ndft_rank rank;
        ndft_error err = {0};
        assert_int_equal(ndft_rank_make(&s->p, NDFT_RANK_SVD, 1e-6, &err, &rank),
                         NDFT_EUNSUPPORTED);
        assert_non_null(strstr(err.message, words[i]));
        assert_null(rank.place);
        free(s);
    }
}

/* What loops use gives the same weights. */
static void test_weights_of_loops(void **state)
{
    (void)state;
    small *s = problem_of(100, false, 2, NDFT_F64);
    ndft_rank rank = made_of(s, NDFT_RANK_SVD, 1e-3);
    for (int64_t j = 0, v = 7; j < SAMPLES; j += 11, v += 13) {
        double complex sum = 0;
        for (int i = 0; i < rank.columns; i++) {
            double b[2], c[2];
            ndft_rank_sample(&rank, j, i, b);
            ndft_rank_voxel(&rank, VOXELS, v, i, 3, c);
            sum += (b[0] + I * b[1]) * (c[0] + I * c[1]);
        }
        double gain;
        assert_true(cabs(sum - 3 * sum_of_terms(&rank, &s->p, j, v, &gain)) < 1e-13);
    }
    ndft_rank_release(&rank);
    free(s);
}

/* A readout again and again, one that stops early, one value of the last readout changed, runs of
 * equal times, and a clock that never repeats. */
static void test_distinct_values_of_clocks(void **state)
{
    (void)state;
    enum { COUNT = 23 };
    const struct {
        int period, odd; /* number of the value that is another */
    } clock[] = {{5, -1}, {23, -1}, {1, -1}, {5, 22}, {5, 0}, {4, 11}, {22, -1}};
    for (size_t c = 0; c < sizeof clock / sizeof *clock; c++) {
        float t[COUNT];
        double *values;
        int64_t n;
        int wanted = clock[c].period + (clock[c].odd >= 0);
        for (int j = 0; j < COUNT; j++) t[j] = (float)(clock[c].period - j % clock[c].period);
        if (clock[c].odd >= 0) t[clock[c].odd] = 2.5f;
        assert_true(ndft_values_distinct(t, NDFT_F32, COUNT, &values, &n));
        assert_int_equal(n, wanted);
        for (int64_t i = 1; i < n; i++) assert_true(values[i - 1] < values[i]);
        for (int j = 0; j < COUNT; j++)
            assert_true(values[ndft_values_find(values, n, (double)t[j])] == (double)t[j]);
        free(values);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distinct_values_of_clocks),
        cmocka_unit_test(test_errors_are_as_predicted),
        cmocka_unit_test(test_ranks_are_the_smallest),
        cmocka_unit_test(test_gaps_cost_nothing),
        cmocka_unit_test(test_hanning_never_gets_good),
        cmocka_unit_test(test_nothing_to_expand),
        cmocka_unit_test(test_gradients_by_quadrature),
        cmocka_unit_test(test_hopeless_fields_are_refused),
        cmocka_unit_test(test_weights_of_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
