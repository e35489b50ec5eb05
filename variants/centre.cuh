/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CENTRE_CUH
#define NDFT_CENTRE_CUH

#include "complex.cuh"
#include "tiles.h"

/*
 * The phase at a tile's centre, reduced exactly: each product of an exact coordinate with the
 * centre's (a double and its remainder) loses its whole turns by an FMA before the sum.
 */

struct ndft_centre {
    double hi[4],
        lo[4]; /* turns per unit of the other side's coordinate: x/N or k/N, dw or t/2pi */
};

/* sign: -1 for the forward operator's phase. */
inline ndft_centre ndft_centre_of(const ndft_problem *p, const double at[4], double sign)
{
    const double inv_hi = 0.15915494309189535, inv_lo = -9.839337591259562e-18; /* 1/(2 pi) */
    ndft_centre centre;
    for (int d = 0; d < 3; d++) {
        const double n = (double)p->n[d];
        centre.hi[d] = sign * at[d] / n;
        centre.lo[d] = fma(-centre.hi[d], n, sign * at[d]) / n;
    }
    centre.hi[3] = sign * at[3] * inv_hi;
    centre.lo[3] = fma(sign * at[3], inv_hi, -centre.hi[3]) + sign * at[3] * inv_lo;
    return centre;
}

__device__ __forceinline__ double ndft_turn_fraction(double a, double hi, double lo)
{
    const double magic = 0x1.8p52; /* adding it rounds to an integer */
    const double whole = __dadd_rn(__dadd_rn(a * hi, magic), -magic);
    return fma(a, lo, fma(a, hi, -whole));
}

/* exp(i 2 pi a.centre); a: DIM space coordinates, then the field's. */
template <class R, int DIM>
__device__ __forceinline__ ndft_complex<R> ndft_centre_phasor(const R a[DIM + 1],
                                                              const ndft_centre &centre)
{
    double turns = ndft_turn_fraction((double)a[DIM], centre.hi[3], centre.lo[3]);
#pragma unroll
    for (int d = 0; d < DIM; d++)
        turns += ndft_turn_fraction((double)a[d], centre.hi[d], centre.lo[d]);
    ndft_complex<R> phasor;
    sincospi((R)(2 * turns), &phasor.im, &phasor.re);
    return phasor;
}

#endif
