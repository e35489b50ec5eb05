/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CENTRE_H
#define NDFT_CENTRE_H

#include "base/problem.h"

#include <math.h>

/*
 * The phase at a tile's centre, reduced exactly: each product of an exact coordinate with the
 * centre's (a double and its remainder) loses its whole turns by an FMA before the sum.
 */
typedef struct ndft_centre {
    /* turns per unit of the other side's coordinate: x/N or k/N, dw or t/2pi */
    double hi[4], lo[4];
} ndft_centre;

/* The same in turns, and what rounding takes from them. */
static inline double ndft_turns_of(double radians, double *rest)
{
    const double inv_hi = 0.15915494309189535, inv_lo = -9.839337591259562e-18; /* 1/(2 pi) */
    const double turns = radians * inv_hi;
    *rest = fma(radians, inv_hi, -turns) + radians * inv_lo;
    return turns;
}

/* at: a centre as ndft_tiles has it; sign: -1 for the forward operator's phase. */
static inline ndft_centre ndft_centre_of(const ndft_problem *p, const double at[4], double sign)
{
    ndft_centre centre;
    for (int d = 0; d < 3; d++) {
        const double n = (double)p->n[d];
        centre.hi[d] = sign * at[d] / n;
        centre.lo[d] = fma(-centre.hi[d], n, sign * at[d]) / n;
    }
    centre.hi[3] = ndft_turns_of(sign * at[3], &centre.lo[3]);
    return centre;
}

#endif
