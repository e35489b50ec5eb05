/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"
#include "bluestein_split_loop.h"
#include "uniform/uniform_cost.h"

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

static ndft_bluestein_stage *const loops[STAGES][3][2] = {
    NDFT_LOOP_TABLE(bluestein_chirp), NDFT_LOOP_TABLE(bluestein_pad_mul),
    NDFT_LOOP_TABLE(bluestein_fft),   NDFT_LOOP_TABLE(bluestein_fft_mul),
    NDFT_LOOP_TABLE(bluestein_ifft),  NDFT_LOOP_TABLE(bluestein_res_mul),
};

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    const ndft_bluestein_stages stages = {STAGES, 1, names, loops};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
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
    .claim = {.c = 1,
              .truncation = ndft_fft_truncation,
              .any = {.c = 1, .chain = ndft_no_chain, .truncation = ndft_fft_worst},
              .preserves_input = true},
    .unsupported = ndft_bluestein_unsupported,
    .plan = plan,
    .execute = ndft_bluestein_execute,
    .destroy = ndft_bluestein_destroy,
    .cost = cost,
    .stages = names,
    .chosen = ndft_bluestein_chosen,
};
