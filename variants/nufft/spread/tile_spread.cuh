/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TILE_SPREAD_CUH
#define NDFT_NUFFT_TILE_SPREAD_CUH

#include "core/atomic_add.cuh"
#include "nufft/interpolate/window_tile.cuh"

/*
 * Spreading into tiles in shared memory, output driven as Polanco's. A group of threads has a
 * tile, padded by the reach of a window, and takes the samples of a part np at a time: (1) each
 * thread evaluates one sample's weights, into (np, dim, width); (2) sample after sample, the
 * threads share the tensor product of its weights, a cell and column each, so that none of them
 * meet and shared memory needs no atomics; (3) in the end the tile is added to the grid,
 * atomically.
 *
 * POINT: the group is the block, as published, with a barrier after each sample. Else, in one
 * and two dimensions, it is a warp with a tile of its own, and warps meet only when their tiles are
 * added up. In three that would be many cells for few samples: the block has one tile, of which
 * each warp owns some planes, and meets after each batch.
 */
template <class R> struct ndft_nufft_spreader {
    ndft_nufft_tile<R> tile;
    int np;     /* samples of a batch */
    int window; /* cells of a window */
};

__device__ __forceinline__ void ndft_nufft_add_to(ndft_complex<float> *cell,
                                                  ndft_complex<float> value)
{
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90,
                      (atomicAdd((float2 *)cell, make_float2(value.re, value.im));),
                      (atomicAdd(&cell->re, value.re); atomicAdd(&cell->im, value.im);))
}

__device__ __forceinline__ void ndft_nufft_add_to(ndft_complex<double> *cell,
                                                  ndft_complex<double> value)
{
    atomicAdd(&cell->re, value.re);
    atomicAdd(&cell->im, value.im);
}

template <bool BLOCK> __device__ __forceinline__ void ndft_nufft_meet()
{
    if (BLOCK)
        __syncthreads();
    else
        __syncwarp();
}

/* What a group has in shared memory. */
template <class R> struct ndft_nufft_group {
    ndft_complex<R> *tile;  /* [cell][column] */
    ndft_complex<R> *value; /* [np][column] */
    R *row;                 /* [np][stride] weights */
    int *cell;              /* [np] first cell, | its plane << 20 in three dimensions */
    const uint32_t *window; /* of all groups: x, y, z of a window's cells, 8 bits each */
    int size, thread;

    static __host__ __device__ size_t bytes(const ndft_nufft_spreader<R> &p)
    {
        const size_t values = (size_t)(p.tile.cells() + p.np) << p.tile.lanes;
        const size_t bytes = values * sizeof(ndft_complex<R>) +
                             (size_t)p.np * (p.tile.stride * sizeof(R) + sizeof(int));
        return (bytes + 15) / 16 * 16;
    }
    __device__ ndft_nufft_group(const ndft_nufft_spreader<R> &p, char *shared, bool block)
        : size(block ? blockDim.x : 32), thread(threadIdx.x % size)
    {
        tile = (ndft_complex<R> *)(shared + threadIdx.x / size * bytes(p));
        value = tile + (p.tile.cells() << p.tile.lanes);
        row = (R *)(value + (p.np << p.tile.lanes));
        cell = (int *)(row + p.np * p.tile.stride);
        window = (const uint32_t *)(shared + blockDim.x / size * bytes(p));
    }
};

/* The group's next samples: weights, first cells and values. */
template <int DIM, class R>
__device__ __forceinline__ void
ndft_nufft_load_batch(const ndft_nufft_spreader<R> &p, const ndft_weights<R> &weights,
                      const int begin[3], int first, int count, const ndft_nufft_group<R> &group)
{
    const int lanes = p.tile.lanes, column = (int)blockIdx.y << lanes;
    const ndft_nufft_columns<R> &from = p.tile.columns;
    for (int k = group.thread; k < count; k += group.size) {
        group.cell[k] = ndft_nufft_put_window<DIM>(p.tile, weights, begin, first + k,
                                                   group.row + k * p.tile.stride);
        if (DIM > 2) group.cell[k] |= (p.tile.first[2][first + k] - begin[2]) << 20;
    }
    for (int e = group.thread; e < count << lanes; e += group.size) {
        const int k = e >> lanes, c = column + (e & ((1 << lanes) - 1));
        const int64_t j = from.number ? from.number[first + k] : first + k;
        group.value[e] = c < from.count ? from.value[j * from.pitch + c] : ndft_complex<R>{0, 0};
    }
}

/* Adds sample k of the batch to the group's tile. */
template <int DIM, class R>
__device__ __forceinline__ void ndft_nufft_add_sample(const ndft_nufft_spreader<R> &p, int width,
                                                      int k, const ndft_nufft_group<R> &group)
{
    const int lanes = p.tile.lanes;
    const R *row = group.row + k * p.tile.stride;
    const ndft_complex<R> *values = group.value + (k << lanes);
    ndft_complex<R> *tile = group.tile + ((group.cell[k] & 0xfffff) << lanes);
    for (int e = group.thread; e < p.window << lanes; e += group.size) {
        const int c = e & ((1 << lanes) - 1);
        const uint32_t cell = group.window[e >> lanes], x = cell & 255, y = cell >> 8 & 255;
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

/* Adds those planes of sample k of the batch to the block's tile that the warp owns. */
template <class R>
__device__ __forceinline__ void ndft_nufft_add_planes(const ndft_nufft_spreader<R> &p, int width,
                                                      int k, const ndft_nufft_group<R> &group)
{
    const int lanes = p.tile.lanes, warps = blockDim.x / 32, warp = threadIdx.x / 32;
    const R *row = group.row + k * p.tile.stride;
    const ndft_complex<R> *values = group.value + (k << lanes);
    const int first = group.cell[k] & 0xfffff, z = group.cell[k] >> 20;
    for (int c = (warp - z) & (warps - 1); c < width; c += warps) {
        const int plane = first + c * p.tile.reach[0] * p.tile.reach[1];
        for (int e = threadIdx.x % 32; e < width * width << lanes; e += 32) {
            const uint32_t cell = group.window[e >> lanes], x = cell & 255, y = cell >> 8;
            const R weight = row[x] * row[width + y] * row[2 * width + c];
            const int column = e & ((1 << lanes) - 1), at = plane + y * p.tile.reach[0] + x;
            const ndft_complex<R> value = values[column];
            ndft_complex<R> &sum = group.tile[(at << lanes) + column];
            sum.re = fma(weight, value.re, sum.re);
            sum.im = fma(weight, value.im, sum.im);
        }
    }
}

/* Adds the groups' tiles to the grid. */
template <class R>
__device__ __forceinline__ void ndft_nufft_flush(const ndft_nufft_spreader<R> &p, int groups,
                                                 const int begin[3], const char *shared)
{
    const size_t step = ndft_nufft_group<R>::bytes(p);
    ndft_nufft_each_staged(p.tile, begin, [&](int from, int64_t to, int column) {
        ndft_complex<R> sum = {0, 0};
        for (int g = 0; g < groups; g++) {
            const ndft_complex<R> part = ((const ndft_complex<R> *)(shared + g * step))[from];
            sum.re += part.re;
            sum.im += part.im;
        }
        if (sum.re != 0 || sum.im != 0)
            ndft_nufft_add_to(ndft_nufft_column_at<R>(p.tile.grid, column) + to, sum);
    });
}

/* The cells of a window, for all groups. */
__device__ __forceinline__ void ndft_nufft_put_cells(int window, int width, uint32_t *cells)
{
    for (int e = threadIdx.x; e < window; e += blockDim.x)
        cells[e] = e % width | e / width % width << 8 | e / (width * width) << 16;
}

template <int DIM, bool POINT, class R>
__global__ void __launch_bounds__(256)
    ndft_nufft_spread_tile(const __grid_constant__ ndft_nufft_spreader<R> p,
                           const __grid_constant__ ndft_weights<R> weights)
{
    extern __shared__ float4 shared[];
    constexpr bool PLANES = !POINT && DIM == 3, BLOCK = POINT || PLANES;
    const ndft_nufft_group<R> group(p, (char *)shared, BLOCK);
    const int groups = blockDim.x / group.size;
    const ndft_nufft_part part = p.tile.part[blockIdx.x];
    int begin[3];
    ndft_nufft_tile_begin(p.tile, part.tile, begin);
    for (int e = group.thread; e < p.tile.cells() << p.tile.lanes; e += group.size)
        group.tile[e] = {0, 0};
    ndft_nufft_put_cells(p.window, weights.width, (uint32_t *)group.window);
    __syncthreads();
    for (int b = part.begin + threadIdx.x / group.size * p.np; b < part.end; b += groups * p.np) {
        const int count = min(p.np, part.end - b);
        ndft_nufft_meet<BLOCK>();
        ndft_nufft_load_batch<DIM>(p, weights, begin, b, count, group);
        ndft_nufft_meet<BLOCK>();
#pragma unroll 2 /* one a turn takes 4 to 6 % longer */
        for (int k = 0; k < count; k++) {
            if constexpr (PLANES)
                ndft_nufft_add_planes(p, weights.width, k, group);
            else
                ndft_nufft_add_sample<DIM>(p, weights.width, k, group);
            ndft_nufft_meet<POINT>();
        }
    }
    __syncthreads();
    ndft_nufft_flush(p, groups, begin, (const char *)shared);
}

#endif
