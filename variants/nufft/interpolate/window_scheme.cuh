/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_SCHEME_CUH
#define NDFT_NUFFT_WINDOW_SCHEME_CUH

#include "core/shares.cuh"
#include "window_tile.cuh"

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
