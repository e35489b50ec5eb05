/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHASOR_ROWS_H
#define NDFT_PHASOR_ROWS_H

#include "phases.h"

/*
 * Phasors exp(i pi h) of phases h, in half turns, that are sums of products of exact numbers and
 * scaled ones, the latter with what rounding took from them. Each product loses its whole turns
 * before the sum, so phases may be long.
 */

/* The scaled numbers of one point, one per coordinate of the phase. */
typedef struct ndft_scaled {
    ndft_real high[4], rest[4];
} ndft_scaled;

/* Phasors of one point with `count` exact points, axes known to the compiler. */
static inline __attribute__((always_inline)) void
ndft_phasors_of(const ndft_real *const at[4], int64_t first, int count, const ndft_scaled *point,
                ndft_real *restrict c, ndft_real *restrict s, const int axes)
{
    const ndft_real *restrict a[4];
    for (int p = 0; p < axes; p++) a[p] = at[p] + first;
    const ndft_scaled b = *point;
#pragma omp simd
    for (int l = 0; l < count; l++) {
        ndft_real h = ndft_add_fraction(0, a[0][l], b.high[0], b.rest[0]);
        for (int p = 1; p < axes; p++) h = ndft_add_fraction(h, a[p][l], b.high[p], b.rest[p]);
        ndft_real sine, cosine;
        ndft_sincospi(h, &sine, &cosine);
        c[l] = cosine;
        s[l] = sine;
    }
}

/* Phasors of one point with the `count` exact points from at[axis] + first on. */
static inline void ndft_phasors(int axes, const ndft_real *const at[4], int64_t first, int count,
                                const ndft_scaled *point, ndft_real *c, ndft_real *s)
{
    NDFT_BY_AXES(axes, ndft_phasors_of, at, first, count, point, c, s)
}

/* Phasors of one exact number with `count` scaled ones. */
static inline void ndft_phasors_scaled(ndft_real exact, const ndft_real *restrict high,
                                       const ndft_real *restrict rest, int count,
                                       ndft_real *restrict c, ndft_real *restrict s)
{
#pragma omp simd
    for (int l = 0; l < count; l++) {
        ndft_real sine, cosine;
        ndft_sincospi(ndft_add_fraction(0, exact, high[l], rest[l]), &sine, &cosine);
        c[l] = cosine;
        s[l] = sine;
    }
}

#endif
