/* SPDX-License-Identifier: Apache-2.0 */
#include "fast_math_loop.h"
#include "phase/phase_range.h"
#include "phase/worst_entry.h"
#include "sum_cost.h"
#include "sum_plan.h"

/*
 * Naive's mapping, outputs over threads and here over vector lanes, all inputs streamed in their
 * order: only the arithmetic changes. Each product of the phase is reduced exactly by an FMA before
 * it is added, with what rounding took from k/N and dw/(2 pi) added back, so the phase has no error
 * that grows; sine, cosine and sinc are polynomials. The FMA pipes are the ceiling, 10 + 3 axes a
 * pair and 4 more per coil.
 */

enum { OUTPUTS, THREADS }; /* knobs, in order */
enum { SUM_LENGTH = 256 }; /* terms that are added up on their own */

static const ndft_knob knobs[] = {
    {"outputs",
     "vectors",
     "vectors of outputs that a thread takes at a time",
     NULL,
     4,
     4,
     {1, 2, 4, 8}},
    {"threads", "", "threads; 0 is all", NULL, 0, 3, {0, 1, 2}},
};

static ndft_sum_loop *const loops[3][2] = NDFT_LOOP_TABLE(fast_math);

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    (void)device;
    if (k[OUTPUTS] < 1 || k[OUTPUTS] > 8) return "outputs must be 1 to 8";
    if (k[THREADS] > NDFT_THREADS_MAX) return "threads must be at most 1024";
    return ndft_phase_range_exceeded(p);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    const ndft_recipe recipe = {.compact = NDFT_COMPACT_NONE,
                                .lanes = ndft_lanes(p, k[OUTPUTS]),
                                .tile = SUM_LENGTH,
                                .threads = k[THREADS],
                                .split = 1};
    return ndft_sum_create(p, ops, exec, &recipe, loops[exec->device.isa][p->prec], out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    ndft_cost cost = ndft_sum_cost(p, op);
    ndft_cost_reduced(&cost, p, op);
    ndft_cost_sincos(&cost, p, op);
    return ndft_cost_total(cost);
}

static double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    (void)k;
    return ndft_cut_chain(p, op, SUM_LENGTH);
}

const ndft_variant ndft_fast_math_cpu = {
    .name = "fast_math",
    .backend = "cpu",
    .summary = "naive's mapping, every product reduced exactly, polynomial sincos and sinc",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 24,
              .any = {.c =
                          NDFT_ANY_REDUCED + NDFT_ANY_POLYNOMIAL + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_sum_execute,
    .destroy = ndft_sum_destroy,
    .cost = cost,
    .chosen = ndft_sum_chosen,
};
