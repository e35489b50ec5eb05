/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_split_loop.h"
#include "uniform_cost.h"

#include <stdlib.h>

/*
 * Bluestein's algorithm as six stages per axis, all of them in execute: the chirp; its products
 * with the lines, padded; the transforms of lines and chirp; their product; the inverse; the
 * product with the chirp. Each is a walk over the padded lines in memory, threads over lines, as
 * many at a time as a buffer has room for. The baseline of what fusing gains; those walks are its
 * ceiling.
 */

enum { STAGES = 6 };

static const char *const names[STAGES + 1] = {"chirp",   "pad_mul", "fft",
                                              "fft_mul", "ifft",    "res_mul"};

typedef void stage(const ndft_bluestein_part *);

static stage *const loops[STAGES][3][2] = {
    NDFT_LOOP_TABLE(bluestein_chirp), NDFT_LOOP_TABLE(bluestein_pad_mul),
    NDFT_LOOP_TABLE(bluestein_fft),   NDFT_LOOP_TABLE(bluestein_fft_mul),
    NDFT_LOOP_TABLE(bluestein_ifft),  NDFT_LOOP_TABLE(bluestein_res_mul),
};

typedef struct split_plan {
    ndft_exec *exec;
    ndft_bluestein bluestein;
    stage *run[STAGES];
} split_plan;

static const char *unfit(const ndft_problem *p, const ndft_device *device, const int *knob)
{
    (void)device;
    (void)knob;
    return ndft_bluestein_unfit(p);
}

static void destroy(void *state)
{
    split_plan *plan = state;
    ndft_bluestein_release(&plan->bluestein);
    free(plan);
}

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    split_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->exec = exec;
    for (int s = 0; s < STAGES; s++) plan->run[s] = loops[s][exec->device.isa][p->prec];
    const ndft_status status =
        ndft_bluestein_make(exec, ndft_transform_of(p), knob, true, &plan->bluestein);
    if (status == NDFT_OK)
        *out = plan;
    else
        destroy(plan);
    return status;
}

static ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const split_plan *plan = state;
    const ndft_bluestein *b = &plan->bluestein;
    (void)op;
    ndft_bluestein_copy(b, in);
    for (int i = 0; i < b->axes.passes; i++) {
        ndft_bluestein_part part = ndft_bluestein_begin(b, i, in, out);
        while (ndft_bluestein_next(b, i, &part)) {
            for (int s = part.first == 0 ? 0 : 1; s < STAGES; s++) {
                plan->run[s](&part);
                ndft_mark(plan->exec, names[s]);
            }
        }
    }
    return NDFT_OK;
}

/* The chirp's sine and cosine are libm's, about 30 instructions each. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    (void)knob;
    const ndft_transform *t = ndft_transform_of(p);
    ndft_cost cost = ndft_bluestein_cost(t, knob, 8, STAGES);
    for (int d = 0; d < t->dim; d++) {
        cost.special += 2 * (double)t->shape[NDFT_MODE_N + d];
        cost.issue_slots += 60 * (double)t->shape[NDFT_MODE_N + d];
    }
    return cost;
}

const ndft_variant ndft_bluestein_split_cpu = {
    .name = "bluestein_split",
    .backend = "cpu",
    .summary = "Bluestein's algorithm in six stages, the chirp and its transform among them",
    .knobs = ndft_bluestein_knobs,
    .n_knobs = NDFT_BLUESTEIN_COMMON,
    .ops = NDFT_FORWARD,
    .claim = {.c = 1, .truncation = ndft_fft_truncation, .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .cost = cost,
    .stages = names,
};
