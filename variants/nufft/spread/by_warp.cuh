/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_BY_WARP_CUH
#define NDFT_NUFFT_BY_WARP_CUH

#include "tile_spread.cuh"

/*
 * Output-driven spreading without waiting: the group is a warp, which has a tile and a batch of its
 * own, so that nobody waits for a sample; warps of a block meet when their tiles are added up. A
 * lane keeps its cells of a window's cross-section, x and y, and goes along z, where what it reads
 * does not depend on what it wrote. The next sample's weights are read before this one is added.
 * The widest windows in three dimensions have tiles of which a multiprocessor holds one: four warps
 * share it, each of which owns every fourth plane, and meet after each batch. The ceiling is the
 * shared memory path, a read and a write per cell, sample and column.
 */

/* Warps of a group. */
template <int DIM, int W> constexpr int ndft_nufft_sharers = DIM > 2 && W == NDFT_MAX_WIDTH ? 4 : 1;

/* Cells of a cross-section. */
template <int DIM, int W> constexpr int ndft_nufft_cells_across = (DIM > 1 ? W : 1) * W;

/* Those that a lane has in one turn: all for one column, up to four. */
template <int DIM, int W>
constexpr int ndft_nufft_slots = ndft_nufft_cells_across<DIM, W> > 96
                                     ? 4
                                     : (ndft_nufft_cells_across<DIM, W> + 31) / 32;

/* Where they are: in the tile, counted from a sample's first, -1 for none; and along x and y. */
template <int SLOTS> struct ndft_nufft_section {
    int at[SLOTS], x[SLOTS], y[SLOTS];

    /* The cells from `first` on, [cell][column] side by side in lanes. */
    template <int DIM>
    __device__ __forceinline__ void take(int first, int width, int pitch, int lanes)
    {
        const int lane = threadIdx.x % 32, cells = DIM > 1 ? width * width : width;
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            const int e = first + ((32 * s + lane) >> lanes);
            y[s] = e < cells ? e / width : 0;
            x[s] = e < cells ? e % width : 0;
            at[s] = e < cells ? ((y[s] * pitch + x[s]) << lanes) + (lane & ((1 << lanes) - 1)) : -1;
        }
    }
};

/* A sample as a lane adds it. */
template <class R, int SLOTS> struct ndft_nufft_point {
    ndft_complex<R> value;
    R weight[SLOTS];
    const R *z; /* weights along z */
    int first;  /* cell of the tile */

    template <int DIM>
    __device__ __forceinline__ void load(const ndft_nufft_group<R> &group, int stride, int width,
                                         int lanes, const ndft_nufft_section<SLOTS> &section, int k)
    {
        const R *row = group.row + k * stride;
        z = row + 2 * width;
        first = group.cell[k] << lanes;
        value = group.value[(k << lanes) + (group.thread & ((1 << lanes) - 1))];
#pragma unroll
        for (int s = 0; s < SLOTS; s++) {
            weight[s] = row[section.x[s]];
            if (DIM > 1) weight[s] *= row[width + section.y[s]];
        }
    }
};

/* Adds a value times the weights along z to every STEP-th of the cells above `cell`. */
template <int W, int STEP, class R>
__device__ __forceinline__ void ndft_nufft_add_pillar(ndft_complex<R> value, const R *weight,
                                                      int start, int width, int plane,
                                                      ndft_complex<R> *cell)
{
    constexpr int TURN = W == NDFT_MAX_WIDTH ? 4 : W;
    for (int first = start; first < width; first += TURN * STEP) {
        ndft_complex<R> sum[TURN];
        R by[TURN];
#pragma unroll
        for (int i = 0; i < TURN; i++) {
            const int z = first + i * STEP;
            if (z >= width) break;
            by[i] = weight[z];
            sum[i] = cell[z * plane];
        }
#pragma unroll
        for (int i = 0; i < TURN; i++) {
            const int z = first + i * STEP;
            if (z >= width) break;
            cell[z * plane] = {fma(by[i], value.re, sum[i].re), fma(by[i], value.im, sum[i].im)};
        }
    }
}

/* Adds a sample to the cells of the tile that are the warp's. */
template <int DIM, int W, class R, int SLOTS>
__device__ __forceinline__ void ndft_nufft_add_section(const ndft_nufft_point<R, SLOTS> &point,
                                                       const ndft_nufft_section<SLOTS> &section,
                                                       int width, int plane, ndft_complex<R> *tile)
{
    constexpr int STEP = ndft_nufft_sharers<DIM, W>;
    const int start = STEP > 1 ? (threadIdx.x / 32 - point.first / plane) % STEP : 0;
#pragma unroll
    for (int s = 0; s < SLOTS; s++) {
        if (section.at[s] < 0) continue;
        ndft_complex<R> *cell = tile + point.first + section.at[s];
        const R weight = point.weight[s];
        if constexpr (DIM > 2) {
            const ndft_complex<R> value = {weight * point.value.re, weight * point.value.im};
            ndft_nufft_add_pillar<W, STEP>(value, point.z, start, width, plane, cell);
        } else {
            const ndft_complex<R> sum = *cell;
            *cell = {fma(weight, point.value.re, sum.re), fma(weight, point.value.im, sum.im)};
        }
    }
}

/* Adds the samples of a batch, some cells of their windows after the other. */
template <int DIM, int W, class R>
__device__ __forceinline__ void ndft_nufft_add_batch(const ndft_nufft_spreader<R> &p, int width,
                                                     int count, const ndft_nufft_group<R> &group)
{
    constexpr int SLOTS = ndft_nufft_slots<DIM, W>;
    const int lanes = p.tile.lanes, cells = DIM > 1 ? width * width : width;
    const int plane = (p.tile.reach[0] * p.tile.reach[1]) << lanes;
    for (int first = 0; first < cells; first += (32 * SLOTS) >> lanes) {
        ndft_nufft_section<SLOTS> section;
        section.template take<DIM>(first, width, p.tile.reach[0], lanes);
        ndft_nufft_point<R, SLOTS> next;
        next.template load<DIM>(group, p.tile.stride, width, lanes, section, 0);
        for (int k = 1; k <= count; k++) {
            const ndft_nufft_point<R, SLOTS> point = next;
            if (k < count) next.template load<DIM>(group, p.tile.stride, width, lanes, section, k);
            ndft_nufft_add_section<DIM, W>(point, section, width, plane, group.tile);
            __syncwarp();
        }
    }
}

template <int SHARERS> __device__ __forceinline__ void ndft_nufft_meet()
{
    if (SHARERS > 1)
        __syncthreads();
    else
        __syncwarp();
}

/* A block has one group where warps share it. */
template <int DIM, int W, class R>
__global__ void __launch_bounds__(128)
    ndft_nufft_spread_by_warp(const __grid_constant__ ndft_nufft_spreader<R> p,
                              const __grid_constant__ ndft_weights<R, W> weights)
{
    extern __shared__ float4 shared[];
    constexpr int SHARERS = ndft_nufft_sharers<DIM, W>, SIZE = 32 * SHARERS;
    const ndft_nufft_group<R> group(p, shared, SIZE);
    const int width = W == NDFT_MAX_WIDTH ? weights.width : W, mine = threadIdx.x / SIZE;
    const ndft_nufft_part part = p.tile.part[blockIdx.x];
    const int batches = (part.end - part.begin + p.np - 1) / p.np;
    const int groups = min((int)blockDim.x / SIZE, batches); /* that have a batch */
    int begin[3];
    ndft_nufft_tile_begin(p.tile, part.tile, begin);
    if (mine < groups) group.clear();
    for (int b = mine; b < batches; b += groups) {
        const int from = part.begin + b * p.np, count = min(p.np, part.end - from);
        ndft_nufft_meet<SHARERS>();
        ndft_nufft_load_batch<DIM>(p, weights, begin, from, count, group);
        ndft_nufft_meet<SHARERS>();
        ndft_nufft_add_batch<DIM, W>(p, width, count, group);
    }
    __syncthreads();
    ndft_nufft_flush(p, groups, begin, shared);
}

#endif
