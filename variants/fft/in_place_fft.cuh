/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_IN_PLACE_FFT_CUH
#define NDFT_FFT_IN_PLACE_FFT_CUH

#include "block_fft.cuh"

/*
 * Transforms of a line that one block holds in shared memory, in place: forward by decimation in
 * frequency, which leaves the frequencies with their digits reversed, and back from there by
 * decimation in time (Gentleman and Sande 1966), as convolutions want no order. A sum reads and
 * writes the same cells, so a pass ends with one barrier, and a thread makes several sums, one
 * after the other: the longest line is what fits a block's memory, not its registers. The first
 * and the last radix are 16, one or two others lie between; what the line is made of comes from
 * outside straight into the first pass, and the last leaves it in registers.
 *
 * Shared memory skips a cell after every 16.
 */

namespace
{

enum { IN_PLACE_RADIX = 16 };

/* Threads of a block at most. */
template <class R> __host__ __device__ constexpr int in_place_threads()
{
    return sizeof(R) == 4 ? 768 : 512;
}

/* The radices of a line of n = 16 outer inner 16 cells; outer: 1 where there is none. */
__host__ __device__ constexpr int inner_radix(int n)
{
    return n % (256 * 16) == 0 ? 16 : n % (256 * 8) == 0 ? 8 : 5;
}

__host__ __device__ constexpr int outer_radix(int n) { return n / 256 / inner_radix(n); }

/* Turns of sums: of the first pass, of the outer one in a line, of the inner one. */
__host__ __device__ constexpr int outer_turns(int n) { return n / 16; }
__host__ __device__ constexpr int inner_turns(int n) { return n / 16 + 16 * inner_radix(n); }

template <class R> __device__ __forceinline__ ndft_complex<R> *in_place_cells()
{
    extern __shared__ __align__(16) unsigned char filter_bytes[];
    return (ndft_complex<R> *)filter_bytes;
}

/* v[i] times turn^i. */
template <int SIGN, int RADIX, class R>
__device__ __forceinline__ void turn_all(turn_pair<R> turn, ndft_complex<R> (&v)[RADIX])
{
    if (SIGN > 0) {
        turn.one.im = -turn.one.im;
        turn.four.im = -turn.four.im;
    }
    const ndft_complex<R> two = turn.one * turn.one, three = two * turn.one;
    ndft_complex<R> base = turn.four;
    v[1] = v[1] * turn.one;
    if constexpr (RADIX > 2) v[2] = v[2] * two;
    if constexpr (RADIX > 3) v[3] = v[3] * three;
#pragma unroll
    for (int i = 4; i < RADIX; i += 4) {
        v[i] = v[i] * base;
        if (i + 1 < RADIX) v[i + 1] = v[i + 1] * (base * turn.one);
        if (i + 2 < RADIX) v[i + 2] = v[i + 2] * (base * two);
        if (i + 3 < RADIX) v[i + 3] = v[i + 3] * (base * three);
        base = base * turn.four;
    }
}

/* A pass between the first and the last, over lines of RADIX STEP cells: sums of cells that lie
 * STEP apart, a multiple of 16. A thread makes a few of them together, which have the same turn. */
template <int SIGN, int N, int RADIX, int STEP, class R>
__device__ __forceinline__ void pass_in_place(const turn_pair<R> *turns)
{
    constexpr int together = RADIX == 2 ? 8 : RADIX < 5 ? 4 : RADIX < 8 ? 2 : 1;
    constexpr int apart = N / together, step = skipping<16>(STEP);
#pragma unroll 1
    for (int i = (int)threadIdx.x; i < apart / RADIX; i += (int)blockDim.x) {
        const int j = i % STEP;
        ndft_complex<R> v[together][RADIX];
        ndft_complex<R> *at = in_place_cells<R>() + skipping<16>((i - j) * RADIX) + skipping<16>(j);
        const turn_pair<R> turn = turns[j];
#pragma unroll
        for (int g = 0; g < together; g++)
#pragma unroll
            for (int k = 0; k < RADIX; k++) v[g][k] = at[g * skipping<16>(apart) + k * step];
#pragma unroll
        for (int g = 0; g < together; g++) {
            if (SIGN > 0) turn_all<SIGN>(turn, v[g]);
            small_dft<SIGN>(v[g]);
            if (SIGN < 0) turn_all<SIGN>(turn, v[g]);
#pragma unroll
            for (int k = 0; k < RADIX; k++) at[g * skipping<16>(apart) + k * step] = v[g][k];
        }
    }
    __syncthreads();
}

template <int SIGN, int N, class R>
__device__ __forceinline__ void outer_pass(const turn_pair<R> *turns)
{
    if constexpr (outer_radix(N) > 1)
        pass_in_place<SIGN, N, outer_radix(N), 16 * inner_radix(N)>(turns + outer_turns(N));
}

template <int SIGN, int N, class R>
__device__ __forceinline__ void inner_pass(const turn_pair<R> *turns)
{
    pass_in_place<SIGN, N, inner_radix(N), 16>(turns + inner_turns(N));
}

/* The first pass, from a hook. */
template <int N, class R, class Hook>
__device__ __forceinline__ void load_pass(const turn_pair<R> *turns, const Hook &hook,
                                          unsigned signal)
{
    constexpr int step = N / IN_PLACE_RADIX;
    const auto start = hook.start(signal);
#pragma unroll 1
    for (int j = (int)threadIdx.x; j < step; j += (int)blockDim.x) {
        ndft_complex<R> v[IN_PLACE_RADIX], *to = in_place_cells<R>() + skipping<16>(j);
        hook.template load_cells<Hook::HALF ? 8 : 16>(start, j, step, v);
        dft16<-1, Hook::HALF>(v);
        turn_all<-1>(turns[j], v);
#pragma unroll
        for (int k = 0; k < 16; k++) to[k * skipping<16>(step)] = v[k];
    }
    __syncthreads();
}

/* Over all threads of the block, in the same order for all. */
template <class R> __device__ __forceinline__ ndft_complex<R> sum_of_block(ndft_complex<R> sum)
{
    __shared__ ndft_complex<R> warps[in_place_threads<R>() / 32];
    for (int apart = 16; apart > 0; apart /= 2) {
        sum.re += __shfl_xor_sync(~0u, sum.re, apart);
        sum.im += __shfl_xor_sync(~0u, sum.im, apart);
    }
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = warps[0];
    for (unsigned i = 1; i < blockDim.x / 32; i++) sum = sum + warps[i];
    return sum;
}

/* The first pass of a line whose weights come from all of it: read to where its cells belong, of
 * which those of the second half are free until then; the weights. */
template <int N, class R, class Hook>
__device__ __forceinline__ auto weighed_pass(const turn_pair<R> *turns, const Hook &hook,
                                             unsigned signal)
{
    constexpr int step = N / IN_PLACE_RADIX, room = skipping<16>(step);
    const bool two = hook.in_two_parts();
    const auto place = hook.place(signal);
    ndft_complex<R> size = {0, 0};
#pragma unroll 1
    for (int j = (int)threadIdx.x; j < step; j += (int)blockDim.x) {
        ndft_complex<R> v[IN_PLACE_RADIX], *to = in_place_cells<R>() + skipping<16>(j);
        size = size + hook.template read<8>(place, j, step, v);
#pragma unroll
        for (int k = 0; k < 8; k++) to[k * room] = v[k];
        if (!two) continue;
#pragma unroll
        for (int k = 8; k < 16; k++) to[k * room] = v[k];
    }
    const auto weights = hook.weights(signal, sum_of_block(size));
#pragma unroll 1
    for (int j = (int)threadIdx.x; j < step; j += (int)blockDim.x) {
        ndft_complex<R> v[IN_PLACE_RADIX], *at = in_place_cells<R>() + skipping<16>(j);
#pragma unroll
        for (int k = 0; k < 8; k++) v[k] = at[k * room];
        if (two) {
#pragma unroll
            for (int k = 8; k < 16; k++) v[k] = at[k * room];
        }
        hook.template weigh<8>(weights, j, step, v);
        dft16<-1, true>(v);
        turn_all<-1>(turns[j], v);
#pragma unroll
        for (int k = 0; k < 16; k++) at[k * room] = v[k];
    }
    __syncthreads();
    return weights;
}

/* The first pass in a kernel that stores the line, too; the weights that it does so with. */
template <int N, class R, class Hook>
__device__ __forceinline__ auto load_line_in_place(const turn_pair<R> *turns, const Hook &hook,
                                                   unsigned signal)
{
    if constexpr (weighs_lines<Hook>) {
        return weighed_pass<N>(turns, hook, signal);
    } else {
        load_pass<N>(turns, hook, signal);
        return no_weights{};
    }
}

/* A hook that wants the line has it from where it lies, of which half is stored. */
template <class R, class Hook, class Start>
__device__ __forceinline__ void store_line_in_place(const Hook &hook, const Start &start)
{
    const ndft_complex<R> *cells = in_place_cells<R>();
    __syncthreads();
    hook.template store_spectra<4>(start, (int)threadIdx.x, (int)blockDim.x,
                                   [=](int x) { return cells[skipping<16>(x)]; });
}

/* The inverse of that, to a hook. */
template <int N, class R, class Hook, class Weights>
__device__ __forceinline__ void store_pass(const turn_pair<R> *turns, const Hook &hook,
                                           unsigned signal, const Weights &weights)
{
    constexpr int step = N / IN_PLACE_RADIX, stored = Hook::HALF ? 8 : 16;
    const auto start = start_of(hook, signal, weights);
#pragma unroll 1
    for (int j = (int)threadIdx.x; j < step; j += (int)blockDim.x) {
        ndft_complex<R> v[IN_PLACE_RADIX], *from = in_place_cells<R>() + skipping<16>(j);
#pragma unroll
        for (int k = 0; k < 16; k++) v[k] = from[k * skipping<16>(step)];
        turn_all<+1>(turns[j], v);
        dft16<+1>(v);
        if constexpr (wants_line<Hook>) {
            if (hook.by_line()) {
#pragma unroll
                for (int k = 0; k < stored; k++)
                    from[k * skipping<16>(step)] = hook.turned(j + k * step, v[k]);
                continue;
            }
        }
        hook.template store_cells<stored>(start, j, step, v);
    }
    if constexpr (wants_line<Hook>) {
        if (hook.by_line()) store_line_in_place<R>(hook, start);
    }
}

/* All passes but the last. */
template <int N, class R, class Hook>
__device__ __forceinline__ void forward_in_place(const turn_pair<R> *turns, const Hook &hook,
                                                 unsigned signal)
{
    load_pass<N>(turns, hook, signal);
    outer_pass<-1, N>(turns);
    inner_pass<-1, N>(turns);
}

/* All passes but the first. */
template <int N, class R, class Hook, class Weights = no_weights>
__device__ __forceinline__ void back_in_place(const turn_pair<R> *turns, const Hook &hook,
                                              unsigned signal, const Weights &weights = {})
{
    __syncthreads();
    inner_pass<+1, N>(turns);
    outer_pass<+1, N>(turns);
    store_pass<N>(turns, hook, signal, weights);
}

} // namespace

#endif
