/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_cpu.h"
#include "direct/sum_cost.h"
#include "phase/worst_entry.h"
#include "tiled_loop.h"

/*
 * Input tiles and blocks of phasors in cache, outputs in vector lanes. A thread owns a chunk of
 * outputs, `outputs` vectors of 64 bytes, and walks compact tiles of inputs, staged side by side as
 * offsets from the tile's centre: per pair only the small remainder of the phase, reduced once,
 * then polynomial sine and cosine. The centre's phase is reduced exactly, once per output and
 * tile, and turns the tile's sum as it joins the total, which also keeps sums short. A block's
 * phasors are evaluated once for all coils. The FMA pipes are the ceiling, 13 + axes a pair and 4
 * more per coil; loads and stores hide beneath.
 */

static ndft_sum_loop *const poly_loops[3][2] = NDFT_LOOP_TABLE(tiled_poly);
static ndft_sum_loop *const libm_loops[3][2] = NDFT_LOOP_TABLE(tiled_libm);

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return create(p, k, ops, exec, k[SINCOS] == SINCOS_LIBM ? libm_loops : poly_loops, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[TILE]);
    if (k[SINCOS] == SINCOS_LIBM)
        cost.special += 2 * ndft_coil_pairs(p, op) / p->coils;
    else
        ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

const ndft_variant ndft_tiled_cpu = {
    .name = "tiled",
    .backend = "cpu",
    .summary = "compact input tiles around centres reduced exactly, polynomial sincos",
    .knobs = knobs,
    .n_knobs = N_KNOBS,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0.01,
              .b = 0.05,
              .c = 96,
              .any = {.a = NDFT_ANY_OFFSET,
                      .c = NDFT_ANY_REDUCED + NDFT_ANY_CENTRE + NDFT_ANY_POLYNOMIAL +
                           NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_tile_chain},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_sum_execute,
    .destroy = ndft_sum_destroy,
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
