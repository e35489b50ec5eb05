/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_VISITS_CUH
#define NDFT_NUFFT_PRODUCT_VISITS_CUH

#include "cells.cuh"
#include "product_streams.cuh"

/*
 * Lists of samples (samples.cuh) as spreading by products reads them: for each sample that reaches
 * a tile its number in the problem, and its weights on the tile's cells along each axis, one axis
 * after the other, zeros where its window ends. So weights are evaluated once, when samples are
 * placed, whatever the number of columns, and a warp waits for one read where it would wait for a
 * run, then places and numbers. Those of a warp's share come in steps of eight; the last step is
 * filled with its last sample at weights of zero.
 */

/* Cells of a tile along an axis, of `dim` axes. */
__host__ __device__ constexpr int ndft_product_edge(int dim, int d)
{
    if (dim == 1) return d == 0 ? 16 : 1;
    return d < dim ? 4 : 1;
}

/* Of all axes: the reals of a visit. */
__host__ __device__ constexpr int ndft_product_edges(int dim)
{
    int sum = 0;
    for (int d = 0; d < dim; d++) sum += ndft_product_edge(dim, d);
    return sum;
}

__host__ __device__ constexpr int ndft_product_cells(int dim)
{
    return ndft_product_edge(dim, 0) * ndft_product_edge(dim, 1) * ndft_product_edge(dim, 2);
}

template <class R> struct ndft_product_visits {
    int32_t *sample;
    R *weight; /* [visit][edges] */
};

namespace
{

/* A sample's weights on the cells of a tile, from its own on axis d. */
template <int DIM, class R>
__device__ void put_weights(const ndft_weights<R> &weights, const ndft_nufft_samples &samples,
                            const int (&n)[3], const ndft_nufft_unit &unit, int i, R *out)
{
#pragma unroll
    for (int d = 0; d < DIM; d++) {
        R at[NDFT_MAX_WIDTH];
        ndft_weigh(weights, ((const R *)samples.s[d])[i], at);
        const int start = samples.first[d][i] - unit.at[d];
        for (int e = 0; e < ndft_product_edge(DIM, d); e++, out++) {
            *out = 0;
            for (int cell = e - start - n[d]; cell <= n[d]; cell += n[d]) /* the grid is a ring */
                if (cell >= 0 && cell < weights.width) *out += at[cell];
        }
    }
}

/* Warp = tile of a stream: its visits. */
template <int DIM, class R>
__global__ void put_visits(ndft_nufft_lists lists, ndft_nufft_samples samples, int3 n,
                           const __grid_constant__ ndft_weights<R> weights,
                           ndft_product_streams streams, ndft_product_visits<R> visits)
{
    constexpr int EDGES = ndft_product_edges(DIM);
    const int64_t index = (blockIdx.x * (int64_t)blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (index >= (int64_t)streams.layers * streams.count) return;
    const ndft_product_tile tile = streams.tile[index];
    if (tile.slot == NDFT_PRODUCT_NONE) return;
    const ndft_nufft_unit unit = lists.unit[tile.unit];
    const int count = unit.to - unit.from, cells[3] = {n.x, n.y, n.z};
    int64_t to = tile.first + lane;
    int32_t last = 0;
    ndft_nufft_each_batch(lists, unit, [&](int i, int of_batch) {
        if (lane < of_batch) {
            last = samples.number[i];
            visits.sample[to] = last;
            put_weights<DIM>(weights, samples, cells, unit, i, visits.weight + to * EDGES);
        }
        last = __shfl_sync(~0u, last, of_batch - 1);
        to += of_batch;
    });
    if (lane >= tile.count - count) return;
    visits.sample[to] = last;
    for (int e = 0; e < EDGES; e++) visits.weight[to * EDGES + e] = 0;
}

} // namespace

#endif
