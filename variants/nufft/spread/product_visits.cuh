/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_VISITS_CUH
#define NDFT_NUFFT_PRODUCT_VISITS_CUH

#include "cells.cuh"

/*
 * Lists of samples (samples.cuh) as spreading by products reads them: all that a warp needs of a
 * sample that reaches its tile in one place, one after the other, so that it waits for one read
 * where it would wait for a run, then places and numbers.
 */

/* Cells of a tile along an axis, of `dim` axes. */
__host__ __device__ constexpr int ndft_product_edge(int dim, int d)
{
    if (dim == 1) return d == 0 ? 16 : 1;
    if (dim == 2) return d < 2 ? 4 : 1;
    return d == 0 ? 4 : 2;
}

/* A sample that reaches a tile: its number in the problem, the cell of the tile at which its window
 * begins along each axis, which may be before it, and its place among its cells. */
template <int DIM, class R>
struct alignas(DIM == 2 && sizeof(R) == sizeof(float) ? 16 : 8) ndft_product_visit {
    int32_t sample;
    signed char start[4];
    R s[DIM];
};

/* A warp's share of a list: a tile, or a part of it with a slot; its first visit. */
struct alignas(16) ndft_product_tile {
    int32_t at[3], slot;
    int64_t first;
    int32_t count;
};

namespace
{

/* Warp = unit of a list: its visits one after the other, wherever there is room; used: visits that
 * have it. */
template <int DIM, class R>
__global__ void put_visits(ndft_nufft_lists lists, ndft_nufft_samples samples, int3 n,
                           unsigned long long *used, ndft_product_tile *tile,
                           ndft_product_visit<DIM, R> *visit)
{
    const int index = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (index >= lists.n_units) return;
    const ndft_nufft_unit unit = lists.unit[index];
    const int count = unit.to - unit.from, cells[3] = {n.x, n.y, n.z};
    int64_t first = 0;
    if (lane == 0) {
        first = (int64_t)atomicAdd(used, (unsigned long long)count);
        tile[index] = {{unit.at[0], unit.at[1], unit.at[2]}, unit.slot, first, count};
    }
    visit += __shfl_sync(~0u, first, 0) + lane;
    ndft_nufft_each_batch(lists, unit, [&](int i, int of_batch) {
        if (lane < of_batch) {
            ndft_product_visit<DIM, R> to = {};
            to.sample = samples.number[i];
#pragma unroll
            for (int d = 0; d < DIM; d++) {
                int start = samples.first[d][i] - unit.at[d];
                if (start < 0) start += cells[d];
                if (start >= ndft_product_edge(DIM, d)) start -= cells[d];
                to.start[d] = (signed char)start;
                to.s[d] = ((const R *)samples.s[d])[i];
            }
            *visit = to;
        }
        visit += of_batch;
    });
}

/* Visits of all units. */
__global__ void count_visits(ndft_nufft_lists lists, unsigned long long *count)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    const int mine = index < lists.n_units ? lists.unit[index].to - lists.unit[index].from : 0;
    const int sum = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(count, (unsigned long long)sum);
}

} // namespace

#endif
