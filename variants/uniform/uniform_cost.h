/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_COST_H
#define NDFT_UNIFORM_COST_H

#include "base/uniform.h"
#include "base/variant.h"

#include <math.h>

/* What fast transforms of any library are said to do: 5 N log2 N operations of a complex one, half
 * of that of a real one, each number read and written once. passes: over the data beside that. */
static inline ndft_cost ndft_fft_cost(const ndft_transform *t, double passes)
{
    const double n = (double)ndft_transform_length(t), batch = (double)ndft_transform_batch(t);
    const double real = (double)ndft_real_size(t->prec);
    const double in = (double)ndft_tensor_size(&t->in) * (t->in.real ? real : 2 * real);
    const double out = (double)ndft_tensor_size(&t->out) * (t->out.real ? real : 2 * real);
    const double operations = 5 * n * fmax(log2(n), 1) * batch * (t->domain == NDFT_C2C ? 1 : 0.5);
    ndft_cost cost = {0};
    cost.fma = operations / 3;
    cost.add = operations / 3;
    cost.issue_slots = operations;
    cost.dram_bytes = (in + out) * (1 + passes);
    cost.l2_bytes = cost.dram_bytes;
    cost.launches = 1 + passes;
    return cost;
}

/* The error of a fast transform grows as the root of log2 N on the average (Schatzman 1996), for
 * prime lengths a convolution's as well; the bound leaves room for both. knobs: none counts. */
static inline double ndft_fft_truncation(const ndft_problem *p, const int *knobs)
{
    (void)knobs;
    const double eps = ndft_roundoff(p->prec);
    return eps * 4 * sqrt(log2(2 * (double)ndft_transform_length(ndft_transform_of(p))));
}

/* Folded lines are summed axis after axis, cosines and sines apart, each over half of a line with
 * one multiply-add a term: an eps of |x|_1 a number of the line in all. */
static inline double ndft_folded_chain(const ndft_problem *p, ndft_op op, const int *k)
{
    double numbers = 0;
    (void)op;
    (void)k;
    for (int d = 0; d < p->dim; d++) numbers += (double)p->n[d];
    return numbers / (2 * M_SQRT2);
}

/* A bound of what any of its roundings does would grow as the root of a convolution's length, which
 * none was seen to do: they are taken as independent of each other (Higham and Mary 2019), and four
 * standard deviations of their sum for the worst entry. */
static inline double ndft_fft_worst(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    return 4 * ndft_fft_truncation(p, knobs);
}

/* Where two real lines are one complex line (convolve/real_pair.h), a line has what both round.
 * Sums of components' magnitudes are alike to a factor of 2, and at most sqrt(2) times those of
 * magnitudes: together they are at most 1 + 2 sqrt(2) times as large as either. */
static inline double ndft_paired_worst(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const ndft_transform *t = ndft_transform_of(p);
    const int64_t lines = ndft_transform_batch(t) * t->shape[2] * t->shape[3];
    return (t->domain != NDFT_C2C && lines > 1 ? 4 : 1) * ndft_fft_worst(p, op, knobs);
}

/* Of a claim, beside c and what else the variant promises. */
#define NDFT_ERRORS_OF(worst)                                                                      \
    .truncation = ndft_fft_truncation, .any = {                                                    \
                                           .c = 1,                                                 \
                                           .chain = ndft_no_chain,                                 \
                                           .truncation = (worst),                                  \
    }
#define NDFT_FFT_ERRORS NDFT_ERRORS_OF(ndft_fft_worst)
#define NDFT_PAIRED_ERRORS NDFT_ERRORS_OF(ndft_paired_worst)

#endif
