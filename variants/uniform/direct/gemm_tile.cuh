/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_GEMM_TILE_CUH
#define NDFT_UNIFORM_GEMM_TILE_CUH

#include "core/complex.cuh"
#include "uniform/axes.h"

#include <cuda_pipeline.h>

/*
 * Tiles of lines between global and shared memory. In shared memory a line is `pitch` reals, twice
 * an odd number, so that neither a line's elements nor its neighbours' meet in a bank. Threads run
 * along lines or across them, whichever lies closer in global memory, or along the whole tile.
 */

enum { NDFT_GEMM_THREADS = 128 };

/* Quotients by a number that is known late, of numbers whose product with it is below 2^32. */
struct ndft_divisor {
    unsigned value, inverse;

    static ndft_divisor of(unsigned value)
    {
        return {value, value > 1 ? (unsigned)((((uint64_t)1 << 32) + value - 1) / value) : 0};
    }
    __device__ __forceinline__ unsigned quotient(unsigned i) const
    {
        return value > 1 ? __umulhi(i, inverse) : i;
    }
};

/* Whether a side's lines lie one behind the other. */
inline bool ndft_side_flat(const ndft_pass &p, const ndft_line_side &side)
{
    return side.stride == 1 && (p.modes == 0 || (p.modes == 1 && side.step[0] == side.count));
}

/* How one side's elements are numbered: element i is number inner of line outer, or the other way
 * round where threads run across lines. flat: a tile lies in one piece on both sides. */
struct ndft_tile_side {
    bool across, flat;
    ndft_divisor inner; /* elements of a line, or lines of a tile */

    static ndft_tile_side of(const ndft_pass &p, const ndft_line_side &side, int lines, int pitch)
    {
        const bool across = p.modes > 0 && side.step[0] < side.stride;
        const bool flat =
            p.domain == NDFT_C2C && ndft_side_flat(p, side) && 2 * side.count == pitch;
        return {across, flat, ndft_divisor::of((unsigned)(across ? lines : side.count))};
    }
};

struct ndft_gemm_lines {
    ndft_pass pass;
    const uint4 *matrix;
    int steps, lines,
        pitch; /* of 16 inputs or outputs of half a line; of a tile; reals of a line */
    ndft_tile_side in, out;
};

/* f(input, output): a number of each side. */
template <int DOMAIN, class R, class F> __device__ __forceinline__ void ndft_with_types(F f)
{
    using complex = ndft_complex<R>;
    if constexpr (DOMAIN == NDFT_C2C) f(complex{}, complex{});
    if constexpr (DOMAIN == NDFT_R2C) f(R{}, complex{});
    if constexpr (DOMAIN == NDFT_C2R) f(complex{}, R{});
}

/* One tile in shared memory. */
template <class R> struct ndft_line_tile {
    R *reals;           /* [lines][pitch] */
    int64_t *from, *to; /* where each line begins in global memory */
    int lines;          /* those that there are */

    __device__ void find(const ndft_gemm_lines &g, int64_t tile)
    {
        const int64_t first = tile * g.lines, left = g.pass.lines - first;
        lines = left < g.lines ? (int)max(left, (int64_t)0) : g.lines;
#pragma unroll 1
        for (int i = threadIdx.x; i < lines; i += NDFT_GEMM_THREADS) {
            int64_t line = first + i, in = 0, out = 0;
#pragma unroll 1
            for (int m = 0; m < g.pass.modes; m++) {
                const int64_t rest = m < g.pass.modes - 1 ? line / g.pass.shape[m] : 0;
                const int64_t own = line - rest * g.pass.shape[m];
                in += own * g.pass.in.step[m];
                out += own * g.pass.out.step[m];
                line = rest;
            }
            from[i] = in;
            to[i] = out;
        }
    }

    /* f(line)(number) for all elements of a side, shared among the threads: a warp to a line where
     * that is long enough. */
    template <class F>
    __device__ __forceinline__ void each(const ndft_tile_side &side, int64_t count, F f) const
    {
        if (!side.across && count >= 32) {
            for (int line = threadIdx.x / 32; line < lines; line += NDFT_GEMM_THREADS / 32) {
                const auto element = f(line);
#pragma unroll 4
                for (int n = threadIdx.x % 32; n < (int)count; n += 32) element(n);
            }
            return;
        }
        const int total = (side.across ? (int)side.inner.value : lines) * (int)count;
        for (int i = threadIdx.x; i < total; i += NDFT_GEMM_THREADS) {
            const int outer = (int)side.inner.quotient((unsigned)i);
            const int inner = i - outer * (int)side.inner.value;
            const int line = side.across ? inner : outer, number = side.across ? outer : inner;
            if (line < lines) f(line)(number);
        }
    }

    /* f(byte, T{}) for a tile in one piece: 16 bytes at a time, and what is left. */
    template <class F> __device__ __forceinline__ void each_piece(int64_t count, F f) const
    {
        const int bytes = lines * (int)count * 2 * (int)sizeof(R), whole = bytes / 16 * 16;
        for (int i = 16 * threadIdx.x; i < whole; i += 16 * NDFT_GEMM_THREADS) f(i, uint4{});
        if (bytes > whole && threadIdx.x == 0) f(whole, uint2{});
    }

    /* Begins to copy all lines of T, a real or a complex number. */
    template <class T> __device__ void fetch(const ndft_gemm_lines &g, const R *in) const
    {
        const int64_t stride = g.pass.in.stride;
        if (g.in.flat) {
            const char *piece = (const char *)((const T *)in + from[0]);
            each_piece(g.pass.in.count, [&](int at, auto unit) {
                __pipeline_memcpy_async((char *)reals + at, piece + at, sizeof unit);
            });
            return;
        }
        each(g.in, g.pass.in.count, [&](int line) {
            T *own = (T *)(reals + line * g.pitch);
            const T *begin = (const T *)in + from[line];
            return [=](int n) { __pipeline_memcpy_async(own + n, begin + n * stride, sizeof(T)); };
        });
    }

    template <class T> __device__ void store(const ndft_gemm_lines &g, R *out) const
    {
        const int64_t stride = g.pass.out.stride;
        if (g.out.flat) {
            char *piece = (char *)((T *)out + to[0]);
            each_piece(g.pass.out.count, [&](int at, auto unit) {
                *(decltype(unit) *)(piece + at) =
                    *(const decltype(unit) *)((const char *)reals + at);
            });
            return;
        }
        each(g.out, g.pass.out.count, [&](int line) {
            const T *own = (const T *)(reals + line * g.pitch);
            T *begin = (T *)out + to[line];
            return [=](int k) { begin[k * stride] = own[k]; };
        });
    }
};

#endif
