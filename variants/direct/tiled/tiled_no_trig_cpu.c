/* SPDX-License-Identifier: Apache-2.0 */
#include "direct/sum_cost.h"
#include "tiled_cpu.h"
#include "tiled_no_trig_loop.h"

/*
 * An ablation of tiled: the phase itself stands in for its sine and cosine. What is left of the
 * time is staging, phases, sums and centres.
 */

static ndft_sum_loop *const loops[3][2] = NDFT_LOOP_TABLE(tiled_no_trig);

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return create(p, k, ops, exec, loops, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[TILE]);
    return ndft_cost_total(cost);
}

const ndft_variant ndft_tiled_no_trig_cpu = {
    .name = "tiled_no_trig",
    .backend = "cpu",
    .summary = "tiled without trigonometry: phases in place of phasors",
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
