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
 * Folded products (folded.h) of the shortest lines in f32, which would fill a corner of a tensor
 * core's matrices. Two threads have a line of complex numbers, one its real parts and one its
 * imaginary parts, in registers, and swap their sums O_k; a real line is one thread's, which has
 * its spectrum's real parts in E_k and its imaginary parts in O_k. The length is known when it is
 * compiled, so that each factor is one of N/2 cosines or sines and an operand from constant memory.
 * Lines that lie one behind the other go through shared memory, 16 bytes at a time; a line's pitch
 * there is its own length, which is odd: no two of a warp's threads meet in a bank. Small blocks,
 * as many as there are lines for, hide each other's latency. Memory is the ceiling: at 31 numbers
 * an H200's multiply-adds take a third of the time that the second-level cache takes.
 */

enum { NDFT_SHORT_MOST = 31 };

/* Threads of a line; lines of a block. */
__host__ __device__ constexpr int ndft_short_threads(int domain)
{
    return domain == NDFT_C2C ? 2 : 1;
}

__host__ __device__ constexpr int ndft_short_block(int domain)
{
    return NDFT_GEMM_THREADS / ndft_short_threads(domain);
}

/* Reals of a line of odd length on a side. */
__host__ __device__ constexpr int ndft_short_reals(int domain, bool real, int length)
{
    return domain == NDFT_C2C ? 2 * length : real ? length : length + 1;
}

struct ndft_short_lines {
    ndft_pass pass;
    bool in_flat, out_flat; /* one line behind the other, the first at a multiple of 16 bytes */
    float cosine[NDFT_SHORT_MOST / 2 + 1]; /* of 2 pi r/N, 0 <= r < N/2 */
    float sine[NDFT_SHORT_MOST / 2 + 1];   /* with the transform's sign */
};

/* f(byte, T{}) for reals in one piece: 16 bytes at a time, and what is left. */
template <int MOST, class F> __device__ __forceinline__ void ndft_each_piece(int reals, F f)
{
    const int thread = threadIdx.x, whole = reals / 4;
#pragma unroll
    for (int c = 0; c < (MOST + 3) / 4; c += NDFT_GEMM_THREADS)
        if (c + thread < whole) f(16 * (c + thread), uint4{});
    if (thread < reals % 4) f(16 * whole + 4 * thread, 0u);
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

/* What a thread has of a line, from a line's beginning: all numbers, or of half a spectrum the real
 * part of number k in x[k] and its imaginary part in x[N - k]. */
template <int N, int DOMAIN>
__device__ __forceinline__ void ndft_read_short(const float *line, int64_t stride, float (&x)[N])
{
    if constexpr (DOMAIN == NDFT_C2R) {
        const auto *z = (const ndft_complex<float> *)line;
        x[0] = z[0].re;
#pragma unroll
        for (int k = 1; k <= N / 2; k++) {
            const ndft_complex<float> value = z[k * stride];
            x[k] = value.re;
            x[N - k] = value.im;
        }
    } else {
        constexpr int reals = ndft_short_threads(DOMAIN);
        line += threadIdx.x % reals;
#pragma unroll
        for (int n = 0; n < N; n++) x[n] = line[reals * n * stride];
    }
}

template <int N, int DOMAIN>
__device__ __forceinline__ void ndft_write_short(const float (&x)[N], float *line, int64_t stride)
{
    if constexpr (DOMAIN == NDFT_R2C) {
        auto *z = (ndft_complex<float> *)line;
        z[0] = {x[0], 0};
#pragma unroll
        for (int k = 1; k <= N / 2; k++) z[k * stride] = {x[k], x[N - k]};
    } else {
        constexpr int reals = ndft_short_threads(DOMAIN);
        line += threadIdx.x % reals;
#pragma unroll
        for (int k = 0; k < N; k++) line[reals * k * stride] = x[k];
    }
}

/* x: as it is read, and as it is written. */
template <int N, int DOMAIN>
__device__ __forceinline__ void ndft_transform_short(const ndft_short_lines &g, float (&x)[N])
{
    constexpr int HALF = N / 2;
    float even[HALF + 1], odd[HALF + 1] = {};
#pragma unroll
    for (int k = 0; k <= HALF; k++) even[k] = x[0];
#pragma unroll
    for (int j = 1; j <= HALF; j++) {
        const float e = DOMAIN == NDFT_C2R ? 2 * x[j] : x[j] + x[N - j];
        const float o = DOMAIN == NDFT_C2R ? 2 * x[N - j] : x[j] - x[N - j];
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
        if constexpr (DOMAIN == NDFT_R2C) {
            x[k] = even[k];
            x[N - k] = odd[k];
            continue;
        }
        float turned = -odd[k]; /* of i O_k, whose real part alone is wanted */
        if constexpr (DOMAIN == NDFT_C2C)
            turned = (threadIdx.x % 2 ? 1.0f : -1.0f) * __shfl_xor_sync(~0u, odd[k], 1);
        x[k] = even[k] + turned;
        x[N - k] = even[k] - turned;
    }
}

template <int N, int DOMAIN>
__global__ void __launch_bounds__(NDFT_GEMM_THREADS)
    ndft_multiply_short(const __grid_constant__ ndft_short_lines g, const float *in, float *out)
{
    constexpr int LINES = ndft_short_block(DOMAIN);
    constexpr int IN = ndft_short_reals(DOMAIN, DOMAIN == NDFT_R2C, N);
    constexpr int OUT = ndft_short_reals(DOMAIN, DOMAIN == NDFT_C2R, N);
    __shared__ uint4 room[LINES * (IN > OUT ? IN : OUT) / 4];
    const int64_t first = (int64_t)blockIdx.x * LINES, left = g.pass.lines - first;
    const int lines = (int)min(left, (int64_t)LINES);
    const int line = threadIdx.x / ndft_short_threads(DOMAIN);
    const bool there = line < lines;
    float x[N] = {};
    ndft_wait_for_kernel_before();
    if (g.in_flat) {
        const char *piece = (const char *)(in + first * IN);
        ndft_each_piece<LINES * IN>(lines * IN, [&](int at, auto unit) {
            __pipeline_memcpy_async((char *)room + at, piece + at, sizeof unit);
        });
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        ndft_read_short<N, DOMAIN>((const float *)room + line * IN, 1, x);
    } else if (there) {
        constexpr int reals = DOMAIN == NDFT_R2C ? 1 : 2;
        ndft_read_short<N, DOMAIN>(in + reals * ndft_short_at(g.pass, g.pass.in, first + line),
                                   g.pass.in.stride, x);
    }
    ndft_transform_short<N, DOMAIN>(g, x);
    ndft_let_kernel_after_begin();
    if (g.out_flat) {
        if constexpr (IN != OUT) __syncthreads(); /* lines do not lie where they lay */
        ndft_write_short<N, DOMAIN>(x, (float *)room + line * OUT, 1);
        __syncthreads();
        char *piece = (char *)(out + first * OUT);
        ndft_each_piece<LINES * OUT>(lines * OUT, [&](int at, auto unit) {
            using vec = decltype(unit);
            *(vec *)(piece + at) = *(const vec *)((const char *)room + at);
        });
    } else if (there) {
        constexpr int reals = DOMAIN == NDFT_C2R ? 1 : 2;
        ndft_write_short<N, DOMAIN>(
            x, out + reals * ndft_short_at(g.pass, g.pass.out, first + line), g.pass.out.stride);
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
        if (prec != NDFT_F32 || p.length > NDFT_SHORT_MOST) return nullptr;
        return ndft_choose<NDFT_C2C, NDFT_R2C, NDFT_C2R>(p.domain, [&](auto d) {
            return ndft_choose<3, 5, 7, 11, 13, 17, 19, 23, 29, 31>(
                (int)p.length, [](auto n) -> kernel_of_lines {
                    return ndft_multiply_short<decltype(n)::value, decltype(d)::value>;
                });
        });
    }

    static ndft_short_launch of(const ndft_pass &p, ndft_prec prec)
    {
        ndft_short_launch l = {choose(p, prec), {}};
        l.lines.pass = p;
        l.lines.in_flat = ndft_side_flat(p, p.in);
        l.lines.out_flat = ndft_side_flat(p, p.out);
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

    int at_once() const { return ndft_short_block(lines.pass.domain); }
    unsigned blocks() const { return ndft_blocks(lines.pass.lines, at_once()); }
};

/* Of each thread of a line: products, folding and the sums' last additions, words in and out of
 * shared memory, and what finds the line. */
inline void ndft_add_short_cost(const ndft_pass &pass, ndft_cost *cost)
{
    const double threads = ndft_short_threads(pass.domain) * (double)pass.lines;
    const double n = (double)pass.length, half = (n - 1) / 2;
    cost->fma += threads * 2 * half * half;
    cost->add += threads * 6 * half;
    cost->integer += threads * 40;
    cost->issue_slots += threads * (2 * half * half + 7 * half + 2.5 * n + 60);
}

#endif
