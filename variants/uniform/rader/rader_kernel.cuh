/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RADER_KERNEL_CUH
#define NDFT_RADER_KERNEL_CUH

#include "rader.cuh"
#include "uniform/direct/gemm_wgmma_kernel.cuh"

/*
 * A line of prime length P = 1 + A B, A and B coprime, after Rader: a cyclic convolution of P - 1
 * numbers, whose transforms are A by B without factors between (Good 1958). Numbers lie in shared
 * memory as A rows; each row, then each column is transformed by wgmma as uniform_gemm's lines are,
 * 32 of them by four warps. What a thread has of a column's spectrum, k and A - k, is what it folds
 * for the way back, so that product and inverse stay in registers. The inverse is the forward
 * transform of conjugates. A line of A B numbers is such a matrix itself, transformed once.
 */

/* Numbers 16 step + 4l + v of a line and their mirror images. line: its first, `apart` numbers
 * between. */
template <int STEPS>
__device__ __forceinline__ void ndft_rader_load(const float2 *line, int apart, int length,
                                                float2 (&x)[4 * STEPS],
                                                float2 (&mirrored)[4 * STEPS])
{
    const int l = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < 4 * STEPS; i++) {
        const int j = i / 4 * 16 + i % 4 + 4 * l;
        x[i] = line[j * apart];
        mirrored[i] = line[(i == 0 && l == 0 ? 0 : length - j) * apart];
    }
}

/* x, mirrored = their line's transform. What is not finite spoils the whole line whatever the
 * scale.
 */
template <int STEPS>
__device__ __forceinline__ void ndft_rader_transform(const void *matrix, float2 (&x)[4 * STEPS],
                                                     float2 (&mirrored)[4 * STEPS])
{
    ndft_wgmma_line<NDFT_C2C, STEPS> line;
    float most[4] = {0, 0, 0, 0}, e[8 * STEPS], o[8 * STEPS];
#pragma unroll
    for (int i = 0; i < 4 * STEPS; i++) {
        const float2 a = x[i], b = mirrored[i];
        line.even[0][i] = a.x + b.x, line.even[1][i] = a.y + b.y;
        line.odd[0][i] = a.x - b.x, line.odd[1][i] = a.y - b.y;
#pragma unroll
        for (int c = 0; c < 2; c++) {
            most[c] = fmaxf(most[c], fabsf(line.even[c][i]));
            most[2 + c] = fmaxf(most[2 + c], fabsf(line.odd[c][i]));
        }
    }
    float all = fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
#pragma unroll
    for (int apart = 1; apart < 4; apart *= 2) all = fmaxf(all, __shfl_xor_sync(~0u, all, apart));
    const float scale = ndft_f16_scale(all), back = 1 / scale / NDFT_WGMMA_TOP;
    line.multiply(matrix, {scale, scale}, e, o);
#pragma unroll
    for (int i = 0; i < 4 * STEPS; i++) {
        const int r = i / 2 * 4 + i % 2;
        const float re = back * e[r], im = back * e[r + 2];
        x[i] = {fmaf(-back, o[r + 2], re), fmaf(back, o[r], im)};
        mirrored[i] = {fmaf(back, o[r + 2], re), fmaf(-back, o[r], im)};
    }
}

/* Numbers beyond the middle are stored twice, by their own thread and as mirror images, which are
 * the same: only the latter are. */
template <int STEPS>
__device__ __forceinline__ void ndft_rader_store(float2 *line, int apart, int length,
                                                 const float2 (&x)[4 * STEPS],
                                                 const float2 (&mirrored)[4 * STEPS])
{
    const int l = threadIdx.x % 4;
#pragma unroll
    for (int i = 0; i < 4 * STEPS; i++) {
        const int k = i / 4 * 16 + i % 4 + 4 * l;
        if (i >= 4 * (STEPS - 1) && 2 * k > length) continue;
        line[k * apart] = x[i];
        if (i > 0 || l > 0) line[(length - k) * apart] = mirrored[i];
    }
}

/* The product with the filter, conjugated. */
__device__ __forceinline__ float2 ndft_rader_product(float2 x, float2 f)
{
    return {fmaf(x.x, f.x, -x.y * f.y), -fmaf(x.x, f.y, x.y * f.x)};
}

/* What a block copies from plan's table, which plan has waited for: first the inputs' numbers. */
struct ndft_rader_copies {
    ndft_bulk_barrier inputs, rest;

    __device__ __forceinline__ void begin(const ndft_rader_layout &at, unsigned char *room,
                                          const void *table)
    {
        const auto *const from = (const unsigned char *)table;
        inputs.begin();
        rest.begin();
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        inputs.expect(at.output - at.input);
        inputs.copy(room + at.input, from + at.input, at.output - at.input);
        rest.expect(at.input + at.cells - at.output);
        rest.copy(room, from, at.input);
        rest.copy(room + at.output, from + at.output, at.cells - at.output);
    }
};

/* The product of a column's spectrum with the filter, and the way back. first: input 0, and output
 * 0 that is made. */
template <int STEPS>
__device__ __forceinline__ void
ndft_rader_convolve(const ndft_rader_shape &s, const unsigned char *room, int column,
                    float2 (&first)[2], float2 (&x)[4 * STEPS], float2 (&mirrored)[4 * STEPS])
{
    const ndft_rader_layout at(s);
    float2 f[4 * STEPS], f_mirrored[4 * STEPS];
    ndft_rader_load<STEPS>((const float2 *)(room + at.filter) + (column < s.rows ? column : 0),
                           s.pitch, s.columns, f, f_mirrored);
    const float2 sum = x[0], zeroth = first[0];
#pragma unroll
    for (int i = 0; i < 4 * STEPS; i++) {
        x[i] = ndft_rader_product(x[i], f[i]);
        mirrored[i] = ndft_rader_product(mirrored[i], f_mirrored[i]);
    }
    if (threadIdx.x == 0 && column == 0) {
        /* Input 0 is part of all outputs, of which number 0 is the sum of all inputs. */
        first[1] = {sum.x + zeroth.x, sum.y + zeroth.y};
        x[0].x += zeroth.x, x[0].y -= zeroth.y;
        mirrored[0] = x[0];
    }
    ndft_rader_transform<STEPS>(room + at.of_columns, x, mirrored);
}

/* A block a line; threads to spare have some of plan's numbers for a line, which nobody writes.
 * Rows of 16 ROW_STEPS folded numbers at most, columns of 16 COLUMN_STEPS. */
template <bool PRIME, int COLUMN_STEPS, int ROW_STEPS>
__global__ void __launch_bounds__(NDFT_RADER_THREADS, ROW_STEPS > 3 ? 1 : 2)
    ndft_rader_lines(const __grid_constant__ ndft_rader g, const float *in, float *out)
{
    constexpr int AT_ONCE = NDFT_RADER_THREADS / 4, TOGETHER = 8; /* lines, numbers of a thread */
    extern __shared__ __align__(128) unsigned char rader_room[];
    __shared__ ndft_rader_copies copies;
    __shared__ float2 first[2]; /* input 0 and output 0 */
    const ndft_rader_shape &s = g.shape;
    const ndft_rader_layout at(s);
    const auto *const spare = (const float2 *)(rader_room + (PRIME ? at.filter : 0));
    const auto *const input = (const uint16_t *)(rader_room + at.input);
    const auto *const output = (const uint16_t *)(rader_room + at.output);
    auto *const cell = (float2 *)(rader_room + at.cells);
    const int thread = threadIdx.x, own = thread / 4;
    const auto *const from = (const float2 *)in + ndft_line_at(&g.pass, &g.pass.in, blockIdx.x);
    auto *const to = (float2 *)out + ndft_line_at(&g.pass, &g.pass.out, blockIdx.x);
    if (thread == 0) copies.begin(at, rader_room, g.table);
    ndft_wait_for_kernel_before();
    for (int n0 = thread; n0 < s.length; n0 += TOGETHER * NDFT_RADER_THREADS) {
        float2 x[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int n = n0 + i * NDFT_RADER_THREADS;
            if (n < s.length) x[i] = from[n * g.pass.in.stride];
        }
        if (n0 == thread) {
            __syncthreads();
            copies.inputs.wait(0);
        }
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int n = n0 + i * NDFT_RADER_THREADS;
            if (n < s.length) *(PRIME && n == 0 ? first : cell + input[n]) = x[i];
        }
    }
    copies.rest.wait(0);
    __syncthreads();
#pragma unroll 1
    for (bool back = false;; back = true) {
        for (int row = own; row - own % 32 < s.columns; row += AT_ONCE) {
            const bool there = row < s.columns;
            float2 x[4 * ROW_STEPS], mirrored[4 * ROW_STEPS], *line = cell + row * s.pitch;
            ndft_rader_load<ROW_STEPS>(there ? line : spare, 1, s.rows, x, mirrored);
            ndft_rader_transform<ROW_STEPS>(rader_room, x, mirrored);
            __syncwarp(); /* all lanes have read */
            if (there) ndft_rader_store<ROW_STEPS>(line, 1, s.rows, x, mirrored);
        }
        if (back) break;
        __syncthreads();
        for (int column = own; column - own % 32 < s.rows; column += AT_ONCE) {
            const bool there = column < s.rows;
            float2 x[4 * COLUMN_STEPS], mirrored[4 * COLUMN_STEPS];
            ndft_rader_load<COLUMN_STEPS>(there ? cell + column : spare,
                                          PRIME || there ? s.pitch : 0, s.columns, x, mirrored);
            ndft_rader_transform<COLUMN_STEPS>(rader_room + at.of_columns, x, mirrored);
            if constexpr (PRIME)
                ndft_rader_convolve<COLUMN_STEPS>(s, rader_room, column, first, x, mirrored);
            __syncwarp();
            if (there)
                ndft_rader_store<COLUMN_STEPS>(cell + column, s.pitch, s.columns, x, mirrored);
        }
        if (!PRIME) break;
        __syncthreads();
    }
    ndft_let_kernel_after_begin();
    __syncthreads();
    for (int k0 = thread; k0 < s.length; k0 += TOGETHER * NDFT_RADER_THREADS) {
        float2 y[TOGETHER];
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int k = k0 + i * NDFT_RADER_THREADS;
            if (k < s.length) y[i] = *(PRIME && k == 0 ? first + 1 : cell + output[k]);
        }
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
            const int k = k0 + i * NDFT_RADER_THREADS;
            if (k < s.length)
                to[k * g.pass.out.stride] = {y[i].x, PRIME && k > 0 ? -y[i].y : y[i].y};
        }
    }
}

#endif
