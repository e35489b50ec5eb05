/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fused_loop.h"
#include "uniform_cost.h"

#include <stdlib.h>

/*
 * Bluestein's algorithm in three stages per axis: transform of the filter, which makes itself from
 * the chirp while it is loaded; transform of all lines, whose load multiplies by the chirp and
 * pads; inverse, whose load multiplies by the filter's spectrum and whose store by the chirp. With
 * chirp_fft=plan the first is done once, and two stages are left. Threads over lines in each; the
 * padded lines are kept in memory between two stages, as many at a time as a buffer has room for.
 * Reading and writing them is the ceiling.
 */

typedef void stage(const ndft_bluestein_part *);

typedef struct fused_plan {
    ndft_exec *exec;
    ndft_bluestein bluestein;
    bool filters; /* in execute */
    stage *filter, *forward, *back;
} fused_plan;

static stage *const filters[3][2] = NDFT_LOOP_TABLE(bluestein_filter);
static stage *const forwards[3][2] = NDFT_LOOP_TABLE(bluestein_forward);
static stage *const backs[3][2] = NDFT_LOOP_TABLE(bluestein_back);

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *knob)
{
    (void)device;
    (void)knob;
    return ndft_bluestein_unfit(p);
}

static void destroy(void *state)
{
    fused_plan *plan = state;
    ndft_bluestein_release(&plan->bluestein);
    free(plan);
}

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    fused_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    plan->filters = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_EXECUTE;
    plan->filter = filters[exec->device.isa][p->prec];
    plan->forward = forwards[exec->device.isa][p->prec];
    plan->back = backs[exec->device.isa][p->prec];
    const ndft_status status =
        ndft_bluestein_make(exec, ndft_transform_of(p), knob, true, &plan->bluestein);
    if (status == NDFT_OK)
        *out = plan;
    else
        destroy(plan);
    return status;
}

static void run(const fused_plan *plan, stage *does, const char *name,
                const ndft_bluestein_part *part)
{
    does(part);
    ndft_mark(plan->exec, name);
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const fused_plan *plan = state;
    const ndft_bluestein *b = &plan->bluestein;
    (void)op;
    ndft_bluestein_copy(b, in);
    for (int i = 0; i < b->axes.passes; i++) {
        ndft_bluestein_part part = ndft_bluestein_begin(b, i, in, out);
        if (plan->filters) run(plan, plan->filter, "chirp_fft", &part);
        while (ndft_bluestein_next(b, i, &part)) {
            run(plan, plan->forward, "fft", &part);
            run(plan, plan->back, "ifft", &part);
        }
    }
    return NDFT_OK;
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    const double nodes = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_EXECUTE ? 3 : 2;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 2, nodes);
}

static const char *const stages[] = {"chirp_fft", "fft", "ifft", NULL};

const ndft_variant ndft_bluestein_fused_cpu = {
    .name = "bluestein_fused",
    .backend = "cpu",
    .summary =
        "Bluestein's algorithm, products and padding inside the transforms' loads and stores",
    .knobs = ndft_bluestein_knobs,
    .n_knobs = NDFT_BLUESTEIN_ALL,
    .ops = NDFT_FORWARD,
    .claim = {.c = 1, .truncation = ndft_fft_truncation, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .stages = stages,
};
