/* SPDX-License-Identifier: Apache-2.0 */
#include "sum_cost.h"
#include "sum_plan.h"
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

enum { TILE, OUTPUTS, THREADS, SINCOS }; /* knobs, in order */
enum { SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM };

static const char *const sincos_words[] = {"auto", "polynomial", "libm", NULL};

static const ndft_knob knobs[] = {
    {"tile",
     "inputs",
     "inputs staged around one centre",
     NULL,
     256,
     6,
     {32, 64, 128, 256, 512, 1024}},
    {"outputs",
     "vectors",
     "vectors of outputs that a thread takes at a time",
     NULL,
     4,
     4,
     {1, 2, 4, 8}},
    {"threads", "", "threads; 0 is all", NULL, 0, 3, {0, 1, 2}},
    {"sincos",
     "",
     "sine and cosine; auto is polynomial",
     sincos_words,
     SINCOS_AUTO,
     3,
     {SINCOS_AUTO, SINCOS_POLYNOMIAL, SINCOS_LIBM}},
};

static ndft_sum_loop *const poly_loops[3][2] = NDFT_LOOP_TABLE(tiled_poly);
static ndft_sum_loop *const libm_loops[3][2] = NDFT_LOOP_TABLE(tiled_libm);

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)p;
    (void)device;
    if (k[TILE] < NDFT_ROWS || k[TILE] > 4096 || k[TILE] % NDFT_ROWS)
        return "tile must be a multiple of 8 up to 4096";
    if (k[OUTPUTS] < 1 || k[OUTPUTS] > 8) return "outputs must be 1 to 8";
    if (k[THREADS] > NDFT_THREADS_MAX) return "threads must be at most 1024";
    if (k[SINCOS] > SINCOS_LIBM) return "sincos must be auto, polynomial or libm";
    return NULL;
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_INPUTS,
                                .lanes = ndft_lanes(p, k[OUTPUTS]),
                                .tile = k[TILE],
                                .threads = k[THREADS],
                                .split = 1};
    ndft_sum_loop *const(*loops)[2] = k[SINCOS] == SINCOS_LIBM ? libm_loops : poly_loops;
    return ndft_sum_create(p, ops, exec, &recipe, loops[exec->device.isa][p->prec], out);
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
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0.01, .b = 0.05, .c = 96, .deterministic = true, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = ndft_sum_execute,
    .destroy = ndft_sum_destroy,
    .cost = cost,
};
