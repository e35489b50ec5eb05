/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_SHORT_CUH
#define NDFT_GEMM_SHORT_CUH

#include "core/dispatch.cuh"
#include "core/early.cuh"
#include "folded.h"
#include "gemm_tile.cuh"

#include "base/variant.h"

#include <cmath>

/*
 * Folded products (folded.h) of the shortest lines of complex numbers in f32, which would fill a
 * corner of a tensor core's matrices. Two threads have a line, one its real parts and one its
 * imaginary parts, in registers, and swap their sums O_k. The length is known when it is compiled,
 * so that each factor is one of N/2 cosines or sines and an operand from constant memory. Lines
 * that lie one behind the other go through shared memory, 16 bytes at a time; a line's pitch there
 * is its own length, which is odd: no two of a warp's threads meet in a bank. Small blocks, as many
 * as there are lines for, hide each other's latency. Memory is the ceiling: at 31 numbers an H200's
 * multiply-adds take a third of the time that the second-level cache takes.
 */

enum { NDFT_SHORT_LINES = NDFT_GEMM_THREADS / 2, NDFT_SHORT_MOST = 31 };

struct ndft_short_lines {
    ndft_pass pass;
    bool in_flat, out_flat; /* one line behind the other, the first at a multiple of 16 bytes */
    float cosine[NDFT_SHORT_MOST / 2 + 1]; /* of 2 pi r/N, 0 <= r < N/2 */
    float sine[NDFT_SHORT_MOST / 2 + 1];   /* with the transform's sign */
};

/* f(byte, T{}) for complex numbers in one piece: 16 bytes at a time, and a last one. */
template <int MOST, class F> __device__ __forceinline__ void ndft_each_piece(int count, F f)
{
    const int thread = threadIdx.x;
#pragma unroll
    for (int c = 0; c < MOST / 2; c += NDFT_GEMM_THREADS)
        if (c + thread < count / 2) f(16 * (c + thread), uint4{});
    if (count % 2 && thread == 0) f(8 * (count - 1), uint2{});
}

/* ndft_line_at as a loop: unrolled, its divisions would be longer than most products. */
__device__ __forceinline__ int64_t ndft_short_at(const ndft_pass &p, const ndft_line_side &side,
                                                 int64_t line)
{
    int64_t at = 0;
#pragma unroll 1
    for (int m = 0; m < p.modes - 1; m++) {
        const int64_t rest = line / p.shape[m];
        at += (line - rest * p.shape[m]) * side.step[m];
        line = rest;
    }
    return p.modes > 0 ? at + line * side.step[p.modes - 1] : 0;
}

/* x: the parts of a line that are this thread's, those of the other kind being its neighbour's. */
template <int N>
__device__ __forceinline__ void ndft_transform_short(const ndft_short_lines &g, float (&x)[N])
{
    constexpr int HALF = N / 2;
    const float sign = threadIdx.x % 2 ? 1.0f : -1.0f;
    float even[HALF + 1], odd[HALF + 1] = {};
#pragma unroll
    for (int k = 0; k <= HALF; k++) even[k] = x[0];
#pragma unroll
    for (int j = 1; j <= HALF; j++) {
        const float e = x[j] + x[N - j], o = x[j] - x[N - j];
        even[0] += e;
#pragma unroll
        for (int k = 1; k <= HALF; k++) {
            const int r = j * k % N, mirrored = r <= HALF ? r : N - r;
            even[k] = fmaf(g.cosine[mirrored], e, even[k]);
            odd[k] = fmaf(g.sine[mirrored], r <= HALF ? o : -o, odd[k]);
        }
    }
    x[0] = even[0];
#pragma unroll
    for (int k = 1; k <= HALF; k++) {
        const float turned = sign * __shfl_xor_sync(~0u, odd[k], 1); /* of i O_k */
        x[k] = even[k] + turned;
        x[N - k] = even[k] - turned;
    }
}

template <int N>
__global__ void __launch_bounds__(NDFT_GEMM_THREADS)
    ndft_multiply_short(const __grid_constant__ ndft_short_lines g, const float *in, float *out)
{
    __shared__ uint4 room[NDFT_SHORT_LINES * N / 2];
    const int64_t first = (int64_t)blockIdx.x * NDFT_SHORT_LINES, left = g.pass.lines - first;
    const int lines = (int)min(left, (int64_t)NDFT_SHORT_LINES), line = threadIdx.x / 2;
    const int part = threadIdx.x % 2;
    const bool there = line < lines;
    float *own = (float *)room + line * 2 * N + part, x[N] = {};
    ndft_wait_for_kernel_before();
    if (g.in_flat) {
        const char *piece = (const char *)(in + first * 2 * N);
        ndft_each_piece<NDFT_SHORT_LINES * N>(lines * N, [&](int at, auto unit) {
            __pipeline_memcpy_async((char *)room + at, piece + at, sizeof unit);
        });
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int n = 0; n < N; n++) x[n] = own[2 * n];
    } else if (there) {
        const float *from = in + 2 * ndft_short_at(g.pass, g.pass.in, first + line) + part;
#pragma unroll
        for (int n = 0; n < N; n++) x[n] = from[2 * n * g.pass.in.stride];
    }
    ndft_transform_short<N>(g, x);
    ndft_let_kernel_after_begin();
    if (g.out_flat) {
#pragma unroll
        for (int k = 0; k < N; k++) own[2 * k] = x[k];
        __syncthreads();
        char *piece = (char *)(out + first * 2 * N);
        ndft_each_piece<NDFT_SHORT_LINES * N>(lines * N, [&](int at, auto unit) {
            using vec = decltype(unit);
            *(vec *)(piece + at) = *(const vec *)((const char *)room + at);
        });
    } else if (there) {
        float *to = out + 2 * ndft_short_at(g.pass, g.pass.out, first + line) + part;
#pragma unroll
        for (int k = 0; k < N; k++) to[2 * k * g.pass.out.stride] = x[k];
    }
}

/* A pass as it is launched. */
struct ndft_short_launch {
    using kernel_of_lines = void (*)(ndft_short_lines, const float *, float *);
    kernel_of_lines kernel;
    ndft_short_lines lines;

    /* nullptr: not served. */
    static kernel_of_lines choose(const ndft_pass &p, ndft_prec prec)
    {
        if (p.domain != NDFT_C2C || prec != NDFT_F32 || p.length > NDFT_SHORT_MOST) return nullptr;
        return ndft_choose<3, 5, 7, 11, 13, 17, 19, 23, 29, 31>(
            (int)p.length,
            [](auto n) -> kernel_of_lines { return ndft_multiply_short<decltype(n)::value>; });
    }

    static ndft_short_launch of(const ndft_pass &p, ndft_prec prec)
    {
        ndft_short_launch l = {choose(p, prec), {}};
        l.lines.pass = p;
        l.lines.in_flat = ndft_tile_side::of(p, p.in, 1, 2 * (int)p.length).flat;
        l.lines.out_flat = ndft_tile_side::of(p, p.out, 1, 2 * (int)p.length).flat;
        for (int r = 0; r <= p.length / 2; r++) {
            const double angle = 2 * M_PI * r / (double)p.length;
            l.lines.cosine[r] = (float)cos(angle);
            l.lines.sine[r] = (float)(p.sign * sin(angle));
        }
        return l;
    }

    ndft_status launch(const ndft_exec *exec, const void *from, void *to) const
    {
        ndft_short_lines own = lines;
        own.in_flat &= (uintptr_t)from % sizeof(uint4) == 0;
        own.out_flat &= (uintptr_t)to % sizeof(uint4) == 0;
        return ndft_launch_early(exec, blocks(), dim3(NDFT_GEMM_THREADS), 0, kernel, own,
                                 (const float *)from, (float *)to);
    }

    unsigned blocks() const { return ndft_blocks(lines.pass.lines, NDFT_SHORT_LINES); }
};

/* Two threads a line: products, folding and the sums' last additions, words in and out of shared
 * memory, and what finds the line. */
inline void ndft_add_short_cost(const ndft_pass &pass, ndft_cost *cost)
{
    const double threads = 2 * (double)pass.lines, n = (double)pass.length, half = (n - 1) / 2;
    cost->fma += threads * 2 * half * half;
    cost->add += threads * 6 * half;
    cost->integer += threads * 40;
    cost->issue_slots += threads * (2 * half * half + 7 * half + 2.5 * n + 60);
}

#endif
