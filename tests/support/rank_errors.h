/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_RANK_ERRORS_H
#define NDFT_TEST_RANK_ERRORS_H

#include "nufft/field/rank.h"
#include "nufft/shape.h"
#include "small_problem.h"

#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* What the tables of a field map's terms, and of decay, make of the entries of a small problem,
 * against what is predicted. */

static inline double complex complex_at(const void *array, ndft_prec prec, int64_t i)
{
    return ndft_real_at(array, prec, 2 * i) + I * ndft_real_at(array, prec, 2 * i + 1);
}

/* c_l at a place, as host_values.h has it but in double. */
static inline double c_at(const ndft_rank *rank, ndft_prec prec, int64_t place, int l)
{
    const int64_t interval = (int64_t)ndft_real_at(rank->place, prec, 4 * place);
    const double x = ndft_real_at(rank->place, prec, 4 * place + 1);
    double c = 0;
    for (int d = 0; d <= rank->degree; d++)
        c = c * x +
            ndft_real_at(rank->c, prec, (interval * rank->terms + l) * (rank->degree + 1) + d);
    return c;
}

/* gain: the sum of the terms' moduli. */
static inline double complex sum_of_terms(const ndft_rank *rank, const ndft_problem *p, int64_t j,
                                          int64_t v, double *gain)
{
    *gain = 1;
    if (rank->plain) return 1;
    double complex sum = 0;
    *gain = 0;
    for (int q = 0; q < rank->nodes; q++) {
        const double complex turn =
            rank->turn ? complex_at(rank->turn, p->prec, j * rank->nodes + q) : 1;
        const int64_t place = q * p->n_voxels + v;
        const double complex phase = complex_at(rank->place, p->prec, 2 * place + 1);
        for (int l = 0; l < rank->terms; l++) {
            const double complex term =
                turn * complex_at(rank->b, p->prec, (int64_t)rank->row[j] * rank->terms + l) *
                c_at(rank, p->prec, place, l) * phase;
            sum += term;
            *gain += cabs(term);
        }
    }
    return sum;
}

static inline double sinc(double x) { return x == 0 ? 1 : sin(pi * x) / (pi * x); }

static inline double complex exactly(const small *s, int j, int v)
{
    double b = 1;
    for (int d = 0; d < AXES && s->p.g[0]; d++)
        b *= sinc(s->k[d][j] / (double)s->p.n[d] + s->g[d][v] * s->t[j]);
    if (s->p.decay) b *= exp(-s->decay[v] * s->t[j]);
    double phase = s->dw[v] * s->t[j];
    for (int l = 0; l < s->p.higher.terms; l++) phase += s->c[l][j] * s->b[l][v];
    return b * (cos(phase) - I * sin(phase));
}

/* Root mean squares over all pairs, and the largest over the pairs of one sample or one voxel; the
 * largest of any pair, and its gain. */
typedef struct errors {
    double mean, worst, any, gain;
} errors;

static inline errors errors_of(const small *s, const ndft_rank *rank)
{
    static double row[SAMPLES], column[VOXELS];
    memset(row, 0, sizeof row);
    memset(column, 0, sizeof column);
    double all = 0, any = 0, most = 0;
    for (int j = 0; j < SAMPLES; j++)
        for (int v = 0; v < VOXELS; v++) {
            double gain;
            const double complex exact = exactly(s, j, v);
            const double e = cabs(sum_of_terms(rank, &s->p, j, v, &gain) - exact);
            any = fmax(any, e);
            most = fmax(most, gain);
            row[j] += e * e / VOXELS;
            column[v] += e * e / SAMPLES;
            all += e * e;
        }
    return (errors){sqrt(all / (SAMPLES * VOXELS)),
                    sqrt(fmax(largest(SAMPLES, row), largest(VOXELS, column))), any, most};
}

static inline ndft_rank made_of(const small *s, ndft_rank_method method, double tol)
{
    ndft_rank rank;
    ndft_error err = {0};
    if (ndft_rank_make(&s->p, method, tol, &err, &rank) != NDFT_OK) fail_msg("%s", err.message);
    return rank;
}

/* Whether no entry is beyond what is predicted of any data, which is not far beyond the worst. */
static inline void hold_any(const small *s, ndft_rank_method method, double tol, const errors *e)
{
    const ndft_rank_choice c = ndft_rank_choose(&s->p, method, tol);
    const double eps = s->p.prec == NDFT_F32 ? 0x1p-24 : 0x1p-53;
    const double bound = c.worst + eps * c.gain * c.units;
    if (e->any > bound || e->gain > c.gain * (1 + 1e-6) || bound > 20 * (e->any + 100 * eps))
        fail_msg("%s, %d terms, tol=%g: any %g of %g, gain %g of %g", ndft_field_words[method],
                 c.terms, tol, e->any, bound, e->gain, c.gain);
}

/* Terms that are chosen for any data, which is put back. */
static inline void check_any(small *s, ndft_rank_method method, double tol)
{
    s->p.tol_kind = NDFT_TOL_ANY;
    ndft_rank rank = made_of(s, method, tol);
    const errors e = errors_of(s, &rank);
    hold_any(s, method, tol, &e);
    assert_true(ndft_rank_choose(&s->p, method, tol).worst <= tol || rank.terms == NDFT_RANK_TERMS);
    ndft_rank_release(&rank);
    s->p.tol_kind = NDFT_TOL_TYPICAL;
}

/* Whether the tables reach what is predicted, and are not far better; their terms. With decay the
 * largest error is what is predicted. */
static inline int check(small *s, ndft_rank_method method, double tol)
{
    const double floor = s->p.prec == NDFT_F32 ? 1e-6 : 1e-13;
    const ndft_rank_choice choice = ndft_rank_choose(&s->p, method, tol);
    ndft_rank rank = made_of(s, method, tol);
    const errors e = errors_of(s, &rank);
    const int terms = rank.terms;
    const bool cautious = rank.error > 20 * e.worst ||
                          (method == NDFT_RANK_SVD && !s->p.decay && rank.error > 20 * e.mean);
    if (e.worst > rank.error || (cautious && rank.error > floor))
        fail_msg("%s, %d terms, tol=%g: %g is predicted, %g and %g in the mean are found",
                 ndft_field_words[method], terms, tol, rank.error, e.worst, e.mean);
    assert_true(choice.terms == terms && choice.nodes == rank.nodes && choice.error == rank.error);
    if (method != NDFT_RANK_HANNING) assert_true(rank.error <= tol);
    assert_true(rank.error <= tol || terms == NDFT_RANK_TERMS);
    hold_any(s, method, tol, &e);
    check_any(s, method, tol);
    ndft_rank_release(&rank);
    free(s);
    return terms;
}

#endif
