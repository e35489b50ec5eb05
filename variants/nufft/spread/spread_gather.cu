/* SPDX-License-Identifier: Apache-2.0 */
#include "cells_scheme.cuh"
#include "nufft/shape.h"

#include "nufft/cuda_cost.h"

/*
 * Sorensen's second algorithm (samples.cuh), a cell per thread: each thread goes through the
 * samples that reach its warp's cells and keeps its own cell in a register, which it writes once.
 * It is the hybrid scheme with rectangles of one cell: optimal in writes, but a sample is read for
 * each of its W^d cells, so that reading weights and values is all that it does. Forward, a thread
 * has a sample.
 */

namespace
{

/* As square as powers of two allow, longest in x. */
void tile(const ndft_nufft_shape *shape, const int *k, int edge[3])
{
    int left = k[NDFT_GATHER_CELLS] ? k[NDFT_GATHER_CELLS] : shape->columns == 1 ? 32 : 8;
    while (left > 1) {
        for (int d = 0; d < shape->dim && left > 1; d++) {
            edge[d] *= 2;
            left /= 2;
        }
    }
    for (int d = 0; d < shape->dim; d++)
        while (edge[d] > shape->grid[d]) edge[d] /= 2;
}

ndft_status prepare(ndft_nufft_plan *plan, const int *k)
{
    return plan->prec == NDFT_F32 ? ndft_nufft_prepare_cells<1, float>(plan, k[NDFT_GATHER_MOST])
                                  : ndft_nufft_prepare_cells<1, double>(plan, k[NDFT_GATHER_MOST]);
}

ndft_status spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return plan->prec == NDFT_F32 ? ndft_nufft_spread_to_cells<1, float>(plan, pass, in)
                                  : ndft_nufft_spread_to_cells<1, double>(plan, pass, in);
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const int cells = k[NDFT_GATHER_CELLS];
    if (cells == 1 || cells > 32 || (cells & (cells - 1)))
        return "the cells of a warp's tile must be a power of two, 2 to 32";
    if (k[NDFT_GATHER_MOST] < 1) return "a warp must take a sample";
    return ndft_nufft_field_unsupported(p, device, k);
}

/* As Sorensen counts: each cell is written once, a sample read for each of its cells. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    int cells[3] = {1, 1, 1};
    tile(&work.shape, k, cells);
    return ndft_nufft_cells_cost(&work, cells, 1);
}

} // namespace

const ndft_nufft_stage ndft_spread_gather = {
    .summary = "nonuniform FFT; a cell per thread, which adds up all samples that reach it",
    .knobs = ndft_knob_bits(NDFT_GATHER_CELLS, NDFT_GATHER_MOST),
    .deterministic = true,
    .overwrites = true,
    .tile = tile,
    .own_bytes = sizeof(ndft_nufft_cells_plan),
    .prepare = prepare,
    .spread = spread,
    .unsupported = unsupported,
    .cost = cost,
};
