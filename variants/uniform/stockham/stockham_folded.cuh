/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_FOLDED_CUH
#define NDFT_STOCKHAM_FOLDED_CUH

#include "stockham_pass.cuh"

/*
 * Lines of an odd number of reals (FOLDED). Of the first pass's sums over reals number r - q is the
 * conjugate of number q, and so are all cells that later passes make of it: (r + 1)/2 of r are
 * kept, cell c of which becomes number c / ((r + 1)/2) r + c % ((r + 1)/2) of the spectrum. To
 * reals likewise, with the last pass.
 */

namespace
{

template <class Line> struct folded_line {
    static constexpr int RADIX = Line::radix[Line::FOLDED], HALF = (RADIX + 1) / 2;
    static constexpr int FULL = Line::N / HALF * RADIX, MIDDLE = FULL / 2;

    /* The spectrum's number of cell c + i step. */
    __device__ static __forceinline__ int number(int c, int i, int step)
    {
        if (step % HALF == 0) return c / HALF * RADIX + c % HALF + i * (step / HALF * RADIX);
        c += i * step;
        return c / HALF * RADIX + c % HALF;
    }
    /* A cell of a half spectrum, in its row. */
    template <class R>
    __device__ static __forceinline__ ndft_complex<R> cell(const ndft_complex<R> *row, int number)
    {
        const ndft_complex<R> z = row[number > MIDDLE ? FULL - number : number];
        return {z.re, number == 0 ? 0 : number > MIDDLE ? -z.im : z.im};
    }
    /* A number of the half spectrum, or the one that it is the conjugate of. */
    template <class R>
    __device__ static __forceinline__ void put(ndft_complex<R> *row, int number, ndft_complex<R> z)
    {
        if (number <= MIDDLE)
            row[number] = z;
        else if (number % RADIX)
            row[FULL - number] = {z.re, -z.im};
    }
};

/* The other sums' cells, of which those of the last pass to reals are made. */
template <class R, int RADIX> __device__ __forceinline__ void unfold(ndft_complex<R> (&v)[RADIX])
{
#pragma unroll
    for (int q = (RADIX + 1) / 2; q < RADIX; q++) v[q] = {v[RADIX - q].re, -v[RADIX - q].im};
}

} // namespace

#endif
