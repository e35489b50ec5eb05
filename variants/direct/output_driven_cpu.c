/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/worst_entry.h"
#include "sum.h"
#include "sum_cost.h"
#include "sum_plan.h"

/*
 * Polanco's stages (NonuniformFFTs.jl) carried to the direct sum. A thread owns a compact tile of
 * `outputs` outputs, one per vector lane, and takes the inputs in batches of `np`: (1) it turns
 * each input's value by the phase at the tile's centre, reduced exactly, into a small buffer; (2)
 * all outputs take the batch with the small phases that are left, one reduction each; (3) where
 * `split` threads share a tile's sum, their parts are joined as a tree or by atomic additions. The
 * mirror image of tiled: centres cost one phasor per input and tile instead of one per output and
 * tile, and few outputs still fill all threads. The FMA pipes are the ceiling, as there.
 */

enum { OUTPUTS, NP, SPLIT, REDUCE }; /* knobs, in order */
enum { REDUCE_TREE, REDUCE_ATOMIC };

static const char *const reduce_words[] = {"tree", "atomic", NULL};

static const ndft_knob knobs[] = {
    NDFT_KNOB("outputs", "per tile", "outputs of a tile", 128, (32, 64, 128, 256, 512)),
    NDFT_KNOB("np", "inputs", "inputs of a batch", 256, (32, 64, 128, 256, 512, 1024)),
    NDFT_KNOB("split", "parts", "threads that share a sum; 0 fills the processor", 0,
              (0, 1, 2, 4, 8)),
    NDFT_KNOB_WORDS("reduce", "how shared sums are joined", reduce_words, REDUCE_TREE,
                    (REDUCE_TREE, REDUCE_ATOMIC)),
};

NDFT_LOOPS(loops, ndft_direction_loop, output_driven);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)p;
    (void)device;
    if (k[OUTPUTS] < 16 || k[OUTPUTS] > NDFT_LANES_MAX || k[OUTPUTS] % 16)
        return "outputs must be a multiple of 16 up to 1024";
    if (k[NP] < NDFT_ROWS || k[NP] > 4096 || k[NP] % NDFT_ROWS)
        return "np must be a multiple of 8 up to 4096";
    if (k[SPLIT] > 64) return "split must be at most 64";
    if (k[REDUCE] > REDUCE_ATOMIC) return "reduce must be tree or atomic";
    return NULL;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_OUTPUTS,
                                .lanes = k[OUTPUTS],
                                .tile = k[NP],
                                .split = k[SPLIT],
                                .atomic = k[REDUCE] == REDUCE_ATOMIC};
    return ndft_sum_create(p, ops, exec, &recipe, loops, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[OUTPUTS]);
    ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

static double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cut_chain(p, op, k[NP]);
}

const ndft_variant ndft_output_driven_cpu = {
    .name = "output_driven",
    .backend = "cpu",
    .summary = "compact tiles of outputs, inputs in batches turned to the tile's centre",
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
                      .chain = chain}},
    .unsupported = unsupported,
    NDFT_DIRECTIONS(plan),
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
