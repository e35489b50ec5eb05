/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_PRIME_CUH
#define NDFT_STOCKHAM_PRIME_CUH

#include "fft/odd_dft.cuh"

/* Transforms in a thread's registers of any radix, primes from 17 to 31 among them. */

namespace
{

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void line_dft(ndft_complex<R> (&v)[CELLS])
{
    if constexpr (CELLS == 17 || CELLS == 19 || CELLS == 23 || CELLS == 29 || CELLS == 31) {
        constexpr roots_of_unity<CELLS> root;
        R c[CELLS / 2], s[CELLS / 2];
#pragma unroll
        for (int k = 0; k < CELLS / 2; k++) c[k] = (R)root.c[k + 1], s[k] = (R)root.s[k + 1];
        dft_about_middle<SIGN>(v, c, s);
    } else {
        odd_dft<SIGN>(v);
    }
}

} // namespace

#endif
