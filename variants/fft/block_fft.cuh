/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_BLOCK_FFT_CUH
#define NDFT_FFT_BLOCK_FFT_CUH

#include "small_dft.cuh"

/*
 * Transforms of lines inside a block, by Stockham's passes (Govindaraju et al., SC 2008) of as
 * large a radix as a thread has cells in registers, CELLS = 8, 12, 16 or 20: the fewer passes, the
 * fewer cells go through shared memory, which is what many long lines wait for; a lone signal waits
 * for threads, and has more of them with 8. What is left of the length, a power of two, comes
 * first: radix 2, 4 or 8, and then 4. Thread t of n/CELLS has the cells t + i n/CELLS, before and
 * after: what comes between a forward and an inverse transform never leaves it.
 *
 * Shared memory skips a cell after every 16, after every 8 where a thread has 8, or after every 4
 * where CELLS is no power of two, so that steps of CELLS fall into different banks. Places are sums
 * of a thread's base and of uniform offsets, as low digits of the two never meet.
 */

namespace
{

/* A thread's part in a line: cell i of it is at shared[i * step], skipped ones apart. */
template <class R> struct block_part {
    int n, first, rest; /* radix of the first pass; product of those that are not CELLS */
    int t, step;
    ndft_complex<R> *shared;
    const ndft_complex<R> *turns; /* [n] exp(-2 pi i j/n) */
};

/* Of a hook that may want a line's cells together as they are stored: when its by_line() says so,
 * store_spectra<TOGETHER>(start, first, step, cell) is called in place of store, cell(x) being what
 * turned(x, cell x) was. */
template <class Hook> constexpr bool wants_line = false;

/* Of a hook that stores products with factors from plan: factor(cell) is one, which store takes
 * after the cell. */
template <class Hook> constexpr bool has_factors = false;

/* Of a hook whose factors come from how large lines are. Where a block has whole lines,
 * read<COUNT>(place(signal), first, step, cells) leaves COUNT cells as they lie in memory, or two
 * numbers a cell where in_two_parts(), and has their sizes: those of the first half of a thread's,
 * as the others are zero. weights(signal, sizes) are of the sums over a line, and
 * weigh<COUNT>(weights, first, step, cells) makes 2 COUNT cells of what was read. The other side is
 * started with the weights, too. */
template <class Hook> constexpr bool weighs_lines = false;

/* Of all other hooks. */
struct no_weights {
};

template <class Hook, class Weights>
__device__ __forceinline__ auto start_of(const Hook &hook, unsigned signal, const Weights &weights)
{
    return hook.start(signal, weights);
}

template <class Hook>
__device__ __forceinline__ auto start_of(const Hook &hook, unsigned signal, const no_weights &)
{
    return hook.start(signal);
}

__host__ __device__ constexpr bool is_power(int cells) { return (cells & (cells - 1)) == 0; }

/* Cells of memory before a line's cell. */
template <int CELLS> __host__ __device__ constexpr int skipping(int cell)
{
    return cell + (int)((unsigned)cell / (CELLS == 8 ? 8 : is_power(CELLS) ? 16 : 4));
}

/* Of memory for a line, by what a thread has of it. */
__host__ __device__ constexpr int line_room(int n, int cells)
{
    if (!is_power(cells)) return skipping<12>(n);
    return cells == 8 ? skipping<8>(n) : skipping<16>(n);
}

/* Where the pass after lines of `done` cells finds thread t in its line. */
template <int CELLS> __device__ __forceinline__ int within(int t, int done)
{
    return is_power(CELLS) ? t & (done - 1) : t % done;
}

/* Sums of RADIX among a thread's cells, CELLS/RADIX of them. */
template <int SIGN, int RADIX, int CELLS, class R>
__device__ __forceinline__ void sums(ndft_complex<R> (&v)[CELLS])
{
    constexpr int apart = CELLS / RADIX;
#pragma unroll
    for (int m = 0; m < apart; m++) {
        ndft_complex<R> w[RADIX];
#pragma unroll
        for (int q = 0; q < RADIX; q++) w[q] = v[m + q * apart];
        small_dft<SIGN>(w);
#pragma unroll
        for (int q = 0; q < RADIX; q++) v[m + q * apart] = w[q];
    }
}

/* After sums of RADIX that make `done` cells RADIX done: to where they belong. */
template <int RADIX, int CELLS, class R>
__device__ __forceinline__ void give(const block_part<R> &part, int done,
                                     const ndft_complex<R> (&v)[CELLS])
{
    constexpr int apart = CELLS / RADIX;
    const int threads = part.n / CELLS, j = within<CELLS>(part.t, done);
    ndft_complex<R> *to = part.shared + skipping<CELLS>((part.t - j) * RADIX + j) * part.step;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < CELLS; i++)
        to[(skipping<CELLS>(i % apart * threads * RADIX) + skipping<CELLS>(i / apart * done)) *
           part.step] = v[i];
}

/* And the thread's own, once all have given. */
template <int CELLS, class R>
__device__ __forceinline__ void take(const block_part<R> &part, ndft_complex<R> (&v)[CELLS])
{
    const ndft_complex<R> *from = part.shared + skipping<CELLS>(part.t) * part.step;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < CELLS; i++) v[i] = from[skipping<CELLS>(i * (part.n / CELLS)) * part.step];
}

/* The first and fourth power of a turn, from a table: powers of powers lose accuracy. */
template <class R> struct alignas(16) turn_pair {
    ndft_complex<R> one, four;
};

template <int SIGN, class R>
__device__ __forceinline__ turn_pair<R> turns_at(const ndft_complex<R> *turns, int at)
{
    turn_pair<R> pair = {turns[at], turns[4 * at]};
    if (SIGN > 0) {
        pair.one.im = -pair.one.im;
        pair.four.im = -pair.four.im;
    }
    return pair;
}

/* v[i] times base turn^i; base: not where that is 1. */
template <bool BASE, int CELLS, class R>
__device__ __forceinline__ void rotate_by_powers(ndft_complex<R> base, turn_pair<R> turn,
                                                 ndft_complex<R> (&v)[CELLS])
{
    const ndft_complex<R> two = turn.one * turn.one, three = two * turn.one;
#pragma unroll
    for (int i = 0; i < CELLS; i += 4) {
        const bool one = !BASE && i == 0;
        if (!one) v[i] = v[i] * base;
        v[i + 1] = v[i + 1] * (one ? turn.one : base * turn.one);
        v[i + 2] = v[i + 2] * (one ? two : base * two);
        v[i + 3] = v[i + 3] * (one ? three : base * three);
        base = one ? turn.four : base * turn.four;
    }
}

/* Of exp(SIGN 2 pi i j/(CELLS done)), in the pass that makes lines of CELLS done. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ turn_pair<R> turn_of(const block_part<R> &part, int done)
{
    return turns_at<SIGN>(part.turns, within<CELLS>(part.t, done) * (part.n / (CELLS * done)));
}

/* A pass of radix 4 between the first and those of CELLS: all sums of a thread have one turn. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void middle_pass(const block_part<R> &part, int done,
                                            ndft_complex<R> (&v)[CELLS])
{
    constexpr int apart = CELLS / 4;
    const int at = within<CELLS>(part.t, done) * (part.n / (4 * done));
    ndft_complex<R> one = part.turns[at], two = part.turns[2 * at], three = part.turns[3 * at];
    if (SIGN > 0) {
        one.im = -one.im;
        two.im = -two.im;
        three.im = -three.im;
    }
#pragma unroll
    for (int m = 0; m < apart; m++) {
        v[m + apart] = v[m + apart] * one;
        v[m + 2 * apart] = v[m + 2 * apart] * two;
        v[m + 3 * apart] = v[m + 3 * apart] * three;
    }
    sums<SIGN, 4>(v);
    give<4>(part, done, v);
    take(part, v);
}

template <int SIGN, int RADIX, int CELLS, class R>
__device__ __forceinline__ void first_pass(const block_part<R> &part, ndft_complex<R> (&v)[CELLS])
{
    sums<SIGN, RADIX>(v);
    give<RADIX>(part, 1, v);
    take(part, v);
}

/* The passes whose radix is not CELLS. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void rest_of_passes(const block_part<R> &part,
                                               ndft_complex<R> (&v)[CELLS])
{
    if (part.first == 2) first_pass<SIGN, 2>(part, v);
    if (part.first == 4) first_pass<SIGN, 4>(part, v);
    if constexpr (CELLS == 16) {
        if (part.first == 8) first_pass<SIGN, 8>(part, v);
    }
    if constexpr (!is_power(CELLS)) {
        for (int done = part.first; done < part.rest; done *= 4) middle_pass<SIGN>(part, done, v);
    }
}

/* exp(SIGN 2 pi i ...), with no factor. By all threads of a block, each in a line. The turn of a
 * pass is fetched where a thread has given its cells and waits for others'. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void block_fft(const block_part<R> &part, ndft_complex<R> (&v)[CELLS])
{
    turn_pair<R> turn = turn_of<SIGN, CELLS>(part, part.rest);
    if (part.rest > 1) {
        rest_of_passes<SIGN>(part, v);
        rotate_by_powers<false>(turn.one, turn, v);
    }
    for (int done = part.rest;;) {
        sums<SIGN, CELLS>(v);
        if (CELLS * done == part.n) return;
        give<CELLS>(part, done, v);
        done *= CELLS;
        turn = turn_of<SIGN, CELLS>(part, done);
        take(part, v);
        rotate_by_powers<false>(turn.one, turn, v);
    }
}

} // namespace

#endif
