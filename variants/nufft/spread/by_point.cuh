/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_BY_POINT_CUH
#define NDFT_NUFFT_BY_POINT_CUH

#include "tile_spread.cuh"

/*
 * Output-driven spreading as published: the group is the block, a thread for each cell of a window,
 * and ends every sample with a barrier.
 */

/* The cells of a window: x, y, z, 8 bits each. */
__device__ __forceinline__ void ndft_nufft_put_cells(int cells, int width, uint32_t *window)
{
    for (int e = threadIdx.x; e < cells; e += blockDim.x)
        window[e] = e % width | e / width % width << 8 | e / (width * width) << 16;
}

template <int DIM, class R>
__device__ __forceinline__ void ndft_nufft_add_point(const ndft_nufft_spreader<R> &p, int width,
                                                     int cells, const uint32_t *window, int k,
                                                     const ndft_nufft_group<R> &group)
{
    const int lanes = p.tile.lanes;
    const R *row = group.row + k * p.tile.stride;
    const ndft_complex<R> *values = group.value + (k << lanes);
    ndft_complex<R> *tile = group.tile + (group.cell[k] << lanes);
    for (int e = group.thread; e < cells << lanes; e += group.size) {
        const int c = e & ((1 << lanes) - 1);
        const uint32_t cell = window[e >> lanes], x = cell & 255, y = cell >> 8 & 255;
        const uint32_t z = cell >> 16;
        R weight = row[x];
        if (DIM > 1) weight *= row[width + y];
        if (DIM > 2) weight *= row[2 * width + z];
        const int at = (z * p.tile.reach[1] + y) * p.tile.reach[0] + x;
        const ndft_complex<R> value = values[c];
        ndft_complex<R> &sum = tile[(at << lanes) + c];
        sum.re = fma(weight, value.re, sum.re);
        sum.im = fma(weight, value.im, sum.im);
    }
}

/* cells: of a window, which has room for as many words behind the group's. */
template <int DIM, class R>
__global__ void __launch_bounds__(256)
    ndft_nufft_spread_by_point(const __grid_constant__ ndft_nufft_spreader<R> p,
                               const __grid_constant__ ndft_weights<R> weights, int cells)
{
    extern __shared__ float4 shared[];
    const ndft_nufft_group<R> group(p, shared, blockDim.x);
    uint32_t *window = (uint32_t *)((char *)shared + group.bytes(p));
    const ndft_nufft_part part = p.tile.part[blockIdx.x];
    int begin[3];
    ndft_nufft_tile_begin(p.tile, part.tile, begin);
    group.clear();
    ndft_nufft_put_cells(cells, weights.width, window);
    for (int b = part.begin; b < part.end; b += p.np) {
        const int count = min(p.np, part.end - b);
        ndft_nufft_load_batch<DIM>(p, weights, begin, b, count, group);
        __syncthreads();
        for (int k = 0; k < count; k++) {
            ndft_nufft_add_point<DIM>(p, weights.width, cells, window, k, group);
            __syncthreads();
        }
    }
    ndft_nufft_flush(p, 1, begin, shared);
}

#endif
