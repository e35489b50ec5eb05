/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/interpolate/window_tile.cuh"
#include "nufft/shape.h"
#include "tile_spread.cuh"

#include "nufft/cuda_cost.h"

/*
 * Polanco's scheme (NonuniformFFTs.jl, cuFINUFFT 2.5): a block owns a padded tile of the grid in
 * shared memory, evaluates the weights of np samples in parallel, a thread each, and then goes
 * through them one by one, all its threads sharing the tensor product. With barrier=point that is
 * as published. Most of a block idles there: width^dim cells are fewer than its threads, and each
 * sample ends in a barrier. With barrier=batch a warp has its own tile and batch, or in 3D its own
 * planes of the tile, so that nobody waits for a sample. Columns lie side by side in shared memory,
 * weights are evaluated once for all that fit. The ceiling is the shared memory path, a read and a
 * write per cell, sample and column.
 */

namespace
{

struct output_driven {
    ndft_nufft_window window;
    void *buffer;
    int np, padding;   /* samples of a batch; cells of a tile beyond its own, along an axis */
    bool point, block; /* a barrier after each sample; a tile for a block */
};

/* Samples of a tile that a block takes. */
int most(const int *k) { return k[NDFT_OUTPUT_DRIVEN_MOST] ? k[NDFT_OUTPUT_DRIVEN_MOST] : 128; }

template <class R> void (*kernel_of(int dim, bool point))(ndft_nufft_spreader<R>, ndft_weights<R>)
{
    if (dim == 1)
        return point ? ndft_nufft_spread_tile<1, true, R> : ndft_nufft_spread_tile<1, false, R>;
    if (dim == 2)
        return point ? ndft_nufft_spread_tile<2, true, R> : ndft_nufft_spread_tile<2, false, R>;
    return point ? ndft_nufft_spread_tile<3, true, R> : ndft_nufft_spread_tile<3, false, R>;
}

/* The launch for some columns: as many of them side by side, in as many warps, as fit half of a
 * multiprocessor's shared memory. */
template <class R> struct launch {
    ndft_nufft_spreader<R> p;
    int warps;
    size_t shared;

    size_t bytes() const
    {
        return ndft_nufft_group<R>::bytes(p) * (size_t)warps + (size_t)p.window * sizeof(uint32_t);
    }
    /* As published: a thread for each cell of a window, or each sample of a batch, up to 256. */
    int point_warps() const
    {
        const int wanted = p.window > p.np ? p.window : p.np;
        return wanted < 256 ? (wanted + 31) / 32 : 8;
    }
    launch(const ndft_nufft_plan *plan, const output_driven *own, int columns)
        : p{ndft_nufft_tile_of<R>(plan, own->window, 1), own->np, 1}, warps(own->block ? 1 : 4)
    {
        for (int d = 0; d < plan->shape.dim; d++) {
            p.window *= plan->shape.window.width;
            p.tile.reach[d] = p.tile.edge[d] + own->padding;
        }
        const size_t most = plan->arrays.exec->device.shared_bytes;
        while (warps > 1 && bytes() > most) warps /= 2;
        p.tile.lanes = ndft_log2(ndft_nufft_column_lanes(columns, 1));
        while (p.tile.lanes > 0 && bytes() > most / 2) p.tile.lanes--;
        shared = bytes();
        if (own->block) warps = own->point ? point_warps() : 8;
    }
};

/* The widest windows, of f64, leave room in shared memory for a smaller tile alone. */
int tile_edge(const ndft_nufft_shape *shape, const int *k)
{
    if (k[NDFT_OUTPUT_DRIVEN_TILE]) return k[NDFT_OUTPUT_DRIVEN_TILE];
    return shape->dim == 1 ? 128 : shape->dim == 2 ? 16 : shape->window.width <= 14 ? 8 : 4;
}

void tile(const ndft_nufft_shape *shape, const int *k, int cells[3])
{
    for (int d = 0; d < shape->dim; d++) cells[d] = tile_edge(shape, k);
}

template <class R> ndft_status prepare_launch(ndft_nufft_plan *plan, output_driven *own)
{
    ndft_exec *exec = plan->arrays.exec;
    const launch<R> least(plan, own, 1);
    if (least.shared > exec->device.shared_bytes)
        return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                         "a tile and its batch take %zu bytes of shared memory, a block has %zu",
                         least.shared, exec->device.shared_bytes);
    NDFT_TRY(ndft_allow_shared(exec, (const void *)kernel_of<R>(plan->shape.dim, own->point),
                               exec->device.shared_bytes));
    ndft_complex<R> *buffer = nullptr;
    NDFT_TRY(ndft_nufft_buffer_make(plan, &buffer));
    own->buffer = buffer;
    return NDFT_OK;
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    output_driven *own = (output_driven *)plan->own;
    const int width = plan->shape.window.width;
    own->np = k[NDFT_OUTPUT_DRIVEN_NP];
    own->padding =
        k[NDFT_OUTPUT_DRIVEN_PADDING] == NDFT_PADDING_PUBLISHED ? (width + 1) / 2 * 2 : width - 1;
    own->point = k[NDFT_OUTPUT_DRIVEN_BARRIER] == NDFT_BARRIER_POINT;
    own->block = own->point || plan->shape.dim == 3;
    NDFT_TRY(ndft_nufft_prepare_window(plan, most(k), &own->window));
    return plan->prec == NDFT_F32 ? prepare_launch<float>(plan, own)
                                  : prepare_launch<double>(plan, own);
}

template <class R>
ndft_status spread_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    const output_driven *own = (const output_driven *)plan->own;
    const ndft_nufft_columns<R> columns =
        ndft_nufft_columns_of<R>(plan, pass, in, (ndft_complex<R> *)own->buffer);
    NDFT_TRY(ndft_nufft_fill(plan, pass, columns, in));
    launch<R> run(plan, own, columns.count);
    run.p.tile.columns = columns;
    const dim3 blocks(own->window.parts, ndft_blocks(columns.count, 1 << run.p.tile.lanes));
    kernel_of<R>(
        plan->shape.dim,
        own->point)<<<blocks, 32 * run.warps, run.shared, ndft_stream(plan->arrays.exec)>>>(
        run.p, ndft_weights_of<R>(plan));
    return ndft_launched(plan->arrays.exec, "spreading to tiles");
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return plan->prec == NDFT_F32 ? spread_pass<float>(plan, pass, in)
                                  : spread_pass<double>(plan, pass, in);
}

ndft_status interpolate(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const output_driven *own = (const output_driven *)plan->own;
    return plan->prec == NDFT_F32
               ? ndft_nufft_interpolate_pass<float>(plan, pass, own->window, own->buffer, out)
               : ndft_nufft_interpolate_pass<double>(plan, pass, own->window, own->buffer, out);
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[NDFT_OUTPUT_DRIVEN_TILE] > 256) return "a tile's edge must be at most 256 cells";
    if (k[NDFT_OUTPUT_DRIVEN_NP] < 1) return "a batch must have a sample";
    return ndft_nufft_field_unsupported(p, device, k);
}

/* A sample is read once; its cells are touched in shared memory. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    int cells[3] = {1, 1, 1};
    tile(&work.shape, k, cells);
    return ndft_nufft_tile_cost(&work, cells, most(k));
}

} // namespace

const ndft_nufft_stage ndft_spread_output_driven = {
    .summary = "nonuniform FFT; batches of weights, then tensor products into tiles of the grid",
    .knobs = ndft_knob_bits(NDFT_OUTPUT_DRIVEN_TILE, NDFT_OUTPUT_DRIVEN_PADDING),
    .tile = tile,
    .own_bytes = sizeof(output_driven),
    .prepare = prepare,
    .spread = spread,
    .interpolate = interpolate,
    .unsupported = unsupported,
    .cost = cost,
};
