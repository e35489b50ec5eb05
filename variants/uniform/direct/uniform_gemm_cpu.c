/* SPDX-License-Identifier: Apache-2.0 */
#include "direct_cost.h"
#include "folded.h"
#include "phase/worst_entry.h"
#include "uniform/bluestein/chirp.h"
#include "uniform/callback/callback_inner.h"
#include "uniform/line_plan.h"
#include "uniform/uniform_cost.h"

/*
 * Short lines as matrix products, axis by axis: folded in halves (folded.h), a group of lines as
 * the vector lanes of both products and each output a column. The matrices are made in plan and
 * lie in cache; lines are read and written once. Sums stay in registers (gemm_tile.h), the FMA
 * pipes are the ceiling: one a pair, N a number, so that memory is it where N is small.
 */

enum { LONGEST = 1024 };

NDFT_LOOPS(loops, ndft_line_loop, uniform_gemm);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    (void)k;
    return ndft_axes_longest(ndft_transform_of(p)) > LONGEST
               ? "its matrices are to stay in cache: axes of 1024 at most"
               : ndft_unsupported_callbacks_c(p);
}

static int64_t table_reals(const ndft_pass *pass)
{
    const int64_t even = ndft_even_rows(pass->length), odd = ndft_odd_rows(pass->length);
    return even * even + odd * odd;
}

static void fill(const ndft_pass *pass, double *table)
{
    const int64_t n = pass->length, even = ndft_even_rows(n), odd = ndft_odd_rows(n);
    double phasor[2];
    for (int64_t k = 0; k < even; k++) {
        for (int64_t j = 0; j < even; j++) {
            ndft_half_turns(2 * (j * k % n), n, phasor);
            *table++ = phasor[0];
        }
    }
    for (int64_t k = odd; k > 0; k--) {
        for (int64_t j = odd; j > 0; j--) {
            ndft_half_turns(2 * (j * k % n), n, phasor);
            *table++ = phasor[1];
        }
    }
}

/* The lines' rows and the products'. */
static size_t work_reals(const ndft_line_sum *s, ndft_prec prec)
{
    return 2 * (size_t)s->pass.length * (NDFT_GEMM_BYTES / ndft_real_size(prec));
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)k;
    (void)ops;
    const ndft_line_recipe recipe = {.whole_lines = true,
                                     .loop = loops[exec->device.isa][p->prec],
                                     .work_reals = work_reals,
                                     .table_reals = table_reals,
                                     .fill = fill};
    return ndft_line_create(p, exec, &recipe, out);
}

/* Columns of the products: whole groups of lanes, of which a complex line takes two. */
static double columns_of(const ndft_pass *pass, ndft_prec prec)
{
    const int64_t lanes = NDFT_GEMM_BYTES / (int64_t)ndft_real_size(prec);
    const int64_t at_once = pass->domain == NDFT_C2C ? lanes / 2 : lanes;
    return (double)((pass->lines + at_once - 1) / at_once * lanes);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_uniform_problem inner = ndft_inner_problem(p);
    const ndft_transform *t = &inner.transform;
    const ndft_axes axes = ndft_axes_of(t, true);
    ndft_cost cost = {.dram_bytes = ndft_axes_bytes(t, true), .launches = axes.passes};
    (void)op;
    (void)k;
    for (int i = 0; i < axes.passes; i++) {
        const ndft_pass *pass = &axes.pass[i];
        const double columns = columns_of(pass, p->prec);
        cost.fma += columns * (double)table_reals(pass);
        cost.add += 2 * columns * (double)pass->length;
    }
    cost.l2_bytes = cost.dram_bytes;
    cost.issue_slots = cost.fma + cost.add;
    ndft_add_callback_passes(p, &cost);
    return cost;
}

const ndft_variant ndft_uniform_gemm_cpu = {
    .name = "uniform_gemm",
    .backend = "cpu",
    .summary = "short lines as products with folded DFT matrices",
    .ops = NDFT_FORWARD,
    .claim = {.b = 0.2,
              .c = 8,
              .any = {.c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT), .chain = ndft_folded_chain},
              .deterministic = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_line_execute,
    .destroy = ndft_arena_destroy,
    .cost = cost,
};
