/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEPHASING_H
#define NDFT_DEPHASING_H

#include "core/inline.h"

#include "base/variant.h"

/*
 * sinc(u) = sin(pi u)/(pi u) as a polynomial in w = u^2, in float: no branch at 0, no division. Its
 * zero at w = 1 is taken out, which keeps the other factor positive and rounding small. Minimax
 * coefficients for |u| <= 1.5: 7.7e-9 in exact arithmetic, at most 1.3e-7 as evaluated here
 * (tests/unit_sinc_poly.c goes over the whole range). Beyond it a variant uses sine and division.
 */

#define NDFT_SINC_POLY_RANGE 1.5

NDFT_INLINE float ndft_sinc_poly(float w)
{
    float q = 5.00892293e-6f;
    q = q * w - 0.000136567134f;
    q = q * w + 0.00219675736f;
    q = q * w - 0.0239378195f;
    q = q * w + 0.166806519f;
    q = q * w - 0.644933879f;
    q = q * w + 1.0f;
    return q - w * q;
}

/* The same by fewer terms, for |u| <= 1.125: 2.5e-7 in exact arithmetic, 4e-7 as evaluated. */
#define NDFT_SINC_SHORT_RANGE 1.125

NDFT_INLINE float ndft_sinc_short(float w)
{
    float q = -0.00184247154f;
    q = q * w + 0.0254591517f;
    q = q * w - 0.190309614f;
    q = q * w + 0.811613202f;
    q = q * w - 1.64492023f;
    return q * w + 0.999999762f;
}

/* Largest |u| = |k_d/N_d + G_d t| of a problem, over all pairs and axes. */
static inline double ndft_sinc_range(const ndft_problem *p)
{
    double most = 0;
    for (int d = 0; d < p->dim; d++) {
        double u = p->k_max[d] / (double)p->n[d] + p->g_max[d] * p->t_max;
        if (u > most) most = u;
    }
    return most;
}

/* How a variant evaluates the sinc of its gradient maps: chosen in plan by the largest argument. */
typedef enum ndft_dephasing {
    NDFT_NO_SINC,
    NDFT_SINC_SHORT, /* a shorter polynomial: ndft_shortest_dephasing_of */
    NDFT_SINC_POLY,
    NDFT_SINC_EXACT,
    NDFT_DECAY /* no sinc, but exp(-R t): of kernels that have a template of it */
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
