/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CELLS_SCHEME_CUH
#define NDFT_NUFFT_CELLS_SCHEME_CUH

#include "cells.cuh"
#include "core/shares.cuh"
#include "nufft/interpolate/columns.cuh"
#include "nufft/pipeline_cufft.cuh"

/* The host side of cells.cuh, for lanes that own rectangles of EDGE cells along x and y. */

/* What a plan of such a scheme has of its own. */
struct ndft_nufft_cells_plan {
    ndft_nufft_lists lists;
    ndft_nufft_path path;
    void *buffer, *part;
};

enum { NDFT_CELLS_WARPS = 4 };

/* Rows of weights: cells on 16 bytes, room for a window before and behind them; of 16-byte vectors
 * an odd number, so that lanes that read neighbouring rows meet no bank conflict. */
template <class R> void ndft_nufft_lay_rows(ndft_nufft_cells<R> *cells, int dim, int width)
{
    const int vector = 16 / (int)sizeof(R), room = (width - 1 + vector - 1) / vector * vector;
    int at = 0;
    for (int d = 0; d < dim; d++) {
        cells->axis[d] = at + room;
        at += room + ((1 << cells->edge[d]) + vector - 1) / vector * vector + room;
    }
    cells->stride = (at / vector | 1) * vector;
}

template <int EDGE, class R>
ndft_nufft_cells<R> ndft_nufft_cells_of(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                        const void *in)
{
    const ndft_nufft_cells_plan *own = (const ndft_nufft_cells_plan *)plan->own;
    const int *tile = own->lists.tile;
    ndft_nufft_cells<R> cells = {own->lists};
    cells.columns = ndft_nufft_columns_of<R>(plan, pass, in, (ndft_complex<R> *)own->buffer);
    cells.grid = plan->grid;
    cells.path = own->path;
    cells.part = (ndft_complex<R> *)own->part;
    for (int d = 0; d < 3; d++) {
        cells.first[d] = plan->samples.first[d];
        cells.s[d] = (const R *)plan->samples.s[d];
        cells.edge[d] = ndft_log2(tile[d]);
        cells.rectangles[d] = ndft_log2(tile[d] / (d < 2 && d < plan->shape.dim ? EDGE : 1));
    }
    ndft_nufft_lay_rows(&cells, plan->shape.dim, plan->shape.window.width);
    cells.lanes = ndft_log2(ndft_nufft_column_lanes(cells.columns.count, 1 << cells.tile_lanes()));
    return cells;
}

template <int EDGE, class R>
void (*ndft_nufft_cells_kernel_of(int dim))(ndft_nufft_cells<R>, ndft_weights<R>)
{
    if (dim == 1) return ndft_nufft_spread_cells<1, EDGE, 1, R>;
    if (dim == 2) return ndft_nufft_spread_cells<2, EDGE, EDGE, R>;
    return ndft_nufft_spread_cells<3, EDGE, EDGE, R>;
}

/* Bytes of a block's shared memory. */
template <int EDGE, class R> size_t ndft_nufft_cells_shared(int dim, int stride)
{
    const int share =
        dim == 1 ? ndft_nufft_warp_reals<EDGE>(stride) : ndft_nufft_warp_reals<EDGE * EDGE>(stride);
    return NDFT_CELLS_WARPS * (size_t)share * sizeof(R);
}

template <int EDGE, class R>
ndft_status ndft_nufft_spread_to_cells(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                       const void *in)
{
    ndft_exec *exec = plan->arrays.exec;
    const ndft_nufft_cells<R> cells = ndft_nufft_cells_of<EDGE, R>(plan, pass, in);
    NDFT_TRY(ndft_nufft_fill(plan, pass, cells.columns, in));
    const auto kernel = ndft_nufft_cells_kernel_of<EDGE, R>(plan->shape.dim);
    const size_t shared = ndft_nufft_cells_shared<EDGE, R>(plan->shape.dim, cells.stride);
    const unsigned chunks = ndft_blocks(cells.columns.count, 1 << cells.lanes);
    kernel<<<dim3(ndft_blocks(cells.lists.n_units, NDFT_CELLS_WARPS), chunks),
             32 * NDFT_CELLS_WARPS, shared, ndft_stream(exec)>>>(cells, ndft_weights_of<R>(plan));
    NDFT_TRY(ndft_launched(exec, "spreading to cells"));
    if (cells.lists.n_joints == 0) return NDFT_OK;
    const int threads = 128;
    ndft_nufft_join_parts<<<dim3(cells.lists.n_joints,
                                 ndft_blocks((int64_t)cells.columns.count << cells.tile_cells(),
                                             threads)),
                            threads, 0, ndft_stream(exec)>>>(cells);
    return ndft_launched(exec, "joining parts of tiles");
}

template <int EDGE, class R> ndft_status ndft_nufft_prepare_cells(ndft_nufft_plan *plan, int most)
{
    ndft_arrays *arrays = &plan->arrays;
    ndft_nufft_cells_plan *own = (ndft_nufft_cells_plan *)plan->own;
    NDFT_TRY(ndft_nufft_lists_make(arrays, &plan->samples, &plan->shape, most, &own->lists));
    ndft_complex<R> *buffer = nullptr, *part = nullptr;
    NDFT_TRY(ndft_nufft_buffer_make(plan, &buffer));
    const int64_t cells = (int64_t)own->lists.tile[0] * own->lists.tile[1] * own->lists.tile[2];
    NDFT_TRY(ndft_reserve(arrays, "parts of tiles",
                          1 + cells * plan->shape.chunk *
                                  ndft_length_for_more(arrays->exec, own->lists.n_slots),
                          &part));
    own->buffer = buffer;
    own->part = part;
    const auto kernel = ndft_nufft_cells_kernel_of<EDGE, R>(plan->shape.dim);
    const ndft_nufft_pass any = {0, 1, 0, 1, false};
    const int stride = ndft_nufft_cells_of<EDGE, R>(plan, &any, nullptr).stride;
    return ndft_allow_shared(arrays->exec, (const void *)kernel,
                             ndft_nufft_cells_shared<EDGE, R>(plan->shape.dim, stride));
}

#endif
