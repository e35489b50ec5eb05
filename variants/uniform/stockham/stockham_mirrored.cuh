/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_MIRRORED_CUH
#define NDFT_STOCKHAM_MIRRORED_CUH

#include "stockham_pass.cuh"
#include "stockham_whole.cuh"

/*
 * Half spectra of 2 N reals in the pass beside them (MIRRORED), without shared memory: their
 * numbers k and N - k make cells k and N - k or are made of them, and where sum j of a pass has
 * cells k = j + q SUMS, sum SUMS - j has cells N - k. So a thread has both of these sums. Sum 0 is
 * its own image; its thread has sum SUMS / 2, too, which is another, where there is one.
 */

namespace
{

/* A thread's two sums and the pairs of numbers between them. */
template <class Line, int P> struct mirrored_sums {
    static constexpr int RADIX = Line::radix[P], SUMS = Line::N / RADIX, UNITS = (SUMS + 1) / 2;
    static constexpr int EACH = (Line::PER * UNITS + Line::THREADS - 1) / Line::THREADS;
    static constexpr bool MIDDLE = SUMS % 2 == 0;
    static constexpr int PAIRS = RADIX + MIDDLE; /* of which all but sum 0's thread have RADIX */
    static constexpr int OF_ZERO =
        RADIX / 2 + 1; /* of which so many are sum 0's, then the other's */
    int row, sum[2];
    bool zero, there;

    __device__ __forceinline__ mirrored_sums(int k, int lines)
    {
        const int i = thread_of<Line>() + k * Line::THREADS;
        row = i / UNITS;
        sum[0] = i % UNITS;
        zero = sum[0] == 0;
        sum[1] = zero ? (MIDDLE ? SUMS / 2 : 0) : SUMS - sum[0];
        there = row < lines;
    }
    /* Whether pair i is of sum 0's thread but of its other sum. */
    __device__ __forceinline__ bool of_middle(int i) const
    {
        return i == RADIX || (MIDDLE && zero && i >= OF_ZERO);
    }
    /* The smaller number of pair i, or for some the larger one. */
    __device__ __forceinline__ int number(int i) const
    {
        return of_middle(i) ? SUMS / 2 + (i - OF_ZERO) * SUMS : sum[0] + i * SUMS;
    }
    /* The cells of pair i. */
    template <class R>
    __device__ __forceinline__ void get(const ndft_complex<R> (&v)[2][RADIX], int i,
                                        ndft_complex<R> (&pair)[2]) const
    {
        const int m = i >= OF_ZERO ? i - OF_ZERO : 0, q = i < RADIX ? i : 0;
        pair[0] = of_middle(i) ? v[1][m] : v[0][q];
        pair[1] = of_middle(i) ? v[1][RADIX - 1 - m]
                  : zero       ? v[0][(RADIX - q) % RADIX]
                               : v[1][RADIX - 1 - q];
    }
    template <class R>
    __device__ __forceinline__ void put(const ndft_complex<R> (&pair)[PAIRS][2],
                                        ndft_complex<R> (&v)[2][RADIX]) const
    {
#pragma unroll
        for (int q = 0; q < RADIX; q++) {
            const int image = RADIX - 1 - q;
            v[0][q] = MIDDLE && zero && q >= OF_ZERO ? pair[RADIX - q][1] : pair[q][0];
            v[1][q] = pair[image][1];
            if (MIDDLE && zero)
                v[1][q] = q <= image ? pair[OF_ZERO + q][0] : pair[OF_ZERO + image][1];
        }
    }
};

/* The last pass from reals: half spectra are stored, or (STORES) they are put where they will be
 * copied from. */
template <class Line, int P, class R>
__device__ __forceinline__ void store_mirrored(ndft_complex<R> *cells, unsigned first, int lines,
                                               const ndft_complex<R> *turns, void *out)
{
    using Sums = mirrored_sums<Line, P>;
    constexpr int RADIX = Sums::RADIX, BLOCK = Line::block[P], ROW = Line::row[P];
    ndft_complex<R> v[Sums::EACH][2][RADIX];
#pragma unroll
    for (int k = 0; k < Sums::EACH; k++) {
        const Sums sums(k, lines);
        if (!sums.there) continue;
#pragma unroll
        for (int s = 0; s < 2; s++) {
            const ndft_complex<R> *x = cells + sums.row * ROW + sums.sum[s];
#pragma unroll
            for (int q = 0; q < RADIX; q++) v[k][s][q] = x[q * BLOCK];
            turn_cells<Line, P>(turns, sums.sum[s], v[k][s]);
        }
    }
#pragma unroll
    for (int k = 0; k < Sums::EACH; k++) {
        line_dft<Line::SIGN>(v[k][0]);
        line_dft<Line::SIGN>(v[k][1]);
    }
    if constexpr (Line::STORES)
        wait_for_team<Line>(); /* all have read */
    else
        let_kernel_after_begin();
    const int begin = begin_in_sector<Line, R>(out, first);
#pragma unroll
    for (int k = 0; k < Sums::EACH; k++) {
        const Sums sums(k, lines);
        if (!sums.there) continue;
#pragma unroll
        for (int i = 0; i < Sums::PAIRS; i++) {
            if (i == RADIX && !sums.zero) continue;
            const int number = sums.number(i);
            const ndft_complex<R> turn = turn_at<Line>(turns + Line::ENDS, number);
            ndft_complex<R> pair[2], z[2];
            sums.get(v[k], i, pair);
            if constexpr (Line::STORES) {
                ndft_complex<R> *row = cells + begin + sums.row * Line::out::PITCH;
                spectrum_of_cells(pair, turn, z);
                row[Line::N - number] = z[1];
                row[number] = z[0];
            } else
                store_numbers<Line>(out, first + (unsigned)sums.row, number, pair, turn);
        }
    }
    if constexpr (Line::STORES) wait_for_team<Line>();
}

/* The first pass to reals: half spectra are loaded. */
template <class Line, int P, class R>
__device__ __forceinline__ void load_mirrored(const void *in, ndft_complex<R> *cells,
                                              unsigned first, int lines,
                                              const ndft_complex<R> *turns)
{
    using Sums = mirrored_sums<Line, P>;
    using Element = element_in_memory<Line, R>;
    constexpr long long STRIDE = Line::in::STRIDE;
    constexpr int RADIX = Sums::RADIX, BLOCK = Line::block[P + 1], ROW = Line::row[P + 1];
    ndft_complex<R> z[Sums::EACH][Sums::PAIRS][2], v[Sums::EACH][2][RADIX];
#pragma unroll
    for (int k = 0; k < Sums::EACH; k++) {
        const Sums sums(k, lines);
        if (!sums.there) continue;
        const unsigned line = first + (unsigned)sums.row;
        const auto *x = (const ndft_complex<R> *)in + start_of<typename Line::in>(line);
#pragma unroll
        for (int i = 0; i < Sums::PAIRS; i++) {
            if (i == RADIX && !sums.zero) continue;
            const int number = sums.number(i), mirrored = Line::N - number;
            z[k][i][0] = Element::load(x + number * STRIDE, line, number);
            z[k][i][1] = Element::load(x + mirrored * STRIDE, line, mirrored);
        }
    }
#pragma unroll
    for (int k = 0; k < Sums::EACH; k++) {
        const Sums sums(k, lines);
        if (!sums.there) continue;
        if (sums.zero) z[k][0][0].im = z[k][0][1].im = 0;
#pragma unroll
        for (int i = 0; i < Sums::PAIRS; i++) {
            const ndft_complex<R> number[2] = {z[k][i][0], z[k][i][1]};
            if (i == RADIX && !sums.zero) continue;
            cells_of_spectrum(number, turn_at<Line>(turns + Line::ENDS, sums.number(i)), z[k][i]);
        }
        sums.put(z[k], v[k]);
        line_dft<Line::SIGN>(v[k][0]);
        line_dft<Line::SIGN>(v[k][1]);
#pragma unroll
        for (int s = 0; s < 2; s++) {
            if (s == 1 && !Sums::MIDDLE && sums.zero) continue;
            ndft_complex<R> *y = cells + sums.row * ROW + sums.sum[s] * BLOCK;
#pragma unroll
            for (int q = 0; q < RADIX; q++) y[q] = v[k][s][q];
        }
    }
    wait_for_team<Line>();
}

} // namespace

#endif
