/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_cost.h"
#include "phase/worst_entry.h"
#include "uniform/bluestein/chirp.h"
#include "uniform/callback/callback_inner.h"
#include "uniform/line_plan.h"

/*
 * Direct sums axis by axis. A thread has a chunk of outputs as vector lanes and a group of lines; a
 * tile's phasors lie in the first-level cache for all lines of the group, which meet them in a
 * register-blocked product (gemm_tile.h). Two variants differ in where phasors come from.
 *
 * uniform_tiled evaluates those of the tile's inputs about its first one once, from exact integers,
 * for all tiles. Each tile's sums are then turned to its place. No transcendental is left in the
 * loop: the FMA pipes are the ceiling, 4 a pair.
 *
 * uniform_sincos_table has a table of the N roots of unity, made in plan: the phasor of a pair is
 * the entry n k mod N, found by addition with a wrap. With few lines the look-ups are its ceiling,
 * with many the FMA pipes.
 */

enum { TILE };

static const ndft_knob tiled_knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs summed about one exact phase", 32, (16, 32, 64)),
};

static const ndft_knob table_knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs whose phasors are looked up at a time", 32, (16, 32, 64)),
};

NDFT_LOOPS(tiled_loops, ndft_line_loop, uniform_tiled);
NDFT_LOOPS(table_loops, ndft_line_loop, uniform_sincos_table);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    const char *why = ndft_direct_unsupported(p, k);
    (void)device;
    return why ? why : ndft_unsupported_callbacks_c(p);
}

/* One thread's part and total sums, its panel and its staged tile. */
static size_t work_reals(const ndft_line_sum *s, ndft_prec prec)
{
    const size_t lanes = NDFT_DIRECT_BYTES / ndft_real_size(prec), tile = (size_t)s->tile;
    return 4 * NDFT_DIRECT_LINES * lanes + 2 * tile * lanes + 4 * NDFT_DIRECT_LINES * tile;
}

static ndft_status tiled_plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                              void **out)
{
    (void)ops;
    const ndft_line_recipe recipe = {
        .tile = k[TILE], .loop = tiled_loops[exec->device.isa][p->prec], .work_reals = work_reals};
    return ndft_line_create(p, exec, &recipe, out);
}

static int64_t table_reals(const ndft_pass *pass) { return 2 * pass->length; }

/* All cosines, then all sines. */
static void fill(const ndft_pass *pass, double *table)
{
    for (int64_t j = 0; j < pass->length; j++) {
        double root[2];
        ndft_half_turns(pass->sign * 2 * j, pass->length, root);
        table[j] = root[0];
        table[pass->length + j] = root[1];
    }
}

static ndft_status table_plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                              void **out)
{
    (void)ops;
    const ndft_line_recipe recipe = {.tile = k[TILE],
                                     .loop = table_loops[exec->device.isa][p->prec],
                                     .work_reals = work_reals,
                                     .table_reals = table_reals,
                                     .fill = fill};
    return ndft_line_create(p, exec, &recipe, out);
}

/* turned: a panel serves a whole sum, and each tile's sums are turned; else there is one each. */
static ndft_cost cost_of(const ndft_problem *p, int tile, bool turned)
{
    const ndft_uniform_problem inner = ndft_inner_problem(p);
    const ndft_transform *t = &inner.transform;
    const ndft_axes axes = ndft_axes_of(t, false);
    const int64_t lanes = NDFT_DIRECT_BYTES / (int64_t)ndft_real_size(p->prec);
    ndft_cost cost = {.dram_bytes = ndft_axes_bytes(t, false), .launches = axes.passes};
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass *pass = &axes.pass[i];
        const double outputs = (double)((pass->out.count + lanes - 1) / lanes * lanes);
        const double lines = (double)pass->lines, inputs = (double)pass->in.count;
        const double groups = (double)((pass->lines - 1) / NDFT_DIRECT_LINES + 1);
        const double phasors = groups * outputs * (turned ? tile + inputs / tile : inputs);
        cost.fma += outputs * inputs * lines * ((pass->in.real ? 2 : 4) + (turned ? 4. / tile : 0));
        cost.fma += turned ? 12 * phasors : 0;
        cost.integer += 3 * phasors;
    }
    cost.l2_bytes = cost.dram_bytes;
    cost.issue_slots = cost.fma + cost.integer;
    ndft_add_callback_passes(p, &cost);
    return cost;
}

static ndft_cost tiled_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return cost_of(p, k[TILE], true);
}

static ndft_cost table_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return cost_of(p, k[TILE], false);
}

const ndft_variant ndft_uniform_tiled_cpu = {
    .name = "uniform_tiled",
    .backend = "cpu",
    .summary = "direct sums axis by axis, tiles about exact phases",
    NDFT_KNOBS(tiled_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT)},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = tiled_plan,
    .execute = ndft_line_execute,
    .destroy = ndft_arena_destroy,
    .cost = tiled_cost,
};

const ndft_variant ndft_uniform_sincos_table_cpu = {
    .name = "uniform_sincos_table",
    .backend = "cpu",
    .summary = "direct sums axis by axis, phasors from the roots of unity",
    NDFT_KNOBS(table_knobs),
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT)},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = table_plan,
    .execute = ndft_line_execute,
    .destroy = ndft_arena_destroy,
    .cost = table_cost,
};
