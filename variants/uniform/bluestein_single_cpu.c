/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_single_loop.h"
#include "uniform_cost.h"

#include <stdlib.h>

/*
 * Bluestein's algorithm in one stage per axis: a thread takes a line, or a few neighbouring ones,
 * through all of it in a buffer of its own: times the chirp, transform, product, transform back,
 * times the chirp. While a padded line fits into a core's cache, memory sees the input and the
 * output alone, and the two transforms are the ceiling. Tables come from plan.
 */

typedef struct single_plan {
    ndft_exec *exec;
    ndft_bluestein bluestein;
    void (*run)(const ndft_bluestein_part *);
} single_plan;

static void (*const loops[3][2])(const ndft_bluestein_part *) = NDFT_LOOP_TABLE(bluestein_single);

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *knob)
{
    (void)device;
    (void)knob;
    return ndft_bluestein_unfit(p);
}

static void destroy(void *state)
{
    single_plan *plan = state;
    ndft_bluestein_release(&plan->bluestein);
    free(plan);
}

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    single_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    plan->run = loops[exec->device.isa][p->prec];
    const ndft_status status =
        ndft_bluestein_make(exec, ndft_transform_of(p), knob, false, &plan->bluestein);
    if (status == NDFT_OK)
        *out = plan;
    else
        destroy(plan);
    return status;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const single_plan *plan = state;
    const ndft_bluestein *b = &plan->bluestein;
    (void)op;
    ndft_bluestein_copy(b, in);
    for (int i = 0; i < b->axes.passes; i++) {
        ndft_bluestein_part part = ndft_bluestein_begin(b, i, in, out);
        while (ndft_bluestein_next(b, i, &part)) {
            plan->run(&part);
            ndft_mark(plan->exec, "convolution");
        }
    }
    return NDFT_OK;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    (void)knob;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 0, 1);
}

static const char *const stages[] = {"convolution", NULL};

const ndft_variant ndft_bluestein_single_cpu = {
    .name = "bluestein_single",
    .backend = "cpu",
    .summary = "Bluestein's algorithm, a line at a time while it is in cache",
    .knobs = ndft_bluestein_knobs,
    .n_knobs = NDFT_BLUESTEIN_COMMON,
    .ops = NDFT_FORWARD,
    .claim = {.c = 1, .truncation = ndft_fft_truncation, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .stages = stages,
};
