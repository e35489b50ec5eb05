/* SPDX-License-Identifier: Apache-2.0 */
#include "cells_scheme.cuh"
#include "nufft/shape.h"

#include "nufft/crowd_waits.h"

/*
 * Sorensen's third algorithm (samples.cuh): a lane owns a rectangle of cells, keeps it in registers
 * while it goes through the list of all samples that reach its tile, and writes each cell once. A
 * sample near the edge of a tile is read by each tile that it reaches, ((T + W - 1)/T)^d times in
 * the mean, instead of the W^d of a cell per thread. Nothing is zeroed, no two lanes add to the
 * same place, and sums are the same from run to run. Where samples are dense, as at the centre of
 * radial lines, lists are cut into units whose sums are joined in order. Forward, a thread has a
 * sample (interpolate_cells.cu).
 */

namespace
{

const int edge = 4; /* of a lane's rectangle */

int tile_edge(const ndft_nufft_shape *shape, const int *k)
{
    if (k[NDFT_HYBRID_TILE]) return k[NDFT_HYBRID_TILE];
    return shape->columns == 1 && shape->dim == 2 ? 8 : 4;
}

void tile(const ndft_nufft_shape *shape, const int *k, int cells[3])
{
    for (int d = 0; d < shape->dim; d++) {
        cells[d] = tile_edge(shape, k);
        while (cells[d] > shape->grid[d]) cells[d] /= 2;
    }
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    const int most = k[NDFT_HYBRID_MOST] ? k[NDFT_HYBRID_MOST] : plan->shape.dim == 3 ? 256 : 64;
    NDFT_TRY(plan->prec == NDFT_F32 ? (ndft_nufft_prepare_cells<edge, float>(plan, most))
                                    : (ndft_nufft_prepare_cells<edge, double>(plan, most)));
    if (k[NDFT_HYBRID_TRAJECTORY] == NDFT_TRAJECTORY_MEMORY) return NDFT_OK;
    return ndft_nufft_path_make(&plan->arrays, plan->problem, &plan->samples,
                                &((ndft_nufft_cells_plan *)plan->own)->path);
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return plan->prec == NDFT_F32 ? ndft_nufft_spread_to_cells<edge, float>(plan, pass, in)
                                  : ndft_nufft_spread_to_cells<edge, double>(plan, pass, in);
}

bool on_interleaf(const ndft_problem *p, const int *k)
{
    return k[NDFT_HYBRID_TRAJECTORY] == NDFT_TRAJECTORY_ONLINE && p->structure.line_length == 0;
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[NDFT_HYBRID_TILE] % edge != 0 || (k[NDFT_HYBRID_TILE] & (k[NDFT_HYBRID_TILE] - 1)) ||
        k[NDFT_HYBRID_TILE] > (p->dim == 3 ? 8 : 16))
        return p->dim == 3 ? "a tile's edge must be 4 or 8" : "a tile's edge must be 4, 8 or 16";
    const char *why = ndft_nufft_field_unsupported(p, device, k);
    return why || !on_interleaf(p, k) ? why : ndft_interleaf_unsupported(p);
}

/* Positions on an interleaf are not quite those of the problem; ndft_nufft_truncation has the rest.
 */
double truncation(const ndft_problem *p, const int *k)
{
    return hypot(ndft_nufft_truncation(p, k), on_interleaf(p, k) ? ndft_interleaf_error(p) : 0);
}

/* Of any data errors add up. */
double worst(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_nufft_any(p, op, k) + (on_interleaf(p, k) ? ndft_interleaf_worst(p) : 0);
}

/* As Sorensen counts: each cell is written once, a sample read by every tile that its window
 * reaches. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    int cells[3] = {1, 1, 1};
    tile(&work.shape, k, cells);
    ndft_cost found = ndft_nufft_cells_cost(&work, cells, edge);
    if (op == NDFT_ADJOINT) found.launches += ndft_nufft_sums_wait(p, &work);
    return found;
}

} // namespace

const ndft_nufft_stage ndft_spread_hybrid = {
    .summary = "nonuniform FFT; rectangles of cells in registers, run-length lists, no atomics",
    .knobs = ndft_knob_bits(NDFT_HYBRID_TILE, NDFT_HYBRID_TRAJECTORY),
    .truncation = truncation,
    .worst = worst,
    .deterministic = true,
    .overwrites = true,
    .tile = tile,
    .own_bytes = sizeof(ndft_nufft_cells_plan),
    .prepare = prepare,
    .spread = spread,
    .unsupported = unsupported,
    .cost = cost,
};
