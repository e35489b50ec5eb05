/* SPDX-License-Identifier: Apache-2.0 */
#include "direct/sum_cost.h"
#include "tiled_cpu.h"
#include "tiled_no_mac_loop.h"

/*
 * An ablation of tiled: all phasors are made and stored, and one input in eight is multiplied and
 * added, so that nothing is made in vain. What is left of the time is trigonometry, for one coil.
 */

static ndft_sum_loop *const loops[3][2] = NDFT_LOOP_TABLE(tiled_no_mac);

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return create(p, k, ops, exec, loops, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[TILE]);
    ndft_cost_sincos(&cost, p, op);
    cost.fma -= 4 * ndft_coil_pairs(p, op) * (NDFT_ROWS - 1) / NDFT_ROWS;
    return ndft_cost_total(cost);
}

const ndft_variant ndft_tiled_no_mac_cpu = {
    .name = "tiled_no_mac",
    .backend = "cpu",
    .summary = "tiled without multiply-accumulate: one input in eight is added",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.deterministic = true, .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_sum_execute,
    .destroy = ndft_sum_destroy,
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
