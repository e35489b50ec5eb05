/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_lines.h"
#include "phase/worst_entry.h"
#include "uniform_tiled_loop.h"

/*
 * Direct sums axis by axis, tile by tile. A thread has a chunk of outputs as vector lanes and a
 * group of lines; the phasors of the tile's inputs about its first one are evaluated once, from
 * exact integers, and lie in the first-level cache for all tiles of all lines of the group, met by
 * a register-blocked product (gemm_tile.h). Each tile's sums are then turned to its place. No
 * transcendental is left in the loop: the FMA pipes are the ceiling, 4 a pair.
 */

enum { TILE };

static const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs summed about one exact phase", NULL, 32, 3, {16, 32, 64}},
};

static ndft_line_loop *const loops[3][2] = NDFT_LOOP_TABLE(uniform_tiled);

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    const ndft_line_recipe recipe = {
        .tile = k[TILE], .loop = loops[exec->device.isa][p->prec], .work_reals = ndft_direct_reals};
    return ndft_line_create(p, exec, &recipe, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return ndft_direct_lines_cost(p, k[TILE], true);
}

const ndft_variant ndft_uniform_tiled_cpu = {
    .name = "uniform_tiled",
    .backend = "cpu",
    .summary = "direct sums axis by axis, tiles about exact phases",
    .knobs = knobs,
    .n_knobs = 1,
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT)},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = ndft_direct_unsupported,
    .plan = plan,
    .execute = ndft_line_execute,
    .destroy = ndft_line_destroy,
    .cost = cost,
};
