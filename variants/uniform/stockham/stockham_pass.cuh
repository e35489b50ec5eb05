/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_PASS_CUH
#define NDFT_STOCKHAM_PASS_CUH

#include "stockham_copy.cuh"

/* A pass's numbers, and its turns. */

namespace
{

/* Pass P of a line: what it makes longer has `done` cells, a line has `apart` sums. */
template <class Line, int P> struct stockham_pass {
    /* Of a sum, or (FOLDED) those that are kept of it. */
    __device__ static constexpr int cells_of(int pass)
    {
        return pass == Line::FOLDED ? (Line::radix[pass] + 1) / 2 : Line::radix[pass];
    }
    __device__ static constexpr int done()
    {
        int cells = 1;
        for (int i = 0; i < P; i++) cells *= cells_of(i);
        return cells;
    }
    static constexpr int RADIX = Line::radix[P], WIDE = Line::WIDE, CELLS = cells_of(P);
    static constexpr int IN = Line::TO_REALS ? CELLS : RADIX;
    static constexpr int OUT = Line::TO_REALS ? RADIX : CELLS;
    static constexpr int DONE = done() * WIDE, APART = Line::N / CELLS * WIDE;
    static constexpr int SUMS = Line::PER * (Line::N / CELLS);
    static constexpr int EACH = (SUMS + Line::THREADS - 1) / Line::THREADS;
    static constexpr bool FIRST = P == 0, LAST = P + 1 == Line::PASSES;
    static constexpr bool GROUPS = Line::PER > WIDE;
    /* Whole warps rest in the last turn; of fewer threads that have no sum each does as the last
     * one does, which takes no branch. A line that is alone in a thread may have been overwritten
     * by then. */
    static constexpr int SPARE = EACH * Line::THREADS - SUMS;
    static constexpr bool ALIKE = WIDE == 1 && SPARE > 0 && SPARE < 32 &&
                                  (Line::PASSES > 1 || Line::LOADS || Line::STORES);

    /* The k-th sum of a thread, of so many lines. */
    __device__ static __forceinline__ int sum(int k, int lines)
    {
        const int i = thread_of<Line>() + k * Line::THREADS;
        const int last = (Line::PER > 1 ? lines * APART : SUMS) - 1;
        return ALIKE && i > last ? last : i;
    }
    __device__ static __forceinline__ bool rests(int k, int i)
    {
        return !ALIKE && k + 1 == EACH && SPARE > 0 && i >= SUMS;
    }
};

/* Sum i of a block. */
template <class Pass> struct stockham_sum {
    int line, cell; /* in global memory */
    int row, block, j, turn;

    __device__ __forceinline__ explicit stockham_sum(unsigned i)
    {
        const unsigned t = i % Pass::APART;
        row = i / Pass::APART;
        block = t / Pass::DONE;
        j = t % Pass::DONE;
        turn = j / Pass::WIDE;
        line = Pass::WIDE > 1 ? (Pass::GROUPS ? row * Pass::WIDE : 0) + t % Pass::WIDE : row;
        cell = t / Pass::WIDE;
    }
};

/* v[q] times one^q, by its fourth power. */
template <int RADIX, class R>
__device__ __forceinline__ void turn_by_powers(ndft_complex<R> one, ndft_complex<R> four,
                                               ndft_complex<R> (&v)[RADIX])
{
    const ndft_complex<R> two = one * one;
    const ndft_complex<R> three = two * one;
    ndft_complex<R> base = four;
    if (RADIX > 1) v[1 % RADIX] = v[1 % RADIX] * one;
    if (RADIX > 2) v[2 % RADIX] = v[2 % RADIX] * two;
    if (RADIX > 3) v[3 % RADIX] = v[3 % RADIX] * three;
#pragma unroll
    for (int i = 4; i < RADIX; i += 4) {
        v[i] = v[i] * base;
        if (i + 1 < RADIX) v[i + 1] = v[i + 1] * (base * one);
        if (i + 2 < RADIX) v[i + 2] = v[i + 2] * (base * two);
        if (i + 3 < RADIX) v[i + 3] = v[i + 3] * (base * three);
        base = base * four;
    }
}

/* v[q] times turn^q: from the table, or of its first and fourth power there. */
template <class Line, int P, int RADIX, class R>
__device__ __forceinline__ void turn_cells(const ndft_complex<R> *turns, int j,
                                           ndft_complex<R> (&v)[RADIX])
{
    constexpr int DONE = stockham_pass<Line, P>::DONE / Line::WIDE;
    constexpr int BEGIN = Line::turns[P];
    turns += BEGIN + j;
    if constexpr (Line::WHOLE_TABLE || RADIX < 5) {
#pragma unroll
        for (int q = 1; q < RADIX; q++) v[q] = v[q] * turn_at<Line>(turns, (q - 1) * DONE);
    } else {
        const ndft_complex<R> one = turn_at<Line>(turns, 0), four = turn_at<Line>(turns, 3 * DONE);
        turn_by_powers(one, four, v);
    }
}

/* Turn m of WHOLE. */
template <class Line, class R>
__device__ __forceinline__ ndft_complex<R> twist_at(const ndft_complex<R> *twists, int m)
{
    return turn_at<Line>(twists, m % Line::LOW) * turn_at<Line>(twists, Line::LOW + m / Line::LOW);
}

/* Number k of line n of several that are parts of a longer one, times turn n k of that. */
template <class Line, int P, int RADIX, class R>
__device__ __forceinline__ void twist_cells(const ndft_complex<R> *turns, unsigned line, int k,
                                            ndft_complex<R> (&v)[RADIX])
{
    constexpr int DONE = stockham_pass<Line, P>::DONE / Line::WIDE;
    const ndft_complex<R> *twists = turns + Line::TWISTS;
    const int n = (int)(line % Line::in::shape[0]);
    const ndft_complex<R> first = twist_at<Line>(twists, n * k);
#pragma unroll
    for (int q = 0; q < RADIX; q++) v[q] = v[q] * first;
    turn_by_powers(twist_at<Line>(twists, n * DONE),
                   twist_at<Line>(twists, RADIX > 4 ? 4 * n * DONE : 0), v);
}

} // namespace

#endif
