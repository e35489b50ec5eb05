/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "nufft/field/rank_higher.h"
#include "nufft/field/rank_higher_sides.h"
#include "support/rank_errors.h"

#include <stdint.h>

/* Terms of a phase of higher order, with field map and decay: what is said of their errors, over
 * every pair; and what is refused. */

/* As many terms as asked for, each turning by up to `most` rad: c smooth in time, or at random. */
static small *higher(small *s, int terms, double most, bool smooth)
{
    uint64_t seed = 17;
    s->p.higher.terms = terms;
    for (int l = 0; l < terms; l++) {
        for (int j = 0; j < SAMPLES; j++)
            s->c[l][j] = most * (smooth ? sin(90 * (l + 1) * s->t[j] + l) : 2 * in_unit(&seed) - 1);
        for (int v = 0; v < VOXELS; v++)
            s->b[l][v] = smooth ? cos(0.02 * (l + 1) * v) : 2 * in_unit(&seed) - 1;
        s->p.higher.c[l] = rounded(s->p.prec, SAMPLES, s->c[l], s->c32[l]);
        s->p.higher.b[l] = rounded(s->p.prec, VOXELS, s->b[l], s->b32[l]);
    }
    s->p.t_max = largest(SAMPLES, s->t);
    ndft_measure_bounds(&s->p, NULL);
    return s;
}

static void errors_are_as_said(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++)
        for (int terms = 1; terms <= 16; terms *= 4) {
            check(higher(problem_of(100, false, 0, NDFT_F32), terms, 3, smooth), NDFT_RANK_SVD,
                  1e-3);
            check(higher(problem_of(0, true, 0, NDFT_F64), terms, 8, smooth), NDFT_RANK_SVD, 1e-8);
            check(decaying(higher(problem_of(60, false, 0, NDFT_F64), terms, 0.5, smooth), 0, 200),
                  NDFT_RANK_SVD, 1e-6);
        }
}

/* c = t, b = dw: about as many terms as the field map takes. */
static void a_field_is_a_phase(void **state)
{
    (void)state;
    static const double tols[] = {1e-2, 1e-4, 1e-6};
    for (int i = 0; i < 3; i++) {
        small *s = problem_of(400, false, 0, NDFT_F64);
        const int field = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tols[i]).terms;
        higher(s, 1, 1, true);
        memcpy(s->c[0], s->t, sizeof s->t);
        memcpy(s->b[0], s->dw, sizeof s->dw);
        s->p.dw = NULL;
        memset(s->dw, 0, sizeof s->dw);
        ndft_measure_bounds(&s->p, NULL);
        const int phase = ndft_rank_choose(&s->p, NDFT_RANK_SVD, tols[i]).nodes;
        print_message("tol=%g: %d terms of the field, %d of a phase\n", tols[i], field, phase);
        assert_in_range(phase, field - 1, field + 4);
        check(s, NDFT_RANK_SVD, tols[i]);
    }
}

static void what_is_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"no phase of higher order", "field=svd alone"};
    static const double gradients[] = {5, 0};
    static const ndft_rank_method methods[] = {NDFT_RANK_SVD, NDFT_RANK_SEGMENTS};
    for (int i = 0; i < 2; i++) {
        small *s = higher(problem_of(100, false, gradients[i], NDFT_F64), 2, 3, true);
        ndft_rank rank;
        ndft_error err = {0};
        assert_int_equal(ndft_rank_make(&s->p, methods[i], 1e-6, &err, &rank), NDFT_EUNSUPPORTED);
        assert_non_null(strstr(err.message, words[i]));
        assert_null(rank.place);
        free(s);
    }
}

/* Where there are more pairs than are looked at, those looked at stand for the others: held against
 * every pair. Of any data nothing is promised then. */
enum { LANES = NDFT_HIGHER_SAMPLES, MANY = 175 * LANES };

static double found_error(const ndft_problem *p, const ndft_higher_sum *sum);

static void of_many_some_are_looked_at(void **state)
{
    (void)state;
    static double c[3][MANY], b[3][MANY], t[MANY];
    ndft_problem p = {.dim = 1,
                      .prec = NDFT_F64,
                      .coils = 1,
                      .n = {MANY, 1, 1},
                      .n_voxels = MANY,
                      .n_samples = MANY,
                      .t = t,
                      .k = {t},
                      .higher = {.terms = 3}};
    uint64_t seed = 3;
    for (int l = 0; l < 3; l++) {
        p.higher.c[l] = c[l];
        p.higher.b[l] = b[l];
        for (int i = 0; i < MANY; i++) {
            const double x = 2.0 * i / MANY - 1, y = 2.0 * (i % 77) / 77 - 1;
            c[l][i] = 6 * (l == 0 ? i % 601 / 600. : sin(0.01 * l * (i % 601) + 0.002 * i));
            b[l][i] = l == 0 ? x * x : l == 1 ? x * y : y * y;
        }
        b[l][2210] = 1.3 * in_unit(&seed); /* one that is like no other */
    }
    ndft_measure_bounds(&p, NULL);
    static const double tols[] = {1e-2, 1e-5};
    for (int i = 0; i < 2; i++) {
        ndft_higher_sum sum;
        assert_true(ndft_higher_search(&p, tols[i], &sum));
        const double found = found_error(&p, &sum);
        print_message("tol=%g: %d terms, %g, of which %g is said\n", tols[i], sum.terms, found,
                      sum.error);
        assert_true(sum.found && !sum.all && sum.error <= tols[i] && found <= sum.error);
        assert_true(found >= sum.error / 10 && sum.worst == 1 + sum.gain);
        ndft_higher_release(&sum);
        p.tol_kind = NDFT_TOL_ANY;
        assert_true(ndft_higher_search(&p, tols[i], &sum));
        assert_false(sum.found);
        ndft_higher_release(&sum);
        p.tol_kind = NDFT_TOL_TYPICAL;
    }
}

/* Over all pairs, one sample after the other. */
static double found_error(const ndft_problem *p, const ndft_higher_sum *sum)
{
    ndft_higher_sides sides;
    static double column[MANY];
    double *factor = malloc(sizeof *factor * 2 * (size_t)sum->terms * MANY), most = 0;
    memset(column, 0, sizeof column);
    assert_true(ndft_higher_sides_make(p, &sides));
    for (int l = 0; l < sum->terms; l++)
        for (int v = 0; v < MANY; v++) {
            double *at = factor + 2 * (v * sum->terms + l);
            ndft_higher_entry(&sides, sum->sample[l], v, &at[0], &at[1]);
        }
    for (int64_t j = 0; j < MANY; j++) {
        static double all[2 * NDFT_HIGHER_MOST * LANES];
        double h[2 * NDFT_HIGHER_MOST], squares = 0;
        const int lane = (int)(j % LANES);
        int64_t next[LANES];
        for (int i = 0; i < LANES; i++) next[i] = j + i;
        if (lane == 0) ndft_higher_h(&sides, sum, next, LANES, all);
        for (int i = 0; i < 2 * sum->terms; i++) h[i] = all[i * LANES + lane];
        for (int v = 0; v < MANY; v++) {
            const double *at = factor + 2 * v * sum->terms;
            double re, im;
            ndft_higher_entry(&sides, j, v, &re, &im);
            for (int l = 0; l < sum->terms; l++) {
                re -= h[2 * l] * at[2 * l] - h[2 * l + 1] * at[2 * l + 1];
                im -= h[2 * l] * at[2 * l + 1] + h[2 * l + 1] * at[2 * l];
            }
            squares += (re * re + im * im) / MANY;
            column[v] += (re * re + im * im) / MANY;
        }
        most = fmax(most, squares);
    }
    free(factor);
    ndft_higher_sides_release(&sides);
    return sqrt(fmax(most, largest(MANY, column)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_as_said),
        cmocka_unit_test(a_field_is_a_phase),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(of_many_some_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
