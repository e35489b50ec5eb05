/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUM_COST_H
#define NDFT_SUM_COST_H

#include "sum.h"

#include "base/variant.h"

/* What the vectorised CPU loops execute, a lane at a time; a phasor serves all coils. */

/* exp(-R t) of so many pairs, by its polynomial and the product with a phasor. */
static inline void ndft_cost_decay(ndft_cost *cost, const ndft_problem *p, double pairs)
{
    if (!p->decay) return;
    cost->fma += pairs * (p->prec == NDFT_F32 ? 13 : 18);
    cost->add += 3 * pairs;
    cost->integer += 2 * pairs;
}

/* Phases of higher order, whose products are reduced one by one, and their sums by fours. */
static inline void ndft_cost_higher(ndft_cost *cost, const ndft_problem *p, double pairs)
{
    const double terms = p->higher.terms;
    cost->fma += 3 * pairs * terms;
    cost->add += pairs * (terms > 0 ? terms + floor(terms / 4) * 3 + 1 : 0);
}

/* Sums, sincs, decay and phases of higher order; other phases and sines are the variant's own. */
static inline ndft_cost ndft_sum_cost(const ndft_problem *p, ndft_op op)
{
    const double pairs = ndft_coil_pairs(p, op), phasors = pairs / p->coils;
    const double sincs = ndft_has_gradients(p) ? p->dim : 0;
    const bool poly = ndft_dephasing_of(p) == NDFT_SINC_POLY && p->prec == NDFT_F32;
    ndft_cost cost = {.launches = 1};
    cost.fma = 4 * pairs + phasors * sincs * (poly ? 11 : p->prec == NDFT_F32 ? 15 : 23);
    cost.add = pairs / 2 + phasors * sincs * (poly ? 1 : 4);
    ndft_cost_decay(&cost, p, phasors);
    ndft_cost_higher(&cost, p, phasors);
    cost.special = poly ? 0 : phasors * sincs; /* a division */
    cost.dram_bytes = ndft_both_bytes(p);
    return cost;
}

static inline double ndft_cost_axes(const ndft_problem *p) { return p->dim + (p->dw ? 1 : 0); }

/* Phases whose products are reduced one by one. */
static inline void ndft_cost_reduced(ndft_cost *cost, const ndft_problem *p, ndft_op op)
{
    const double phasors = ndft_coil_pairs(p, op) / p->coils;
    cost->fma += 3 * phasors * ndft_cost_axes(p);
    cost->add += 2 * phasors * ndft_cost_axes(p);
}

/* Phases of offsets, and centres: one for `per_centre` pairs, in double. */
static inline void ndft_cost_centred(ndft_cost *cost, const ndft_problem *p, ndft_op op,
                                     int per_centre)
{
    const double pairs = ndft_coil_pairs(p, op), phasors = pairs / p->coils;
    cost->fma += phasors * ndft_cost_axes(p);
    cost->fma += (phasors * (6 * ndft_cost_axes(p) + 10) + 4 * pairs) / per_centre;
}

/* Sine and cosine by polynomials. */
static inline void ndft_cost_sincos(ndft_cost *cost, const ndft_problem *p, ndft_op op)
{
    const double phasors = ndft_coil_pairs(p, op) / p->coils;
    cost->fma += phasors * (p->prec == NDFT_F32 ? 10 : 19);
    cost->add += 3 * phasors;
    cost->integer += 3 * phasors;
}

/* Issue slots: every operation, those of libm and divisions about 30 each. */
static inline ndft_cost ndft_cost_total(ndft_cost cost)
{
    cost.issue_slots = cost.fma + cost.add + cost.integer + 30 * cost.special;
    return cost;
}

#endif
