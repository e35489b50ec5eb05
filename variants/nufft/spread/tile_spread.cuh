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
 * atomically. What a group is, and how it shares a tensor product, is in by_point.cuh, as
 * published, and in by_warp.cuh.
 */
template <class R> struct ndft_nufft_spreader {
    ndft_nufft_tile<R> tile;
    int np; /* samples of a batch */
};

/* What a group has in shared memory. */
template <class R> struct ndft_nufft_group {
    ndft_complex<R> *tile;  /* [cell][column] */
    ndft_complex<R> *value; /* [np][column] */
    R *row;                 /* [np][stride] weights */
    int *cell;              /* [np] first cell */
    int size, thread;

    static __host__ __device__ size_t bytes(const ndft_nufft_spreader<R> &p)
    {
        const size_t values = (size_t)(p.tile.cells() + p.np) << p.tile.lanes;
        const size_t bytes = values * sizeof(ndft_complex<R>) +
                             (size_t)p.np * (p.tile.stride * sizeof(R) + sizeof(int));
        return (bytes + 15) / 16 * 16;
    }
    __device__ ndft_nufft_group(const ndft_nufft_spreader<R> &p, void *shared, int size)
        : size(size), thread(threadIdx.x % size)
    {
        tile = (ndft_complex<R> *)((char *)shared + threadIdx.x / size * bytes(p));
        value = tile + (p.tile.cells() << p.tile.lanes);
        row = (R *)(value + (p.np << p.tile.lanes));
        cell = (int *)(row + p.np * p.tile.stride);
    }
    __device__ __forceinline__ void clear() const
    {
        for (ndft_complex<R> *at = tile + thread; at < value; at += size) *at = {0, 0};
    }
};

/* The group's next samples: weights, first cells and values. */
template <int DIM, int W, class R>
__device__ __forceinline__ void
ndft_nufft_load_batch(const ndft_nufft_spreader<R> &p, const ndft_weights<R, W> &weights,
                      const int begin[3], int first, int count, const ndft_nufft_group<R> &group)
{
    const int lanes = p.tile.lanes, column = (int)blockIdx.y << lanes;
    const ndft_nufft_columns<R> &from = p.tile.columns;
    for (int k = group.thread; k < count; k += group.size)
        group.cell[k] = ndft_nufft_put_window<DIM>(p.tile, weights, begin, first + k,
                                                   group.row + k * p.tile.stride);
    for (int e = group.thread; e < count << lanes; e += group.size) {
        const int k = e >> lanes, c = column + (e & ((1 << lanes) - 1));
        const int64_t j = from.number ? from.number[first + k] : first + k;
        group.value[e] = c < from.count ? from.value[j * from.pitch + c] : ndft_complex<R>{0, 0};
    }
}

/* A cell of a tile as one of the grid's axis, which may be shorter than a tile. */
__device__ __forceinline__ int ndft_nufft_around(int cell, int n)
{
    while (cell >= n) cell -= n;
    return cell;
}

/* Adds the groups' tiles to the grid, 16 bytes at a time: neighbours along x, whose number is even,
 * as are the cells where tiles begin. Some lanes take a row. */
template <class R>
__device__ __forceinline__ void ndft_nufft_flush(const ndft_nufft_spreader<R> &p, int groups,
                                                 const int begin[3], const void *shared)
{
    constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    const ndft_nufft_tile<R> &tile = p.tile;
    const size_t step = ndft_nufft_group<R>::bytes(p);
    const int first = (int)blockIdx.y << tile.lanes;
    const int columns = min(1 << tile.lanes, tile.columns.count - first);
    const int across = tile.reach[0] / PAIR, rows = tile.reach[1] * tile.reach[2];
    const int bits = min(5, 32 - __clz(across - 1)), x = threadIdx.x & ((1 << bits) - 1);
    for (int r = threadIdx.x >> bits; r < rows * columns; r += blockDim.x >> bits) {
        const int c = r / rows, row = r - c * rows, z = row / tile.reach[1];
        const int64_t line = ndft_nufft_cell_at(
            tile.grid, 0, ndft_nufft_around(begin[1] + row - z * tile.reach[1], tile.grid.n[1]),
            ndft_nufft_around(begin[2] + z, tile.grid.n[2]));
        ndft_complex<R> *to = ndft_nufft_column_at<R>(tile.grid, first + c) + line;
        for (int e = x; e < across; e += 1 << bits) {
            ndft_pack<R, 2 *PAIR> sum = {};
            bool any = false;
            for (int g = 0; g < groups; g++) {
                const ndft_complex<R> *from =
                    (const ndft_complex<R> *)((const char *)shared + g * step);
#pragma unroll
                for (int i = 0; i < PAIR; i++) {
                    const int at = row * tile.reach[0] + e * PAIR + i;
                    const ndft_complex<R> part = from[(at << tile.lanes) + c];
                    sum.v[2 * i] += part.re;
                    sum.v[2 * i + 1] += part.im;
                }
            }
#pragma unroll
            for (int i = 0; i < 2 * PAIR; i++) any = any || sum.v[i] != 0;
            if (any)
                ndft_atomic_add(
                    (ndft_pack<R, 2 * PAIR> *)(to + ndft_nufft_around(begin[0] + e * PAIR,
                                                                      tile.grid.n[0])),
                    sum);
        }
    }
}

#endif
