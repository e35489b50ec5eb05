/* SPDX-License-Identifier: Apache-2.0 */
#include "field.h"
#include "host_cost.h"
#include "host_interpolate_loop.h"
#include "host_plan_fftw.h"
#include "nufft_hybrid_loop.h"

/*
 * The nonuniform FFT by the hybrid scheme of seed 002. A thread takes a tile of cells and all
 * samples whose windows reach into it, as runs of successive samples, keeps what falls into the
 * tile and writes every cell once: no sorting of samples, no sums from elsewhere, one order of
 * additions. Windows at edges are evaluated for each tile that they reach. Stores into the first
 * cache are the ceiling; FFTs come second.
 */

enum { TILE = NDFT_NUFFT_KNOBS }; /* a knob of its own */
enum { BATCH = 64 };              /* samples whose weights are evaluated together */

static const ndft_knob knobs[] = {
#include "knobs.def"
    {"tile", "cells", "of a tile's side; 0 chooses by dimension", NULL, 0, 5, {0, 8, 16, 32, 64}},
};

static ndft_host_loop *const spread_loops[3][2] = NDFT_LOOP_TABLE(nufft_hybrid);
static ndft_host_loop *const interpolate_loops[3][2] = NDFT_LOOP_TABLE(nufft_interpolate);

static ndft_host_recipe recipe_of(const int *k)
{
    return (ndft_host_recipe){.order = NDFT_HOST_RUNS, .tile = k[TILE], .batch = BATCH};
}

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[TILE] > NDFT_HOST_MOST_TILE) return "tile must be at most 4096";
    return ndft_nufft_field_unfit(p, device, k);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_isa isa = exec->device.isa;
    const ndft_host_scheme scheme = {.recipe = recipe_of(k),
                                     .spread = spread_loops[isa][p->prec],
                                     .interpolate = interpolate_loops[isa][p->prec],
                                     .tiles = true,
                                     .halo = false};
    return ndft_host_plan(p, k, ops, exec, &scheme, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_host_recipe recipe = recipe_of(k);
    return ndft_host_cost(p, op, k, &recipe, true);
}

const ndft_variant ndft_nufft_hybrid_cpu = {
    .name = "nufft_hybrid",
    .backend = "cpu",
    .summary =
        "nonuniform FFT, hybrid: tiles by runs of samples, every cell written once (seed 002)",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.truncation = ndft_nufft_truncation, .deterministic = true, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = ndft_host_execute,
    .destroy = ndft_host_destroy,
    .cost = cost,
    .stages = ndft_host_stage_names,
};
