/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_MIXED_FFT_CUH
#define NDFT_FFT_MIXED_FFT_CUH

#include "block_fft.cuh"

/*
 * Transforms of lines inside a block where lines are few, so that latencies and instructions to
 * fetch count, not what memory moves: Stockham's passes of radices 2 to 6, 8, 10, 12 and 16, a sum
 * a thread and pass, through two buffers of shared memory with a barrier a pass. The length, a
 * product of 2, 3 and 5, is known to the compiler. Turns do not depend on data and are fetched
 * before it is there.
 */

struct ndft_mixed_passes {
    int count, least, radix[8]; /* least: the smallest radix, whose pass has most sums */
};

/* Eights, of what is left fours, and a lone two with a three. */
__host__ __device__ constexpr ndft_mixed_passes ndft_mixed_passes_of_short(int n)
{
    ndft_mixed_passes passes = {0, 8, {}};
    int twos = 0;
    for (; n % 2 == 0; n /= 2) twos++;
    while (twos > 0 || n > 1) {
        int radix = 5;
        if (twos % 3 && n % 3 == 0)
            radix = 6;
        else if (twos)
            radix = twos % 3 == 0 ? 8 : twos == 1 ? 2 : 4;
        else if (n % 3 == 0)
            radix = 3;
        twos -= radix == 8 ? 3 : radix == 4 ? 2 : radix % 2 == 0 ? 1 : 0;
        n /= radix % 3 == 0 ? 3 : radix == 5 ? 5 : 1;
        passes.radix[passes.count++] = radix;
        if (radix < passes.least) passes.least = radix;
    }
    return passes;
}

/* Of long lines three, the largest last, as equal as they can be; none where there are no three. */
__host__ __device__ constexpr ndft_mixed_passes ndft_mixed_passes_of_long(int n)
{
    constexpr int radices[] = {6, 8, 10, 12, 16};
    ndft_mixed_passes best = {};
    for (int first : radices)
        for (int middle : radices)
            for (int last : radices)
                if (first <= middle && middle <= last && first * middle * last == n &&
                    first >= best.least)
                    best = {3, first, {first, middle, last}};
    return best;
}

__host__ __device__ constexpr ndft_mixed_passes ndft_mixed_passes_of(int n)
{
    const ndft_mixed_passes of_long = ndft_mixed_passes_of_long(n);
    return n > 512 && of_long.count ? of_long : ndft_mixed_passes_of_short(n);
}

/* Of a line of N cells. Before, a thread has FIRST cells, t + q N/FIRST, and after LAST of them, of
 * its THREADS those that are below N/FIRST or N/LAST. */
template <int N> struct mixed_line {
    static constexpr ndft_mixed_passes passes = ndft_mixed_passes_of(N);
    static constexpr int PASSES = passes.count, THREADS = N / passes.least;
    static constexpr int FIRST = passes.radix[0], LAST = passes.radix[PASSES - 1];

    /* Cells of the lines that pass p makes longer. */
    __host__ __device__ static constexpr int done(int p)
    {
        int cells = 1;
        for (int i = 0; i < p; i++) cells *= passes.radix[i];
        return cells;
    }

    /* Steps of 8 cells fall into different banks. */
    __host__ __device__ static constexpr int place(int cell) { return cell + cell / 8; }
    static constexpr int ROOM = place(N) + 1, BUFFERS = PASSES > 2 ? 2 : 1;
};

namespace
{

/* The turns of a thread's sums, pass by pass, from those of a line that is APART times as long. */
template <int N, class R> struct mixed_turns {
    turn_pair<R> pass[mixed_line<N>::PASSES];
};

template <int SIGN, int N, int APART = 1, int PASS = 1, class R>
__device__ __forceinline__ void fetch_turns(const ndft_complex<R> *turns, int t,
                                            mixed_turns<N, R> &fetched)
{
    using Line = mixed_line<N>;
    if constexpr (PASS < Line::PASSES) {
        constexpr int RADIX = Line::passes.radix[PASS], DONE = Line::done(PASS);
        const int at = t % DONE * (N / (DONE * RADIX)) * APART;
        turn_pair<R> turn = {turns[at], {}};
        if constexpr (RADIX > 4) turn.four = turns[4 * at];
        if (SIGN > 0) {
            turn.one.im = -turn.one.im;
            turn.four.im = -turn.four.im;
        }
        fetched.pass[PASS] = turn;
        fetch_turns<SIGN, N, APART, PASS + 1>(turns, t, fetched);
    }
}

/* v[q] times turn^q */
template <int RADIX, class R>
__device__ __forceinline__ void rotate_few(const turn_pair<R> &turn, ndft_complex<R> (&v)[RADIX])
{
    ndft_complex<R> all[(RADIX + 3) / 4 * 4] = {};
#pragma unroll
    for (int q = 0; q < RADIX; q++) all[q] = v[q];
    rotate_by_powers<false>(turn.one, turn, all);
#pragma unroll
    for (int q = 0; q < RADIX; q++) v[q] = all[q];
}

/* The pass and those after it, from a buffer, or from v, to the other. */
template <int SIGN, int N, int STEP, int PASS, int CELLS, class R>
__device__ __forceinline__ void
mixed_passes(int t, const mixed_turns<N, R> &turns, ndft_complex<R> *from, ndft_complex<R> *to,
             ndft_complex<R> (&v)[CELLS], ndft_complex<R> (&out)[mixed_line<N>::LAST])
{
    using Line = mixed_line<N>;
    constexpr int RADIX = Line::passes.radix[PASS], DONE = Line::done(PASS), APART = N / RADIX;
    const bool sums = APART == Line::THREADS || t < APART;
    if constexpr (PASS > 0) {
        __syncthreads();
        if (sums) {
#pragma unroll
            for (int q = 0; q < RADIX; q++) v[q] = from[Line::place(t + q * APART) * STEP];
            rotate_few(turns.pass[PASS], v);
        }
    }
    if constexpr (RADIX == 10) {
        if (sums) dft_of_factors<SIGN, 2, 5>(v);
    } else {
        if (sums) small_dft<SIGN>(v);
    }
    if constexpr (PASS + 1 == Line::PASSES) {
#pragma unroll
        for (int q = 0; q < RADIX; q++) out[q] = v[q];
    } else {
        const int within = t % DONE, first = (t - within) * RADIX + within;
        if (sums) {
#pragma unroll
            for (int q = 0; q < RADIX; q++) to[Line::place(first + q * DONE) * STEP] = v[q];
        }
        ndft_complex<R> next[Line::passes.radix[PASS + 1]];
        mixed_passes<SIGN, N, STEP, PASS + 1>(t, turns, to, from, next, out);
    }
}

/* exp(SIGN 2 pi i ...), with no factor, by all threads of a block, each in a line: cell i of its
 * buffers is at [place(i) * STEP], of the second `beside` after the first. */
template <int SIGN, int N, int STEP, class R>
__device__ __forceinline__ void
mixed_fft(int t, const mixed_turns<N, R> &turns, ndft_complex<R> *shared, int beside,
          ndft_complex<R> (&v)[mixed_line<N>::FIRST], ndft_complex<R> (&out)[mixed_line<N>::LAST])
{
    mixed_passes<SIGN, N, STEP, 0>(t, turns, shared + beside, shared, v, out);
}

} // namespace

#endif
