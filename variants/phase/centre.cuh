/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CENTRE_CUH
#define NDFT_CENTRE_CUH

#include "centre.h"
#include "core/complex.cuh"
#include "core/tiles.h"

/* a (hi + lo) without its whole turns: see centre.h */
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
