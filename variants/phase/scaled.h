/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SCALED_H
#define NDFT_SCALED_H

#include "base/problem.h"

/*
 * Arrays of ndft_scaled (phasor_rows.h) as plans write them: a point's scaled coordinates in half
 * turns, rounded to the problem's precision, and what rounding took from each.
 */

enum { NDFT_SCALED_REALS = 8 };

/* Coordinate `axis` of point i is hi + lo turns per unit. */
static inline void ndft_put_scaled(const ndft_problem *p, void *scaled, int64_t i, int axis,
                                   double hi, double lo)
{
    const int64_t at = NDFT_SCALED_REALS * i + axis;
    ndft_put_real(scaled, p->prec, at, 2 * hi);
    ndft_put_real(scaled, p->prec, at + 4, 2 * hi - ndft_real_at(scaled, p->prec, at) + 2 * lo);
}

#endif
