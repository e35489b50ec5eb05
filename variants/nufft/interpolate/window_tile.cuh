/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_TILE_CUH
#define NDFT_NUFFT_WINDOW_TILE_CUH

#include "columns.cuh"
#include "core/shares.cuh"
#include "nufft/window/weights.cuh"

/*
 * Interpolation from tiles: a block takes samples of one tile and stages that tile's cells, and
 * those that windows reach beyond it, in shared memory, some columns side by side. A warp evaluates
 * the weights of 32 samples, a sample per lane; then its lanes are columns x samples, so that
 * weights are evaluated once for all columns and read by broadcast. Its ceiling is the shared
 * memory path: width^dim cells per sample and column.
 */
template <class R> struct ndft_nufft_tile {
    const ndft_nufft_part *part;
    const int32_t *first[3];
    const R *s[3];
    ndft_nufft_columns<R> columns;
    ndft_nufft_grid grid;
    int tiles[3], edge[3]; /* tiles of the grid; cells of a tile, 1 beyond dim */
    int reach[3];          /* cells of a staged tile: edge + width - 1 */
    int lanes;             /* log2 of those for columns */
    int stride;            /* of a sample's weights in shared memory, reals */

    __host__ __device__ int cells() const { return reach[0] * reach[1] * reach[2]; }
};

/* Where tile t starts. */
template <class R>
__device__ __forceinline__ void ndft_nufft_tile_begin(const ndft_nufft_tile<R> &p, int t,
                                                      int begin[3])
{
    begin[0] = t % p.tiles[0] * p.edge[0];
    begin[1] = t / p.tiles[0] % p.tiles[1] * p.edge[1];
    begin[2] = t / p.tiles[0] / p.tiles[1] * p.edge[2];
}

/* Puts a sample's weights, one axis after the other, into `row`; gives the first of its staged
 * cells. */
template <int DIM, int W, class R>
__device__ __forceinline__ int ndft_nufft_put_window(const ndft_nufft_tile<R> &p,
                                                     const ndft_weights<R, W> &weights,
                                                     const int begin[3], int i, R *row)
{
    const int width = W == NDFT_MAX_WIDTH ? weights.width : W;
    int cell = 0;
#pragma unroll
    for (int d = DIM - 1; d >= 0; d--) {
        cell = cell * p.reach[d] + p.first[d][i] - begin[d];
        ndft_weigh(weights, p.s[d][i], row + d * width);
    }
    return cell;
}

/* f(staged cell and column, cell in its column of the grid, that column) for a block's columns of
 * the tile that begins at `begin`, in warps along x. */
template <class R, class F>
__device__ __forceinline__ void ndft_nufft_each_staged(const ndft_nufft_tile<R> &p,
                                                       const int begin[3], F f)
{
    const ndft_nufft_grid &grid = p.grid;
    const int rows = p.reach[1] * p.reach[2], first = (int)blockIdx.y << p.lanes;
    for (int r = threadIdx.x / 32; r < rows << p.lanes; r += blockDim.x / 32) {
        const int c = r / rows, row = r - c * rows, z = row / p.reach[1];
        if (first + c >= p.columns.count) break;
        int at[3] = {0, begin[1] + row - z * p.reach[1], begin[2] + z};
        while (at[1] >= grid.n[1]) at[1] -= grid.n[1];
        while (at[2] >= grid.n[2]) at[2] -= grid.n[2];
        const int64_t line = ndft_nufft_cell_at(grid, 0, at[1], at[2]);
        for (int x = threadIdx.x % 32; x < p.reach[0]; x += 32) {
            at[0] = begin[0] + x;
            while (at[0] >= grid.n[0]) at[0] -= grid.n[0];
            f(((row * p.reach[0] + x) << p.lanes) + c, line + at[0], first + c);
        }
    }
}

enum { NDFT_LINE_UNROLLED = 8 }; /* x weights in registers */

/* A row of cells times the x weights, the first of which are in registers. */
template <class R>
__device__ __forceinline__ ndft_complex<R> ndft_nufft_line(const R (&wx)[NDFT_LINE_UNROLLED],
                                                           const R *row, int width,
                                                           const ndft_complex<R> *cell, int step)
{
    ndft_complex<R> sum = {0, 0};
#pragma unroll
    for (int x = 0; x < NDFT_LINE_UNROLLED; x++) {
        if (x >= width) break;
        sum.re = fma(wx[x], cell[x * step].re, sum.re);
        sum.im = fma(wx[x], cell[x * step].im, sum.im);
    }
    for (int x = NDFT_LINE_UNROLLED; x < width; x++) {
        sum.re = fma(row[x], cell[x * step].re, sum.re);
        sum.im = fma(row[x], cell[x * step].im, sum.im);
    }
    return sum;
}

/* One column of one sample: its weights times the staged cells, of which `cell` is the first. */
template <int DIM, class R>
__device__ __forceinline__ ndft_complex<R> ndft_nufft_interpolate(const ndft_nufft_tile<R> &p,
                                                                  int width, const R *row,
                                                                  const ndft_complex<R> *cell)
{
    R wx[NDFT_LINE_UNROLLED];
#pragma unroll
    for (int x = 0; x < NDFT_LINE_UNROLLED; x++) wx[x] = x < width ? row[x] : 0;
    ndft_complex<R> sum = {0, 0};
    for (int z = 0; z < (DIM > 2 ? width : 1); z++) {
        const R wz = DIM > 2 ? row[2 * width + z] : 1;
        for (int y = 0; y < (DIM > 1 ? width : 1); y++) {
            const R weight = DIM > 1 ? wz * row[width + y] : wz;
            const ndft_complex<R> line = ndft_nufft_line(
                wx, row, width, cell + (((z * p.reach[1] + y) * p.reach[0]) << p.lanes),
                1 << p.lanes);
            sum.re = fma(weight, line.re, sum.re);
            sum.im = fma(weight, line.im, sum.im);
        }
    }
    return sum;
}

template <int DIM, class R>
__global__ void __launch_bounds__(256)
    ndft_nufft_interpolate_tile(const __grid_constant__ ndft_nufft_tile<R> p,
                                const __grid_constant__ ndft_weights<R> weights)
{
    extern __shared__ float4 shared[];
    ndft_complex<R> *tile = (ndft_complex<R> *)shared;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, slot = lane >> p.lanes;
    const int c = lane & ((1 << p.lanes) - 1), column = ((int)blockIdx.y << p.lanes) + c;
    R *rows = (R *)(tile + (p.cells() << p.lanes)) + warp * 32 * p.stride;
    const ndft_nufft_part part = p.part[blockIdx.x];
    int begin[3];
    ndft_nufft_tile_begin(p, part.tile, begin);
    ndft_nufft_each_staged(p, begin, [&](int to, int64_t from, int in) {
        tile[to] = ndft_nufft_column_at<R>(p.grid, in)[from];
    });
    __syncthreads();
    for (int b = part.begin + warp * 32; b < part.end; b += blockDim.x) {
        const int i = min(b + lane, part.end - 1), count = min(32, part.end - b);
        __syncwarp();
        const int cell = ndft_nufft_put_window<DIM>(p, weights, begin, i, rows + lane * p.stride);
        const int j = p.columns.number ? p.columns.number[i] : i;
        __syncwarp();
        for (int s0 = 0; s0 < count; s0 += 32 >> p.lanes) {
            const int s = s0 + slot;
            const int64_t sample = __shfl_sync(~0u, j, s);
            const int from = __shfl_sync(~0u, cell, s);
            if (s >= count || column >= p.columns.count) continue;
            p.columns.value[sample * p.columns.pitch + column] = ndft_nufft_interpolate<DIM>(
                p, weights.width, rows + s * p.stride, tile + (from << p.lanes) + c);
        }
    }
}

/* The host side of interpolation from staged tiles. */

/* How samples are interpolated: parts of tiles, a block each. */
struct ndft_nufft_window {
    const ndft_nufft_part *part;
    int parts;
    size_t shared; /* most bytes of a block */
};

enum { NDFT_TILE_WARPS = 8 };

/* Shared memory of a block: cells, padded to 16 bytes, and weights. */
template <class R> size_t ndft_nufft_tile_bytes(const ndft_nufft_tile<R> &tile)
{
    return (((size_t)tile.cells() << tile.lanes) * 2 + 32 * NDFT_TILE_WARPS * (size_t)tile.stride) *
           sizeof(R);
}

template <class R>
ndft_nufft_tile<R> ndft_nufft_tile_of(const ndft_nufft_plan *plan, const ndft_nufft_window &window,
                                      int columns)
{
    const ndft_nufft_samples &samples = plan->samples;
    const int width = plan->shape.window.width;
    ndft_nufft_tile<R> tile = {window.part};
    tile.grid = plan->grid;
    tile.stride = (width * plan->shape.dim) | 1;
    for (int d = 0; d < 3; d++) {
        tile.first[d] = samples.first[d];
        tile.s[d] = (const R *)samples.s[d];
        tile.tiles[d] = samples.tiles[d];
        tile.edge[d] = samples.tile[d];
        tile.reach[d] = samples.tile[d] + (d < plan->shape.dim ? width - 1 : 0);
    }
    tile.lanes = ndft_log2(ndft_nufft_column_lanes(columns, 1));
    while (tile.lanes > 0 && ndft_nufft_tile_bytes(tile) > window.shared / 4) tile.lanes--;
    return tile;
}

template <class R> void (*ndft_nufft_tile_kernel(int dim))(ndft_nufft_tile<R>, ndft_weights<R>)
{
    if (dim == 1) return ndft_nufft_interpolate_tile<1, R>;
    if (dim == 2) return ndft_nufft_interpolate_tile<2, R>;
    return ndft_nufft_interpolate_tile<3, R>;
}

template <class R>
ndft_status ndft_nufft_run_tiles(const ndft_nufft_plan *plan, const ndft_nufft_window &window,
                                 const ndft_nufft_columns<R> &columns)
{
    ndft_nufft_tile<R> tile = ndft_nufft_tile_of<R>(plan, window, columns.count);
    tile.columns = columns;
    ndft_nufft_tile_kernel<R>(
        plan->shape.dim)<<<dim3(window.parts, ndft_blocks(columns.count, 1 << tile.lanes)),
                           32 * NDFT_TILE_WARPS, ndft_nufft_tile_bytes(tile),
                           ndft_stream(plan->arrays.exec)>>>(tile, ndft_weights_of<R>(plan));
    return ndft_launched(plan->arrays.exec, "interpolation from tiles");
}

template <class R>
ndft_status ndft_nufft_interpolate_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                        const ndft_nufft_window &window, void *buffer, void *out)
{
    const ndft_nufft_columns<R> columns =
        ndft_nufft_columns_of<R>(plan, pass, out, (ndft_complex<R> *)buffer);
    NDFT_TRY(ndft_nufft_run_tiles(plan, window, columns));
    return ndft_nufft_drain(plan, pass, columns, out);
}

/* In parts of at most `most` samples. */
inline ndft_status ndft_nufft_prepare_window(ndft_nufft_plan *plan, int most,
                                             ndft_nufft_window *window)
{
    ndft_arrays *arrays = &plan->arrays;
    window->shared = arrays->exec->device.shared_bytes;
    const bool f32 = plan->prec == NDFT_F32;
    const size_t least = f32 ? ndft_nufft_tile_bytes(ndft_nufft_tile_of<float>(plan, *window, 1))
                             : ndft_nufft_tile_bytes(ndft_nufft_tile_of<double>(plan, *window, 1));
    if (least > window->shared)
        return ndft_fail(arrays->exec->error, NDFT_EUNSUPPORTED,
                         "a staged tile takes %zu bytes of shared memory, a block has %zu", least,
                         window->shared);
    NDFT_TRY(ndft_nufft_parts(arrays, &plan->samples, most, &window->part, &window->parts));
    const void *kernel = f32 ? (const void *)ndft_nufft_tile_kernel<float>(plan->shape.dim)
                             : (const void *)ndft_nufft_tile_kernel<double>(plan->shape.dim);
    return ndft_allow_shared(arrays->exec, kernel, window->shared);
}

#endif
