/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_INNER_LOOP_CUH
#define NDFT_DIRECT_INNER_LOOP_CUH

#include "core/complex.cuh"
#include "uniform/axes.h"

/*
 * Lines summed directly: a thread owns one output of a few lines, sums in registers, and takes the
 * inputs in tiles that its block has put into shared memory. Blocks of long lines are a chunk of
 * outputs; of short ones, all outputs of several groups of lines. What the loop does with a tile is
 * the variant's matter: InnerLoop(direct, k) and add(values, terms, sums).
 */

enum { NDFT_DIRECT_THREADS = 128 };

template <class R> struct ndft_direct {
    ndft_pass pass;
    const ndft_complex<R> *roots; /* of unity; null: the loop has none */
    int tile;
    int outputs, groups; /* of a block */
    unsigned chunks;     /* blocks along a line */
};

/* One input of a thread's lines, as it is loaded. */
template <class R, int LINES>
struct alignas(LINES * 2 * sizeof(R) < 16 ? LINES * 2 * sizeof(R) : 16) ndft_values {
    ndft_complex<R> z[LINES];
};

/* Of a group and a tile; one more keeps groups apart in banks. */
__host__ __device__ constexpr int ndft_group_values(int tile) { return tile + 1; }

template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_load_input(const ndft_pass &p, const R *in,
                                                           int64_t line, int64_t n)
{
    const int64_t at = ndft_line_at(&p, &p.in, line) + n * p.in.stride;
    if (p.in.real) return {in[at], 0};
    const ndft_complex<R> z = ((const ndft_complex<R> *)in)[at];
    const R weight = (R)ndft_line_weight(&p, n);
    return {weight * z.re, weight * z.im};
}

/* The inputs from n on of the block's lines from `line` on; threads run along or across lines,
 * whichever lies closer in memory. */
template <class R, int LINES>
__device__ void ndft_stage_inputs(const ndft_direct<R> &d, const R *in, int64_t line, int64_t n,
                                  int terms, ndft_values<R, LINES> *values)
{
    const int lines = d.groups * LINES;
    const bool across = d.pass.modes > 0 && d.pass.in.step[0] < d.pass.in.stride;
    for (int i = threadIdx.x; i < lines * terms; i += NDFT_DIRECT_THREADS) {
        const int own = across ? i % lines : i / terms, term = across ? i / lines : i % terms;
        ndft_complex<R> z = {0, 0};
        if (line + own < d.pass.lines) z = ndft_load_input(d.pass, in, line + own, n + term);
        values[own / LINES * ndft_group_values(d.tile) + term].z[own % LINES] = z;
    }
}

template <class R>
__device__ __forceinline__ void ndft_store_output(const ndft_pass &p, R *out, int64_t line, int k,
                                                  ndft_complex<R> z)
{
    const int64_t at = ndft_line_at(&p, &p.out, line) + k * p.out.stride;
    if (p.out.real)
        out[at] = z.re;
    else
        ((ndft_complex<R> *)out)[at] = z;
}

template <class R, template <class, int> class InnerLoop, int LINES>
__global__ void __launch_bounds__(NDFT_DIRECT_THREADS, 4)
    ndft_direct_sum(ndft_direct<R> d, const R *in, R *out)
{
    extern __shared__ uint4 room[];
    auto *values = (ndft_values<R, LINES> *)room;
    const int group = threadIdx.x / d.outputs;
    const int64_t first = (int64_t)(blockIdx.x / d.chunks) * d.groups * LINES;
    const int64_t k = (int64_t)(blockIdx.x % d.chunks) * d.outputs + threadIdx.x % d.outputs;
    const bool active = group < d.groups && k < d.pass.out.count;
    ndft_complex<R> sum[LINES] = {};
    InnerLoop<R, LINES> loop(d, active ? (int)k : 0);
    for (int64_t n = 0; n < d.pass.in.count; n += d.tile) {
        const int terms = (int)min((int64_t)d.tile, d.pass.in.count - n);
        ndft_stage_inputs<R, LINES>(d, in, first, n, terms, values);
        __syncthreads();
        if (active) loop.add(values + group * ndft_group_values(d.tile), terms, sum);
        __syncthreads();
    }
    if (!active) return;
    for (int l = 0; l < LINES; l++) {
        const int64_t line = first + group * LINES + l;
        if (line < d.pass.lines) ndft_store_output(d.pass, out, line, (int)k, sum[l]);
    }
}

#endif
