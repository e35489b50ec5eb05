/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CELLS_CUH
#define NDFT_NUFFT_CELLS_CUH

#include "nufft/interpolate/columns.cuh"
#include "nufft/order/samples.cuh"
#include "nufft/readout/on_line.cuh"
#include "nufft/window/weights.cuh"

/*
 * Spreading by cells that stay in registers: the hybrid scheme of Sorensen, of which a cell per
 * thread is the smallest case. A warp takes a unit of a tile's list (samples.cuh). Its lanes are
 *
 *     columns x rectangles of RX x RY cells, which together are the tile x slices of the samples,
 *
 * columns fastest. For 32 samples at a time it evaluates the weights on the tile's cells, zero
 * where a window ends, into its part of shared memory, a sample's axis per lane; then each lane
 * adds the samples of its slice to its cells. So weights are evaluated once for all columns, and no
 * two warps meet: there is no barrier. In the end the slices' sums are added, and each cell is
 * written once. What lanes are divided by is a power of two, passed as its logarithm.
 */
template <class R> struct ndft_nufft_cells {
    ndft_nufft_lists lists;
    const int32_t *first[3];
    const R *s[3];
    ndft_nufft_path path;
    ndft_nufft_columns<R> columns;
    ndft_nufft_grid grid;
    int edge[3];           /* log2 of a tile's cells per axis */
    int rectangles[3];     /* log2 of its rectangles */
    int lanes;             /* log2 of those for columns */
    int axis[3];           /* reals of a sample's row of weights before each axis' cells */
    int stride;            /* reals of a row */
    ndft_complex<R> *part; /* [slot][column][cell of the tile] */

    __host__ __device__ int tile_lanes() const /* log2 */
    {
        return rectangles[0] + rectangles[1] + rectangles[2];
    }
    __host__ __device__ int tile_cells() const { return edge[0] + edge[1] + edge[2]; } /* log2 */
};

/* A lane's place: column, first cell of its rectangle in the tile, slice of the samples. */
struct ndft_nufft_lane {
    int column, x, y, z, slice;
};

template <int RX, int RY, class R>
__device__ __forceinline__ ndft_nufft_lane ndft_nufft_lane_of(const ndft_nufft_cells<R> &p,
                                                              int lane)
{
    const int q = lane >> p.lanes, y = q >> p.rectangles[0], z = y >> p.rectangles[1];
    return {lane & ((1 << p.lanes) - 1), (q & ((1 << p.rectangles[0]) - 1)) * RX,
            (y & ((1 << p.rectangles[1]) - 1)) * RY, z & ((1 << p.rectangles[2]) - 1),
            q >> p.tile_lanes()};
}

/* Cell number `cell` of a tile, x fastest. */
struct ndft_nufft_inside {
    int x, y, z;

    template <class R>
    __device__ ndft_nufft_inside(const ndft_nufft_cells<R> &p, int cell)
        : x(cell & ((1 << p.edge[0]) - 1)), y(cell >> p.edge[0] & ((1 << p.edge[1]) - 1)),
          z(cell >> (p.edge[0] + p.edge[1]))
    {
    }
    /* Its place in a column of the grid, -1 beyond the edge, for a tile that begins at `at`. */
    __device__ int64_t in(const ndft_nufft_grid &grid, const int32_t at[3]) const
    {
        const int gx = at[0] + x, gy = at[1] + y, gz = at[2] + z;
        return gx < grid.n[0] && gy < grid.n[1] && gz < grid.n[2]
                   ? gx + gy * grid.row + gz * grid.plane
                   : -1;
    }
};

/* Weights of `count` samples, at sorted position i in the lane of each, on the cells of the unit's
 * tile: a row for each sample, in it the axes one after the other. */
template <int DIM, class R>
__device__ __forceinline__ void
ndft_nufft_put_rows(const ndft_nufft_cells<R> &p, const ndft_weights<R> &weights,
                    const ndft_nufft_unit &unit, int i, int count, R *rows)
{
    const int lane = threadIdx.x % 32, width = weights.width;
    for (int t0 = 0; t0 < DIM * count; t0 += 32) {
        const int t = t0 + lane, d = (DIM > 1 && t >= count) + (DIM > 2 && t >= 2 * count);
        const int sample = t - d * count, at = __shfl_sync(~0u, i, sample & 31);
        if (t >= DIM * count) continue;
        const int n = p.grid.n[d], edge = 1 << p.edge[d];
        R *row = rows + sample * p.stride + p.axis[d], s;
        int start;
        if (p.path.length) {
            ndft_nufft_place_on_path(p.path, d, at, n, width, &start, &s);
        } else {
            start = p.first[d][at];
            s = p.s[d][at];
        }
        start -= d == 0 ? unit.at[0] : d == 1 ? unit.at[1] : unit.at[2];
        if (start < 0) start += n;
        if (start < edge &&
            start - n > -width) /* small grids: it reaches around to the tile again */
            ndft_weigh(weights, s, row + (start - n));
        if (start >= edge) start -= n;
        if (start > -width) /* a computed place may be a cell beside that of the list */
            ndft_weigh(weights, s, row + start);
    }
}

/* Values for a single column of a batch, sorted position i in the lane of each. */
template <class R>
__device__ __forceinline__ void ndft_nufft_put_values(const ndft_nufft_cells<R> &p, int i,
                                                      int count, ndft_complex<R> *values)
{
    const int lane = threadIdx.x % 32;
    ndft_complex<R> value = {0, 0};
    if (lane < count) {
        const int64_t sample = p.columns.number ? p.columns.number[i] : i;
        value = p.columns.value[sample * p.columns.pitch + blockIdx.y];
    }
    values[lane] = value;
}

/* Adds a sample's value times its weights to a rectangle of cells. */
template <int DIM, int RX, int RY, class R>
__device__ __forceinline__ void ndft_nufft_add(ndft_complex<R> (&cell)[RX * RY], const R *wx,
                                               const R *wy, const R *wz, ndft_complex<R> value)
{
    ndft_pack<R, RX> x = {{*wx}};
    ndft_pack<R, RY> y = {{DIM > 1 ? *wy : 1}};
    if (RX > 1) x = *(const ndft_pack<R, RX> *)wx;
    if (RY > 1) y = *(const ndft_pack<R, RY> *)wy;
    if (DIM > 2) {
        value.re *= *wz;
        value.im *= *wz;
    }
#pragma unroll
    for (int b = 0; b < RY; b++) {
        const R re = y.v[b] * value.re, im = y.v[b] * value.im;
#pragma unroll
        for (int a = 0; a < RX; a++) {
            cell[b * RX + a].re = fma(x.v[a], re, cell[b * RX + a].re);
            cell[b * RX + a].im = fma(x.v[a], im, cell[b * RX + a].im);
        }
    }
}

/* Values of the samples of a lane's slice from sample s0 of the batch on; of a single column they
 * are in shared memory, else they come side by side from the second cache. Slices that have run out
 * of samples have rows of zeros, and any value. */
template <int N, class R>
__device__ __forceinline__ void
ndft_nufft_values(const ndft_nufft_cells<R> &p, const ndft_nufft_lane &at, int i, int count, int s0,
                  int slices, const ndft_complex<R> *values, ndft_complex<R> (&value)[N])
{
    const ndft_complex<R> *column = p.columns.value + ((int)blockIdx.y << p.lanes) + at.column;
#pragma unroll
    for (int k = 0; k < N; k++) {
        const int s = s0 + k * slices + at.slice;
        if (p.lanes == 0)
            value[k] = values[min(s, 31)];
        else
            value[k] = column[__shfl_sync(~0u, i, min(s, count - 1)) * p.columns.pitch];
    }
}

/* Adds the samples whose weights are in `rows`, and at sorted position i in the lane of each, to
 * the warp's cells. */
template <int DIM, int RX, int RY, class R>
__device__ __forceinline__ void
ndft_nufft_add_rows(const ndft_nufft_cells<R> &p, const ndft_nufft_lane &at, int i, int count,
                    const R *rows, const ndft_complex<R> *values, ndft_complex<R> (&cell)[RX * RY])
{
    constexpr int N = sizeof(R) == sizeof(float) ? 4 : 2; /* values loaded at a time */
    const int slices = 32 >> (p.lanes + p.tile_lanes()), step = slices * p.stride;
    const R *row = rows + at.slice * p.stride;
    const R *wx = row + p.axis[0] + at.x, *wy = row + p.axis[1] + at.y,
            *wz = row + p.axis[2] + at.z;
    for (int s0 = 0; s0 < count; s0 += N * slices) {
        ndft_complex<R> value[N];
        ndft_nufft_values(p, at, i, count, s0, slices, values, value);
#pragma unroll
        for (int k = 0; k < N; k++) {
            if (s0 + k * slices >= count) break;
            ndft_nufft_add<DIM, RX, RY>(cell, wx, wy, wz, value[k]);
            wx += step;
            wy += step;
            wz += step;
        }
    }
}

/* Adds `count` samples, at sorted position i in the lane of each, to the warp's cells. */
template <int DIM, int RX, int RY, class R>
__device__ __forceinline__ void
ndft_nufft_add_batch(const ndft_nufft_cells<R> &p, const ndft_weights<R> &weights,
                     const ndft_nufft_unit &unit, const ndft_nufft_lane &at, int i, int count,
                     R *rows, ndft_complex<R> (&cell)[RX * RY])
{
    constexpr int VECTOR = 16 / sizeof(R);
    R *mine = rows + threadIdx.x % 32 * p.stride;
    ndft_complex<R> *values = (ndft_complex<R> *)(rows + 32 * p.stride);
    __syncwarp();
#pragma unroll
    for (int d = 0; d < DIM; d++)
#pragma unroll 1
        for (int e = 0; e < 1 << p.edge[d]; e += VECTOR)
            *(ndft_pack<R, VECTOR> *)(mine + p.axis[d] + e) = {};
    if (p.lanes == 0) ndft_nufft_put_values(p, i, count, values);
    __syncwarp();
    ndft_nufft_put_rows<DIM>(p, weights, unit, i, count, rows);
    __syncwarp();
    ndft_nufft_add_rows<DIM, RX, RY>(p, at, i, count, rows, values, cell);
}

/* Where the positions [at, at + 32) of a list lie in sorted order: lanes hold 32 runs, of which
 * each starts at position `start`. */
__device__ __forceinline__ int ndft_nufft_find(ndft_nufft_run run, int start, int at)
{
    const int lane = threadIdx.x % 32;
    const bool here = run.count > 0 && start >= at && start < at + 32;
    const unsigned before = __ballot_sync(~0u, run.count > 0 && start < at);
    const unsigned starts = __reduce_or_sync(~0u, here ? 1u << (start - at) : 0);
    const int index = __popc(before) + __popc(starts & ((2u << lane) - 1)) - 1;
    return __shfl_sync(~0u, run.first - start, index & 31) + at + lane;
}

/* add(i, count) for the samples of a unit, 32 at a time: at sorted position i in the lane of each.
 */
template <class F>
__device__ __forceinline__ void ndft_nufft_each_batch(const ndft_nufft_lists &lists,
                                                      const ndft_nufft_unit &unit, F add)
{
    const int lane = threadIdx.x % 32;
    int passed = 0;
    for (int r = unit.run; passed < unit.to; r += 32) {
        ndft_nufft_run run = {0, 0};
        if (r + lane < unit.end) run = lists.run[r + lane];
        int end = run.count;
#pragma unroll
        for (int o = 1; o < 32; o *= 2) {
            const int before = __shfl_up_sync(~0u, end, o);
            if (lane >= o) end += before;
        }
        const int begin = max(unit.from, passed), start = passed + end - run.count;
        passed += __shfl_sync(~0u, end, 31);
        const int to = min(unit.to, passed);
        for (int b = begin; b < to; b += 32) add(ndft_nufft_find(run, start, b), min(32, to - b));
    }
}

/* Adds a unit's samples to the warp's cells. */
template <int DIM, int RX, int RY, class R>
__device__ __forceinline__ void
ndft_nufft_add_unit(const ndft_nufft_cells<R> &p, const ndft_weights<R> &weights,
                    const ndft_nufft_unit &unit, R *rows, ndft_complex<R> (&cell)[RX * RY])
{
    const ndft_nufft_lane at = ndft_nufft_lane_of<RX, RY>(p, threadIdx.x % 32);
    ndft_nufft_each_batch(p.lists, unit, [&](int i, int count) {
        ndft_nufft_add_batch<DIM, RX, RY>(p, weights, unit, at, i, count, rows, cell);
    });
}

/*
 * Adds the slices' sums and writes the warp's cells, by way of shared memory so that those along x
 * lie in neighbouring lanes, two at a time. `parked` has 33 places for each cell of a lane.
 */
template <int RX, int RY, class R>
__device__ __forceinline__ void
ndft_nufft_put_cells(const ndft_nufft_cells<R> &p, const ndft_nufft_unit &unit,
                     const ndft_complex<R> (&cell)[RX * RY], ndft_complex<R> *parked)
{
    const int lane = threadIdx.x % 32, log_cells = p.tile_cells();
    const int slices = 1 << (p.lanes + p.tile_lanes()); /* from a lane to that of the next slice */
    __syncwarp();
#pragma unroll
    for (int i = 0; i < RX * RY; i++) parked[i * 33 + lane] = cell[i];
    __syncwarp();
    const int first = (2 * lane) >> log_cells, columns = max(64 >> log_cells, 1);
    for (int number = 2 * lane & ((1 << log_cells) - 1); number < 1 << log_cells; number += 64) {
        const ndft_nufft_inside at(p, number);
        const int64_t place = at.in(p.grid, unit.at);
        if (unit.slot < 0 && place < 0) continue;
        const int row = ((at.z << p.rectangles[1]) + at.y / RY) << p.rectangles[0];
        const int i = at.y % RY * RX;
        const ndft_complex<R> *from[2] = {
            parked + (i + at.x % RX) * 33 + ((row + at.x / RX) << p.lanes),
            parked + (i + (at.x + 1) % RX) * 33 + ((row + (at.x + 1) / RX) << p.lanes)};
        for (int c = first; c < 1 << p.lanes; c += columns) {
            const int column = ((int)blockIdx.y << p.lanes) + c;
            if (column >= p.columns.count) break;
            ndft_complex<R> sum[2] = {};
            for (int s = c; s < 32; s += slices) {
#pragma unroll
                for (int k = 0; k < 2; k++) {
                    sum[k].re += from[k][s].re;
                    sum[k].im += from[k][s].im;
                }
            }
            const int64_t part = (unit.slot * (int64_t)p.columns.count + column) << log_cells;
            ndft_complex<R> *to = unit.slot < 0 ? ndft_nufft_column_at<R>(p.grid, column) + place
                                                : p.part + part + number;
            *(ndft_pack<R, 4> *)to = {{sum[0].re, sum[0].im, sum[1].re, sum[1].im}};
        }
    }
}

/* Reals of a warp's share of shared memory: weights and values of a batch, then its cells. */
template <int CELLS> __host__ __device__ int ndft_nufft_warp_reals(int stride)
{
    const int batch = 32 * (stride + 2), cells = (2 * 33 * CELLS + 3) / 4 * 4;
    return batch > cells ? batch : cells;
}

template <int DIM, int RX, int RY, class R>
__global__ void __launch_bounds__(128)
    ndft_nufft_spread_cells(const __grid_constant__ ndft_nufft_cells<R> p,
                            const __grid_constant__ ndft_weights<R> weights)
{
    extern __shared__ float4 shared[];
    const int warp = threadIdx.x / 32, index = blockIdx.x * (blockDim.x / 32) + warp;
    if (index >= p.lists.n_units) return;
    R *mine = (R *)shared + warp * ndft_nufft_warp_reals<RX * RY>(p.stride);
    const ndft_nufft_unit unit = p.lists.unit[index];
    ndft_complex<R> cell[RX * RY] = {};
    ndft_nufft_add_unit<DIM, RX, RY>(p, weights, unit, mine, cell);
    ndft_nufft_put_cells<RX, RY>(p, unit, cell, (ndft_complex<R> *)mine);
}

/* Block = a tile in parts; each thread adds the parts of some of its cells in order. */
template <class R>
__global__ void ndft_nufft_join_parts(const __grid_constant__ ndft_nufft_cells<R> p)
{
    const ndft_nufft_joint joint = p.lists.joint[blockIdx.x];
    const int log_cells = p.tile_cells(), all = p.columns.count << log_cells;
    for (int i = blockIdx.y * blockDim.x + threadIdx.x; i < all; i += gridDim.y * blockDim.x) {
        const ndft_complex<R> *part = p.part + i;
        ndft_complex<R> sum = {0, 0};
#pragma unroll 8
        for (int s = joint.begin; s < joint.end; s++) {
            const ndft_complex<R> next = part[(int64_t)s * all];
            sum.re += next.re;
            sum.im += next.im;
        }
        const int64_t to = ndft_nufft_inside(p, i & ((1 << log_cells) - 1)).in(p.grid, joint.at);
        if (to >= 0) ndft_nufft_column_at<R>(p.grid, i >> log_cells)[to] = sum;
    }
}

#endif
