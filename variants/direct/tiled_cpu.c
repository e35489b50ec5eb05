/* SPDX-License-Identifier: Apache-2.0 */
#include "phase/worst_entry.h"
#include "sum.h"
#include "sum_cost.h"
#include "sum_plan.h"

/*
 * Input tiles and blocks of phasors in cache, outputs in vector lanes. A thread owns a chunk of
 * outputs, `outputs` vectors of 64 bytes, and takes compact tiles of inputs, staged side by side as
 * offsets from the tile's centre: per pair only the small remainder of the phase, reduced once,
 * then polynomial sine and cosine. The centre's phase is reduced exactly, once per output and
 * tile, and turns the tile's sum as it joins the total, which also keeps sums short. A block's
 * phasors are evaluated once for all coils. The FMA pipes are the ceiling, 13 + axes a pair and 4
 * more per coil; loads and stores hide beneath.
 *
 * Two ablations show what that is made of. In tiled_no_trig the phase itself stands in for its sine
 * and cosine: what is left of the time is staging, phases, sums and centres. In tiled_no_mac all
 * phasors are made and stored, and one input in eight is multiplied and added, so that nothing is
 * made in vain: what is left is trigonometry, for one coil.
 */

enum { TILE, OUTPUTS, THREADS, SINCOS, N_KNOBS }; /* in order; ablations have all but the last */
enum { SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM };

static const char *const sincos_words[] = {"auto", "polynomial", "libm", NULL};

static const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs staged around one centre", 256,
              (32, 64, 128, 256, 512, 1024)),
    NDFT_KNOB("outputs", "vectors", "vectors of outputs that a thread takes at a time", 4,
              (1, 2, 4, 8)),
    NDFT_KNOB("threads", "", "threads; 0 is all", 0, (0, 1, 2)),
    NDFT_KNOB_WORDS("sincos", "sine and cosine; auto is polynomial", sincos_words, SINCOS_AUTO,
                    (SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM)),
};

NDFT_LOOPS(poly_loops, ndft_direction_loop, tiled_poly);
NDFT_LOOPS(libm_loops, ndft_direction_loop, tiled_libm);
NDFT_LOOPS(no_trig_loops, ndft_direction_loop, tiled_no_trig);
NDFT_LOOPS(no_mac_loops, ndft_direction_loop, tiled_no_mac);

static const char *ablation_unsupported(const ndft_problem *p, const ndft_device *device,
                                        const int *k)
{
    (void)p;
    (void)device;
    if (k[TILE] < NDFT_ROWS || k[TILE] > 4096 || k[TILE] % NDFT_ROWS)
        return "tile must be a multiple of 8 up to 4096";
    if (k[OUTPUTS] < 1 || k[OUTPUTS] > 8) return "outputs must be 1 to 8";
    return ndft_threads_unsupported(k[THREADS]);
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[SINCOS] > SINCOS_LIBM) return "sincos must be auto, polynomial or libm";
    return ablation_unsupported(p, device, k);
}

static ndft_status create(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                          ndft_direction_loop *const loops[3][2], void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_INPUTS,
                                .lanes = ndft_lanes(p, k[OUTPUTS]),
                                .tile = k[TILE],
                                .threads = k[THREADS],
                                .split = 1};
    return ndft_sum_create(p, ops, exec, &recipe, loops, out);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return create(p, k, ops, exec, k[SINCOS] == SINCOS_LIBM ? libm_loops : poly_loops, out);
}

static ndft_status no_trig_plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                                void **out)
{
    return create(p, k, ops, exec, no_trig_loops, out);
}

static ndft_status no_mac_plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                               void **out)
{
    return create(p, k, ops, exec, no_mac_loops, out);
}

/* All but the sines and cosines. */
static ndft_cost untotalled(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_centred(&cost, p, op, k[TILE]);
    return cost;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = untotalled(p, op, k);
    if (k[SINCOS] == SINCOS_LIBM)
        cost.special += 2 * ndft_coil_pairs(p, op) / p->coils;
    else
        ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

static ndft_cost no_trig_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cost_total(untotalled(p, op, k));
}

static ndft_cost no_mac_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = untotalled(p, op, k);
    ndft_cost_sincos(&cost, p, op);
    cost.fma -= 4 * ndft_coil_pairs(p, op) * (NDFT_ROWS - 1) / NDFT_ROWS;
    return ndft_cost_total(cost);
}

const ndft_variant ndft_tiled_cpu = {
    .name = "tiled",
    .backend = "cpu",
    .summary = "compact input tiles around centres reduced exactly, polynomial sincos",
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

const ndft_variant ndft_tiled_no_trig_cpu = {
    .name = "tiled_no_trig",
    .backend = "cpu",
    .summary = "tiled without trigonometry: phases in place of phasors",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.deterministic = true},
    .unsupported = ablation_unsupported,
    NDFT_DIRECTIONS(no_trig_plan),
    .cost = no_trig_cost,
    .chosen = ndft_sum_chosen,
};

const ndft_variant ndft_tiled_no_mac_cpu = {
    .name = "tiled_no_mac",
    .backend = "cpu",
    .summary = "tiled without multiply-accumulate: one input in eight is added",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.deterministic = true},
    .unsupported = ablation_unsupported,
    NDFT_DIRECTIONS(no_mac_plan),
    .cost = no_mac_cost,
    .chosen = ndft_sum_chosen,
};
