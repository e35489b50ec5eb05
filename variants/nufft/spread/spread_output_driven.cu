/* SPDX-License-Identifier: Apache-2.0 */
#include "by_point.cuh"
#include "by_warp.cuh"
#include "nufft/shape.h"

#include "nufft/cuda_cost.h"

/*
 * Polanco's scheme (NonuniformFFTs.jl, cuFINUFFT 2.5): a block owns a padded tile of the grid in
 * shared memory, evaluates the weights of np samples in parallel, a thread each, and then goes
 * through them one by one, all its threads sharing the tensor product. With barrier=point that is
 * as published: each sample ends in a barrier of the block. With barrier=batch a warp has its own
 * tile and batch, and nobody waits for a sample; but in f64 wide windows take a block. Columns lie
 * side by side in shared memory, weights are evaluated once for all that fit. The ceiling is the
 * shared memory path, a read and a write per cell, sample and column.
 */

namespace
{

struct output_driven {
    ndft_nufft_window window;
    void *buffer;
    int np, padding; /* samples of a batch; cells of a tile beyond its own, along an axis */
    ndft_status (*spread)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);
};

/* Samples of a tile that a block takes. */
int most(const int *k) { return k[NDFT_OUTPUT_DRIVEN_MOST] ? k[NDFT_OUTPUT_DRIVEN_MOST] : 128; }

/* The launch for some columns: as many of them side by side as fit half of a multiprocessor's
 * shared memory, in groups that have a tile each. */
template <class R> struct launch {
    ndft_nufft_spreader<R> p;
    int groups, threads;
    size_t beside = 0; /* bytes of shared memory for all groups */

    size_t shared() const { return ndft_nufft_group<R>::bytes(p) * (size_t)groups + beside; }
    launch(const ndft_nufft_plan *plan, int columns)
    {
        const output_driven *own = (const output_driven *)plan->own;
        p = {ndft_nufft_tile_of<R>(plan, own->window, 1), own->np};
        for (int d = 0; d < plan->shape.dim; d++) {
            const int reach = p.tile.edge[d] + own->padding;
            p.tile.reach[d] = d == 0 ? (reach + 1) / 2 * 2 : reach; /* rows are added by pairs */
        }
        p.tile.lanes = ndft_log2(ndft_nufft_column_lanes(columns, 1));
    }
    void fit(size_t most)
    {
        const int wanted = p.tile.lanes;
        p.tile.lanes = 0;
        while (groups > 1 && shared() > most) groups /= 2;
        p.tile.lanes = wanted;
        while (p.tile.lanes > 0 && shared() > most / 2) p.tile.lanes--;
    }
};

/* A block, a tile: a thread for each cell of a window, or each sample of a batch, up to 256. */
template <class R> struct by_point : launch<R> {
    int cells = 1; /* of a window */

    by_point(const ndft_nufft_plan *plan, int columns) : launch<R>(plan, columns)
    {
        for (int d = 0; d < plan->shape.dim; d++) cells *= plan->shape.window.width;
        const int wanted = cells > this->p.np ? cells : this->p.np;
        this->groups = 1;
        this->threads = wanted < 256 ? (wanted + 31) / 32 * 32 : 256;
        this->beside = (size_t)cells * sizeof(uint32_t);
        this->fit(plan->arrays.exec->device.shared_bytes);
    }
};

/* A warp, a tile: in three dimensions tiles are large, and a block has one. */
template <class R, int DIM, int W> struct by_warp : launch<R> {
    by_warp(const ndft_nufft_plan *plan, int columns) : launch<R>(plan, columns)
    {
        this->groups = DIM == 3 ? 1 : 4;
        this->fit(plan->arrays.exec->device.shared_bytes);
        this->threads = 32 * ndft_nufft_sharers<DIM, W> * this->groups;
    }
};

template <class R> dim3 blocks_of(const ndft_nufft_plan *plan, const ndft_nufft_spreader<R> &p)
{
    const output_driven *own = (const output_driven *)plan->own;
    return dim3(own->window.parts, ndft_blocks(p.tile.columns.count, 1 << p.tile.lanes));
}

/* A pass's columns, filled from its samples. */
template <class R>
ndft_status fill(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in,
                 ndft_nufft_columns<R> *columns)
{
    const output_driven *own = (const output_driven *)plan->own;
    *columns = ndft_nufft_columns_of<R>(plan, pass, in, (ndft_complex<R> *)own->buffer);
    return ndft_nufft_fill(plan, pass, *columns, in);
}

template <class R, int DIM>
ndft_status spread_by_point(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                            const void *in)
{
    ndft_nufft_columns<R> columns;
    NDFT_TRY(fill(plan, pass, in, &columns));
    by_point<R> run(plan, columns.count);
    run.p.tile.columns = columns;
    ndft_nufft_spread_by_point<DIM>
        <<<blocks_of(plan, run.p), run.threads, run.shared(), ndft_stream(plan->arrays.exec)>>>(
            run.p, ndft_weights_of<R>(plan), run.cells);
    return ndft_launched(plan->arrays.exec, "spreading to tiles");
}

template <class R, int DIM, int W>
ndft_status spread_by_warp(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    ndft_nufft_columns<R> columns;
    NDFT_TRY(fill(plan, pass, in, &columns));
    by_warp<R, DIM, W> run(plan, columns.count);
    run.p.tile.columns = columns;
    ndft_nufft_spread_by_warp<DIM>
        <<<blocks_of(plan, run.p), run.threads, run.shared(), ndft_stream(plan->arrays.exec)>>>(
            run.p, ndft_weights_of<R, W>(plan));
    return ndft_launched(plan->arrays.exec, "spreading to tiles");
}

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

/* What the least launch of a kernel needs of shared memory, or why it cannot have it. */
template <class R>
ndft_status prepare_launch(ndft_nufft_plan *plan, size_t least, const void *kernel)
{
    output_driven *own = (output_driven *)plan->own;
    ndft_exec *exec = plan->arrays.exec;
    if (least > exec->device.shared_bytes)
        return ndft_fail(exec->error, NDFT_EUNSUPPORTED,
                         "a tile and its batch take %zu bytes of shared memory, a block has %zu",
                         least, exec->device.shared_bytes);
    NDFT_TRY(ndft_allow_shared(exec, kernel, exec->device.shared_bytes));
    ndft_complex<R> *buffer = nullptr;
    NDFT_TRY(ndft_nufft_buffer_make(plan, &buffer));
    own->buffer = buffer;
    return NDFT_OK;
}

template <class R, int DIM, int W> ndft_status take(ndft_nufft_plan *plan, bool point)
{
    output_driven *own = (output_driven *)plan->own;
    own->spread = point ? spread_by_point<R, DIM> : spread_by_warp<R, DIM, W>;
    if (point)
        return prepare_launch<R>(plan, by_point<R>(plan, 1).shared(),
                                 (const void *)ndft_nufft_spread_by_point<DIM, R>);
    return prepare_launch<R>(plan, by_warp<R, DIM, W>(plan, 1).shared(),
                             (const void *)ndft_nufft_spread_by_warp<DIM, W, R>);
}

/* A window of doubles whose cells are several times a warp's threads keeps more of them busy. */
bool ends_in_a_barrier(const ndft_nufft_plan *plan, const int *k)
{
    if (k[NDFT_OUTPUT_DRIVEN_BARRIER] != NDFT_BARRIER_AUTO)
        return k[NDFT_OUTPUT_DRIVEN_BARRIER] == NDFT_BARRIER_POINT;
    const int dim = plan->shape.dim, width = plan->shape.window.width;
    return plan->prec == NDFT_F64 && (dim == 3 ? width >= 5 : dim == 2 && width >= 10);
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    output_driven *own = (output_driven *)plan->own;
    const bool point = ends_in_a_barrier(plan, k);
    const int width = plan->shape.window.width;
    own->np = k[NDFT_OUTPUT_DRIVEN_NP];
    own->padding =
        k[NDFT_OUTPUT_DRIVEN_PADDING] == NDFT_PADDING_PUBLISHED ? (width + 1) / 2 * 2 : width - 1;
    NDFT_TRY(ndft_nufft_prepare_window(plan, most(k), &own->window));
    return ndft_by_kernel(plan, [&](auto real, auto dim, auto cells) {
        return take<decltype(real), dim.value, cells.value>(plan, point);
    });
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ((const output_driven *)plan->own)->spread(plan, pass, in);
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
    if (k[NDFT_OUTPUT_DRIVEN_TILE] % 2) return "a tile's edge must be an even number of cells";
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
