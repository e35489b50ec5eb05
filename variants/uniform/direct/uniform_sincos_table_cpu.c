/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_lines.h"
#include "phase/worst_entry.h"
#include "uniform/bluestein/chirp.h"
#include "uniform_sincos_table_loop.h"

/*
 * Direct sums axis by axis from a table of the N roots of unity, made in plan: the phasor of a pair
 * is the entry n k mod N, found by addition with a wrap. A tile's phasors are looked up into the
 * first-level cache for all lines of a group, which then meet them in a register-blocked product
 * (gemm_tile.h). With few lines the look-ups are its ceiling, with many the FMA pipes.
 */

enum { TILE };

static const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs whose phasors are looked up at a time", NULL, 32, 3, {16, 32, 64}},
};

static ndft_line_loop *const loops[3][2] = NDFT_LOOP_TABLE(uniform_sincos_table);

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

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    const ndft_line_recipe recipe = {.tile = k[TILE],
                                     .loop = loops[exec->device.isa][p->prec],
                                     .work_reals = ndft_direct_reals,
                                     .table_reals = table_reals,
                                     .fill = fill};
    return ndft_line_create(p, exec, &recipe, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)op;
    return ndft_direct_lines_cost(p, k[TILE], false);
}

const ndft_variant ndft_uniform_sincos_table_cpu = {
    .name = "uniform_sincos_table",
    .backend = "cpu",
    .summary = "direct sums axis by axis, phasors from the roots of unity",
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
