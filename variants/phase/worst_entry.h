/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORST_ENTRY_H
#define NDFT_WORST_ENTRY_H

#include "base/variant.h"

#include <math.h>

/*
 * What one entry of the direct sums errs by at most, in eps: the parts of ndft_claim_any's c and a.
 * A phase has up to four products, three of space and one of the field; an operation rounds by eps
 * of its result (Higham, Accuracy and Stability of Numerical Algorithms, 2002), sines and cosines
 * err alike, hence the roots of two.
 */
enum {
    /* Each product less its whole cycles is at most half a cycle, and their sums one, 1.5 and 2: 2
     * pi (4/2 + 1 + 1.5 + 2) */
    NDFT_ANY_REDUCED = 41,
    /* A centre's phase, exact in double, of up to two cycles, rounded once: 4 pi; its phasor; and
     * the product by which it turns a sum */
    NDFT_ANY_CENTRE = 13 + 5 + 3,
    /* A phasor by polynomials of 1.75e-7 (sincos_poly.h), by libm within two units, by the
     * hardware's sine within 2^-20.9 */
    NDFT_ANY_POLYNOMIAL = 5,
    NDFT_ANY_LIBM = 3,
    NDFT_ANY_HARDWARE = 13,
    /* Angles of up to two cycles for the hardware, rounded and cut: 2 * 4 pi */
    NDFT_ANY_ANGLE = 26,
    /* A product of complex numbers, twice */
    NDFT_ANY_PRODUCT = 6,
    /* The sincs of three axes: an argument of a few roundings times the largest slope, 1.4; the
     * polynomial within 4e-7, or a sine and a division; their products */
    NDFT_ANY_SINC = 30,
    /* Both operands of a tensor core's product in two parts of f16, without the product of the
     * lower ones: 3 * 2^-22, in both components */
    NDFT_ANY_SPLIT = 17,
    /* The same after Gauss with the high parts of c and s on a grid of 2^-9: low ones reach 2^-10,
     * and 2^-9 in c + s, so that what is left out and their own rounding come to 2^-17.75; forms
     * with sincs have no grid, and need less with SPLIT and SINC */
    NDFT_ANY_GRID = 76,

    /* Per radian, where a phase is not reduced: coordinates of two roundings, products and sums of
     * four */
    NDFT_ANY_RADIAN = 6,
    /* Offsets from a tile's centre are rounded once; the hardware's angles again */
    NDFT_ANY_OFFSET = 5,
    NDFT_ANY_OFFSET_HARDWARE = 8,
};

/* A phase of higher order that is summed in radians, unreduced: each of its sums rounds by eps of
 * what it has come to, one way where phases are alike. */
static inline double ndft_higher_rounding(const ndft_problem *p, const int *knobs)
{
    (void)knobs;
    return ndft_roundoff(p->prec) * sqrt(p->higher.terms + 1) * p->higher.most;
}

static inline double ndft_higher_worst(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    return ndft_roundoff(p->prec) * p->higher.terms * p->higher.most;
}

/* The longest chain of a sum whose every `cut` terms are summed apart and then joined. */
static inline double ndft_cut_chain(const ndft_problem *p, ndft_op op, double cut)
{
    const double terms = (double)ndft_input_length(p, op);
    return fmin(terms, cut) + ceil(terms / cut);
}

/* The same of variants whose first knob is the tile that they sum apart. */
static inline double ndft_tile_chain(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cut_chain(p, op, k[0]);
}

#endif
