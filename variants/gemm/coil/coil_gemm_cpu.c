/* SPDX-License-Identifier: Apache-2.0 */
#include "direct/sum.h"
#include "direct/sum_cost.h"
#include "direct/sum_plan.h"
#include "phase/worst_entry.h"

/*
 * All coils as one matrix product. As in tiled, a thread takes 256 bytes of outputs as vector lanes
 * and takes compact tiles of inputs around centres; but the phasors of 32 inputs are written to the
 * first-level cache once and multiplied with the coils' values by a register-blocked product
 * (gemm_tile.h). Phasors are reused by every coil, values by every lane, sums stay in registers for
 * 64 terms; the sinc of gradient maps multiplies the phasor. The FMA pipes are the ceiling: 4 a
 * coil and pair, besides 13 + axes a pair.
 */

enum { TILE, THREADS };      /* knobs, in order */
enum { OUTPUT_VECTORS = 4 }; /* the product's block of lanes */

static const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs staged around one centre", 256, (64, 128, 256, 512)),
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
};

NDFT_LOOPS(loops, ndft_direction_loop, coil_gemm);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)p;
    (void)device;
    if (k[TILE] < 2 * NDFT_COIL_GEMM_ROWS || k[TILE] > 4096 || k[TILE] % NDFT_COIL_GEMM_ROWS)
        return "tile must be a multiple of 32 from 64 to 4096";
    return ndft_threads_unsupported(k[THREADS]);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_INPUTS,
                                .lanes = ndft_lanes(p, OUTPUT_VECTORS),
                                .tile = k[TILE],
                                .threads = k[THREADS],
                                .split = 1};
    return ndft_sum_create(p, ops, exec, &recipe, loops, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[TILE]);
    ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

const ndft_variant ndft_coil_gemm_cpu = {
    .name = "coil_gemm",
    .backend = "cpu",
    .summary = "phasors generated in cache, all coils by one register-blocked product",
    NDFT_KNOBS(knobs),
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.a = 0.01,
              .b = 0.05,
              .c = 96,
              .any = {.a = NDFT_ANY_OFFSET,
                      .c = NDFT_ANY_REDUCED + NDFT_ANY_CENTRE + NDFT_ANY_POLYNOMIAL +
                           NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_tile_chain},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_DIRECTIONS(plan),
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
