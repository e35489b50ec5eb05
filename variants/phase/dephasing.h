/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEPHASING_H
#define NDFT_DEPHASING_H

#include "sinc_poly.h"

#include <ndft/variant.h>

/* How a variant evaluates the sinc of its gradient maps: chosen in plan by the largest argument. */
typedef enum ndft_dephasing {
    NDFT_NO_SINC,
    NDFT_SINC_SHORT, /* a shorter polynomial: ndft_shortest_dephasing_of */
    NDFT_SINC_POLY,
    NDFT_SINC_EXACT
} ndft_dephasing;

static inline ndft_dephasing ndft_dephasing_of(const ndft_problem *p)
{
    if (!ndft_has_gradients(p)) return NDFT_NO_SINC;
    return ndft_sinc_range(p) <= NDFT_SINC_POLY_RANGE ? NDFT_SINC_POLY : NDFT_SINC_EXACT;
}

/* For variants that have the shorter polynomial, too. */
static inline ndft_dephasing ndft_shortest_dephasing_of(const ndft_problem *p)
{
    const bool is_short = ndft_has_gradients(p) && ndft_sinc_range(p) <= NDFT_SINC_SHORT_RANGE;
    return is_short ? NDFT_SINC_SHORT : ndft_dephasing_of(p);
}

/* What sin(pi u)/(pi u) costs more than the polynomial, in f32 by the machine code: a reciprocal,
 * the sine's reduction and both of its branches. sincs: how many. */
static inline void ndft_exact_sinc_cost(double sincs, ndft_cost *cost)
{
    cost->fma += 9.5 * sincs;
    cost->special += sincs;
    cost->issue_slots += 36 * sincs;
}

#endif
