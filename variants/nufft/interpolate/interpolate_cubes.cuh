/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERPOLATE_CUBES_CUH
#define NDFT_NUFFT_INTERPOLATE_CUBES_CUH

#include "nufft/order/cubes.cuh"

/*
 * Interpolation from cubes (cubes.cuh): a warp has a cube's cells in registers, from the caches,
 * while its samples last,
 *
 *     planes' sums (16 x samples) = cube (16 x 64) weights along x and y (64 x samples),
 *
 * which are weighed along z and summed over the lanes.
 */

namespace
{

enum { CUBE_WARPS = 4 }; /* of a block */

struct cube_weights {
    float x[32 * CUBE_ROW], y[32 * CUBE_ROW], z[CUBE * CUBE_COLUMN];
    ndft_complex<float> sum[32];
};

/* Puts the weights of a lane's sample; gives where its cube begins in the grid. */
template <int W>
__device__ __forceinline__ int3 put_sample(const ndft_nufft_view<float, W> &view, int64_t i,
                                           cube_weights &m)
{
    const int lane = threadIdx.x;
    float *const to[3] = {m.x + lane * CUBE_ROW, m.y + lane * CUBE_ROW, m.z + lane};
    int begin[3];
#pragma unroll
    for (int d = 0; d < 3; d++) {
        const int first = view.samples.first[d][i], shift = first % cube_step<W>;
        begin[d] = first - shift;
        put_weights(view.weights, ((const float *)view.samples.s[d])[i], shift, to[d],
                    d == 2 ? CUBE_COLUMN : 1);
    }
    return {begin[0], begin[1], begin[2]};
}

/* The cells of a cube that a lane has, of plane lane / 4, at lane % 4 of both halves along x, as an
 * operand for each y. */
__device__ __forceinline__ void read_cube(const ndft_nufft_grid &grid,
                                          const ndft_complex<float> *column, int3 begin,
                                          cube_operand<4> (&cell)[CUBE])
{
    const int first = begin.x + (int)threadIdx.x % 4;
    column += ndft_wrapped(begin.z + (int)threadIdx.x / 4, grid.n[2]) * grid.plane;
    ndft_complex<float> at[CUBE][2];
    if (begin.x + CUBE <= grid.n[0] && begin.y + CUBE <= grid.n[1]) { /* of all lanes */
        column += begin.y * grid.row + first;
#pragma unroll
        for (int y = 0; y < CUBE; y++, column += grid.row) {
            at[y][0] = column[0];
            at[y][1] = column[CUBE / 2];
        }
    } else {
#pragma unroll
        for (int y = 0; y < CUBE; y++) {
            const ndft_complex<float> *row =
                column + ndft_wrapped(begin.y + y, grid.n[1]) * grid.row;
            at[y][0] = row[ndft_wrapped(first, grid.n[0])];
            at[y][1] = row[ndft_wrapped(first + CUBE / 2, grid.n[0])];
        }
    }
#pragma unroll
    for (int y = 0; y < CUBE; y++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            cell[y].put(2 * h, at[y][h].re);
            cell[y].put(2 * h + 1, at[y][h].im);
        }
}

/* The sums of eight samples from `first` on, those before `end`, to shared memory. */
__device__ __forceinline__ void sum_samples(const cube_operand<4> (&cell)[CUBE], int first, int end,
                                            cube_weights &m)
{
    using product = ndft_mma_tf32;
    const int g = threadIdx.x / 4, s = min(first + g, 31);
    const float *row = m.x + s * CUBE_ROW + threadIdx.x % 4;
    const float x0 = row[0], x1 = row[CUBE / 2];
    const cube_row y(m.y + s * CUBE_ROW);
    float sum[2][3][4] = {}; /* products of one sum do not follow each other */
#pragma unroll
    for (int c = 0; c < CUBE; c++) {
        cube_operand<2> b;
        b.put(0, x0 * y.v[c]);
        b.put(1, x1 * y.v[c]);
        product::multiply(sum[c % 2][0], cell[c].high, b.high[0], b.high[1]);
        product::multiply(sum[c % 2][1], cell[c].low, b.high[0], b.high[1]);
        product::multiply(sum[c % 2][2], cell[c].high, b.low[0], b.low[1]);
    }
    const int at = first + threadIdx.x % 4 * 2;
    float part[4];
#pragma unroll
    for (int e = 0; e < 4; e++)
        part[e] = (sum[0][0][e] + sum[1][0][e] +
                   (sum[0][1][e] + sum[0][2][e] + (sum[1][1][e] + sum[1][2][e]))) *
                  m.z[g * CUBE_COLUMN + min(at + e % 2, 31)];
    add_lanes(part, at, end, m.sum);
}

/* The sums of a warp's 32 samples over one column: of those before `count`, by their cubes. */
__device__ __forceinline__ ndft_complex<float>
read_samples(const ndft_nufft_grid &grid, const ndft_complex<float> *column, int3 begin, int count,
             cube_operand<4> (&cell)[CUBE], int &held, cube_weights &m)
{
    const int cube = (begin.z * grid.n[1] + begin.y) * grid.n[0] + begin.x;
    each_cube(cube, count, [&](int first, int end, int at) {
        if (at != held) {
            const int3 from = {__shfl_sync(~0u, begin.x, first), __shfl_sync(~0u, begin.y, first),
                               __shfl_sync(~0u, begin.z, first)};
            read_cube(grid, column, from, cell);
            held = at;
        }
#pragma unroll 1
        for (int k = first; k < end; k += 8) sum_samples(cell, k, end, m);
    });
    __syncwarp();
    const ndft_complex<float> sum = m.sum[threadIdx.x];
    __syncwarp();
    return sum;
}

/* Warp = share of the samples (x), a multiple of 32, of a coil (y). */
template <int W>
__global__ void __launch_bounds__(32 * CUBE_WARPS)
    interpolate_cubes(const __grid_constant__ ndft_nufft_view<float, W> view, int share,
                      ndft_complex<float> *out)
{
    __shared__ alignas(16) cube_weights memory[CUBE_WARPS];
    cube_weights &m = memory[threadIdx.y];
    const int64_t from = (blockIdx.x * (int64_t)CUBE_WARPS + threadIdx.y) * share;
    const int64_t to = min(from + share, view.samples.count);
    const int coil = blockIdx.y;
    cube_operand<4> cell[CUBE];
    int held = -1; /* the cube that is in registers */
    ndft_wait_for_kernel_before();
    for (int64_t i = from; i < to; i += 32) {
        const int count = (int)min((int64_t)32, to - i);
        const int64_t mine = min(i + threadIdx.x, to - 1), j = view.samples.number[mine];
        const int3 begin = put_sample<W>(view, mine, m);
        __syncwarp();
        ndft_complex<float> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            if (view.pass.terms > 1) held = -1;
            const ndft_complex<float> value =
                read_samples(view.grid, ndft_column(view, term, coil), begin, count, cell, held, m);
            const ndft_complex<float> turn = ndft_sample_weight(view, j, term);
            ndft_accumulate(sum, turn.re, turn.im, value);
        }
        if ((int)threadIdx.x < count) ndft_put_sample(view, j, coil, sum, out);
    }
}

template <int W>
ndft_status run_interpolate_cubes(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                  void *out)
{
    const int64_t of_device = plan->arrays.exec->device.units * (int64_t)2048; /* one each */
    const int share = plan->samples.count * pass->coils < 4 * of_device ? 32 : 64;
    const dim3 blocks(ndft_blocks(plan->samples.count, CUBE_WARPS * share), (unsigned)pass->coils);
    return ndft_launch(plan->arrays.exec, plan->planar != nullptr, blocks, dim3(32, CUBE_WARPS), 0,
                       interpolate_cubes<W>, ndft_nufft_view_of<float, W>(plan, pass), share,
                       (ndft_complex<float> *)out);
}

} // namespace

#endif
