/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_KERNEL_CUH
#define NDFT_GEMM_WGMMA_KERNEL_CUH

#include "core/bulk.cuh"
#include "core/mma.cuh"
#include "core/wgmma.cuh"
#include "gemm_wgmma_matrix.cuh"

/*
 * Folded products (folded.h) by wgmma, of compute capability 9.0a alone, three of f16 for one of
 * f32. The lines are operand A, from registers: rows g and g + 8 of a warp's 16 are the real and
 * imaginary parts of a complex line, or two real ones, so that a thread folds what it multiplies
 * and has whole outputs. The matrices are operand B, which all of a tile share in shared memory.
 * Inputs and outputs are numbered so that no two threads of a half warp meet in a bank where a
 * line's pitch is odd: a thread's are 4l to 4l + 3 of each 16. Numbers of a step that are beyond
 * the middle are mirror images, whose factors are zeros. A side of a tile that lies in one piece is
 * copied in bulk.
 */

/* A thread's part of its line, or of its two real ones: inputs 16 step + 4l + v, then outputs
 * alike. */
template <int DOMAIN, int STEPS> struct ndft_wgmma_line {
    static constexpr bool REAL = DOMAIN != NDFT_C2C;
    float even[2][4 * STEPS], odd[2][4 * STEPS]; /* of real and imaginary parts, or of two lines */

    /* The columns' inputs j and length - j, or of a half spectrum e and o themselves. */
    static __device__ __forceinline__ void load(const float *const (&line)[2], int length, int j,
                                                bool first, float (&x)[2], float (&mirrored)[2])
    {
        if constexpr (DOMAIN == NDFT_C2C) {
            const auto *z = (const float2 *)line[0];
            const float2 a = z[j], b = z[first ? 0 : length - j];
            x[0] = a.x, x[1] = a.y, mirrored[0] = b.x, mirrored[1] = b.y;
        } else {
#pragma unroll
            for (int c = 0; c < 2; c++)
                x[c] = line[c][j], mirrored[c] = line[c][first ? 0 : length - j];
        }
    }

    /* most: the largest of each column. line: of both real ones. */
    __device__ __forceinline__ void fold(const float *const (&line)[2], int length,
                                         float (&most)[2])
    {
        const int l = threadIdx.x % 4;
        most[0] = most[1] = 0;
#pragma unroll
        for (int i = 0; i < 4 * STEPS; i++) {
            const int j = i / 4 * 16 + i % 4 + 4 * l;
            const bool first = i == 0 && l == 0;
            if constexpr (DOMAIN == NDFT_C2R) {
                const bool beyond = i >= 4 * (STEPS - 1) && 2 * j > length;
                const bool real = first || (i >= 4 * (STEPS - 1) && 2 * j >= length);
#pragma unroll
                for (int c = 0; c < 2; c++) {
                    even[c][i] = beyond ? 0 : line[c][2 * j];
                    odd[c][i] = real ? 0 : line[c][2 * j + 1];
                }
            } else {
                float x[2], mirrored[2];
                load(line, length, j, first, x, mirrored);
#pragma unroll
                for (int c = 0; c < 2; c++)
                    even[c][i] = x[c] + mirrored[c], odd[c][i] = x[c] - mirrored[c];
            }
#pragma unroll
            for (int c = 0; c < 2; c++)
                most[c] = ndft_larger(ndft_larger(most[c], fabsf(even[c][i])), fabsf(odd[c][i]));
        }
        if (!REAL) most[0] = most[1] = ndft_larger(most[0], most[1]);
#pragma unroll
        for (int c = 0; c < 2; c++)
#pragma unroll
            for (int apart = 1; apart < 4; apart *= 2)
                most[c] = ndft_larger(most[c], __shfl_xor_sync(~0u, most[c], apart));
    }

    /* Operand A of a step in two parts. */
    static __device__ __forceinline__ void split(const float (&x)[2][4 * STEPS], int step,
                                                 const float (&scale)[2], unsigned (&a)[2][4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float *from = x[i % 2] + 4 * step + i / 2 * 2;
            ndft_split_f16(scale[i % 2] * from[0], scale[i % 2] * from[1], a[0][i], a[1][i]);
        }
#pragma unroll
        for (int p = 0; p < 2; p++) ndft_wgmma_unit::settle(a[p]);
    }

    /* e, o = the products, scaled. */
    __device__ __forceinline__ void multiply(const void *matrix, const float (&scale)[2],
                                             float (&e)[8 * STEPS], float (&o)[8 * STEPS]) const
    {
        using unit = ndft_wgmma_unit;
        using sums = float(&)[2 * STEPS][4];
        constexpr int PART = 512 * STEPS >> 4; /* bytes of a part of a step, in descriptors */
        /* 128 bytes to the next core matrix along the inputs, 256 to the next outputs. */
        uint64_t b = unit::descriptor(ndft_shared_address(matrix), 128, 256);
        auto &ev = reinterpret_cast<sums>(e), &od = reinterpret_cast<sums>(o);
        unsigned x[2][2][4], y[2][2][4]; /* of two steps: products read them until they are done */
#pragma unroll
        for (int step = 0; step < STEPS; step++, b += 4 * PART) {
            auto &ex = x[step % 2], &oy = y[step % 2];
            if (step > 1) unit::wait<1>();
            split(even, step, scale, ex);
            split(odd, step, scale, oy);
            unit::fence();
            unit::multiply(ev, ex[1], b, step > 0);
            unit::multiply(od, oy[1], b + 2 * PART, step > 0);
            unit::multiply(ev, ex[0], b + PART, 1);
            unit::multiply(od, oy[0], b + 3 * PART, 1);
            unit::multiply(ev, ex[0], b, 1);
            unit::multiply(od, oy[0], b + 2 * PART, 1);
            unit::commit();
        }
        unit::wait<0>();
#pragma unroll
        for (int i = 0; i < 8 * STEPS; i++) asm volatile("" : "+f"(e[i]), "+f"(o[i])::"memory");
    }

    /* Outputs k and length - k from sums of one column (r) and the other (r + 2). */
    static __device__ __forceinline__ void unfold(float *const (&line)[2], int length,
                                                  const float (&back)[2],
                                                  const float (&e)[8 * STEPS],
                                                  const float (&o)[8 * STEPS])
    {
        const int l = threadIdx.x % 4;
#pragma unroll
        for (int i = 0; i < 4 * STEPS; i++) {
            const int k = i / 4 * 16 + i % 4 + 4 * l, r = i / 2 * 4 + i % 2;
            const bool mirrored = i > 0 || l > 0;
            if (i >= 4 * (STEPS - 1) && 2 * k > length) continue;
            const float re = back[0] * e[r], im = back[1] * e[r + 2];
            if constexpr (DOMAIN == NDFT_C2C) {
                auto *y = (float2 *)line[0];
                y[k] = {fmaf(-back[0], o[r + 2], re), fmaf(back[0], o[r], im)};
                if (mirrored)
                    y[length - k] = {fmaf(back[0], o[r + 2], re), fmaf(-back[0], o[r], im)};
            } else if constexpr (DOMAIN == NDFT_R2C) {
                ((float2 *)line[0])[k] = {re, back[0] * o[r]};
                ((float2 *)line[1])[k] = {im, back[1] * o[r + 2]};
            } else {
                line[0][k] = fmaf(-back[0], o[r], re);
                line[1][k] = fmaf(-back[1], o[r + 2], im);
                if (mirrored) line[0][length - k] = fmaf(back[0], o[r], re);
                if (mirrored) line[1][length - k] = fmaf(back[1], o[r + 2], im);
            }
        }
    }
};

/* Bytes of so many lines on a side. */
__device__ __forceinline__ int ndft_wgmma_bytes(const ndft_line_side &side, int lines)
{
    return lines * (int)side.count * (side.real ? 4 : 8);
}

/* A tile in one piece comes by bulk copy of one thread, but for what is beyond multiples of 16
 * bytes. */
__device__ __forceinline__ void ndft_wgmma_fetch(float *to, const void *from, int bytes,
                                                 ndft_bulk_barrier &barrier)
{
    const int whole = bytes / 16 * 16;
    for (int i = whole / 4; i < bytes / 4; i++) to[i] = ((const float *)from)[i];
    barrier.expect(whole);
    barrier.copy(to, from, whole);
}

__device__ __forceinline__ void ndft_wgmma_store(void *to, const float *from, int bytes)
{
    const int whole = bytes / 16 * 16;
    ndft_bulk_store(to, from, whole);
    for (int i = whole / 4; i < bytes / 4; i++) ((float *)to)[i] = from[i];
}

/* A block for tiles blockIdx.x, + gridDim.x and so on; with two stages the next tile comes while
 * one is multiplied, with one there is no next. */
template <int DOMAIN, int STEPS>
__global__ void __launch_bounds__(NDFT_GEMM_THREADS, STEPS == 4 ? 3 : 4)
    ndft_multiply_wgmma(const __grid_constant__ ndft_gemm_lines g, int64_t tiles, int stages,
                        const float *in, float *out)
{
    constexpr int LINES = ndft_wgmma_lines(DOMAIN), OF_WARP = LINES / 4;
    extern __shared__ __align__(128) unsigned char wgmma_room[];
    __shared__ ndft_bulk_barrier full[2], ready;
    __shared__ int64_t places[4][LINES];
    auto *const tile_room = (float *)(wgmma_room + ndft_wgmma_matrix(STEPS));
    const int thread = threadIdx.x, length = (int)g.pass.length;
    const int own_line = thread / 32 * OF_WARP + thread % 32 / 4;
    const int64_t in_bytes = ndft_wgmma_bytes(g.pass.in, LINES);
    const int64_t out_bytes = ndft_wgmma_bytes(g.pass.out, LINES);
    const int in_pitch = g.in.flat ? (int)in_bytes / 4 / LINES : g.pitch;
    const int out_pitch = g.out.flat ? (int)out_bytes / 4 / LINES : g.pitch;
    ndft_line_tile<float> own = {tile_room, places[0], places[1], 0};
    ndft_line_tile<float> next = {tile_room + (stages - 1) * LINES * g.pitch, places[2], places[3],
                                  0};
    const auto fetch = [&](ndft_line_tile<float> &tile, int64_t number,
                           ndft_bulk_barrier &barrier) {
        if (!g.in.flat) {
            ndft_with_types<DOMAIN, float>(
                [&](auto x, auto) { tile.template fetch<decltype(x)>(g, in); });
            __pipeline_commit();
        } else if (thread == 0) {
            ndft_wgmma_fetch(tile.reals, (const unsigned char *)in + number * in_bytes,
                             ndft_wgmma_bytes(g.pass.in, tile.lines), barrier);
        }
    };
    if (thread == 0) {
        full[0].begin();
        full[1].begin();
        ready.begin();
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    /* Plan has waited for the matrices. Where many tiles follow, their copies would only be in the
     * way of the kernel before. */
    const auto fetch_matrices = [&](bool now) {
        if (!now || thread != 0) return;
        ready.expect(ndft_wgmma_matrix(STEPS));
        ready.copy(wgmma_room, g.matrix, ndft_wgmma_matrix(STEPS));
    };
    fetch_matrices(stages == 1);
    ndft_wait_for_kernel_before();
    own.find(g, blockIdx.x);
    __syncthreads();
    fetch(own, blockIdx.x, full[0]);
    fetch_matrices(stages > 1);
    ndft_wgmma_line<DOMAIN, STEPS> line;
    for (int64_t tile = blockIdx.x, turn = 0; tile < tiles; tile += gridDim.x, turn++) {
        next.find(g, tile + gridDim.x);
        if (g.in.flat) {
            full[turn % stages].wait((int)(turn / stages));
        } else {
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        const float *from = own.reals + own_line * in_pitch;
        float *to = own.reals + own_line * out_pitch;
        float most[2], scale[2], back[2], e[8 * STEPS], o[8 * STEPS];
        line.fold({from, from + 8 * in_pitch}, length, most);
        if (next.lines > 0) {
            if (g.out.flat && thread == 0) ndft_bulk_stores_read();
            if (!g.in.flat) __syncthreads();
            fetch(next, tile + gridDim.x, full[(turn + 1) % stages]);
        } else {
            ndft_let_kernel_after_begin();
        }
#pragma unroll
        for (int c = 0; c < 2; c++) {
            scale[c] = ndft_f16_scale(most[c]);
            back[c] = 1 / scale[c] / NDFT_WGMMA_TOP;
        }
        if (turn == 0) ready.wait(0);
        line.multiply(wgmma_room, scale, e, o);
        if (DOMAIN == NDFT_C2C)
            __syncwarp(); /* all lanes have read */
        else
            __syncthreads(); /* all warps have, whose lines may lie elsewhere now */
        line.unfold({to, to + 8 * out_pitch}, length, back, e, o);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (!g.out.flat) {
            ndft_with_types<DOMAIN, float>(
                [&](auto, auto y) { own.template store<decltype(y)>(g, out); });
            __syncthreads();
        } else if (thread == 0) {
            ndft_wgmma_store((unsigned char *)out + tile * out_bytes, own.reals,
                             ndft_wgmma_bytes(g.pass.out, own.lines));
        }
        const ndft_line_tile<float> done = own;
        own = next;
        next = done;
    }
    if (thread == 0) ndft_bulk_stores_read();
}

#endif
