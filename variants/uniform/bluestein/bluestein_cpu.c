/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"
#include "bluestein_stages_loop.h"
#include "convolve/convolve_batch_fftw.h"
#include "uniform/uniform_cost.h"

/*
 * Bluestein's algorithm by FFTW, axis by axis (bluestein_fftw.h). Three variants differ in the
 * stages that an axis' lines are taken through.
 *
 * bluestein_split has six, all of them in execute: the chirp; its products with the lines, padded;
 * the transforms of lines and chirp; their product; the inverse; the product with the chirp. Each
 * is a pass over padded lines, threads over lines, as many at a time as their second caches hold.
 * The baseline of what fusing gains; those passes are its ceiling.
 *
 * bluestein_fused has three: transform of the filter, which makes itself from the chirp while it is
 * loaded; transform of all lines, whose load multiplies by the chirp and pads; inverse, whose load
 * multiplies by the filter's spectrum and whose store by the chirp. With chirp_fft=plan the first
 * is done once, and two stages are left. Threads over lines in each; so many padded lines at a time
 * that they are in cache between two stages. The transforms are the ceiling.
 *
 * bluestein_single has one: a thread takes a line, or a few neighbouring ones, through all of it in
 * a buffer of its own. While a padded line fits into a core's cache, memory sees the input and the
 * output alone, and the two transforms are the ceiling. Tables come from plan.
 */

static const char *const split_names[] = {"chirp", "pad_mul", "fft", "fft_mul",
                                          "ifft",  "res_mul", NULL};
static const char *const fused_names[] = {"chirp_fft", "fft", "ifft", NULL};
static const char *const single_names[] = {"convolution", NULL};

enum { SPLIT_STAGES = 6, FUSED_STAGES = 3 };

static ndft_bluestein_stage *const split_loops[SPLIT_STAGES][3][2] = {
    NDFT_LOOP_TABLE(bluestein_chirp), NDFT_LOOP_TABLE(bluestein_pad_mul),
    NDFT_LOOP_TABLE(bluestein_fft),   NDFT_LOOP_TABLE(bluestein_fft_mul),
    NDFT_LOOP_TABLE(bluestein_ifft),  NDFT_LOOP_TABLE(bluestein_res_mul),
};
static ndft_bluestein_stage *const fused_loops[FUSED_STAGES][3][2] = {
    NDFT_LOOP_TABLE(bluestein_filter),
    NDFT_LOOP_TABLE(bluestein_forward),
    NDFT_LOOP_TABLE(bluestein_back),
};
static ndft_bluestein_stage *const single_loops[][3][2] = {NDFT_LOOP_TABLE(bluestein_whole)};

static ndft_status split_plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                              void **out)
{
    (void)ops;
    const ndft_bluestein_stages stages = {SPLIT_STAGES, 1, split_names, split_loops};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
}

static ndft_status fused_plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                              void **out)
{
    (void)ops;
    const int first = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_PLAN;
    const ndft_bluestein_stages stages = {FUSED_STAGES - first, 1 - first, fused_names + first,
                                          fused_loops + first};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
}

static ndft_status single_plan(const ndft_problem *p, const int *knob, unsigned ops,
                               ndft_exec *exec, void **out)
{
    (void)ops;
    const ndft_bluestein_stages stages = {1, 0, single_names, single_loops};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
}

/* The chirp's sine and cosine are libm's, about 30 instructions each. */
static ndft_cost split_cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    const ndft_transform *t = ndft_transform_of(p);
    ndft_cost cost = ndft_bluestein_cost(t, knob, 8, SPLIT_STAGES);
    for (int d = 0; d < t->dim; d++) {
        cost.special += 2 * (double)t->shape[NDFT_MODE_N + d];
        cost.issue_slots += 60 * (double)t->shape[NDFT_MODE_N + d];
    }
    return cost;
}

static ndft_cost fused_cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    const int first = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_PLAN;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 2, FUSED_STAGES - first);
}

static ndft_cost single_cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 0, 1);
}

/* Of all three, with so many of the knobs. */
#define BLUESTEIN(knobs_in_use)                                                                    \
    .backend = "cpu", .knobs = ndft_bluestein_knobs, .n_knobs = (knobs_in_use),                    \
    .ops = NDFT_FORWARD, .claim = {.c = 1, NDFT_PAIRED_ERRORS},                                    \
    .unsupported = ndft_bluestein_unsupported, .execute = ndft_bluestein_execute,                  \
    .destroy = ndft_bluestein_destroy, .tried = 1u << NDFT_BLUESTEIN_RIGOR

const ndft_variant ndft_bluestein_split_cpu = {
    .name = "bluestein_split",
    .summary = "Bluestein's algorithm in six stages, the chirp and its transform among them",
    BLUESTEIN(NDFT_BLUESTEIN_COMMON),
    .plan = split_plan,
    .cost = split_cost,
    .stages = split_names,
    .chosen = ndft_bluestein_chosen,
};

const ndft_variant ndft_bluestein_fused_cpu = {
    .name = "bluestein_fused",
    .summary =
        "Bluestein's algorithm, products and padding inside the transforms' loads and stores",
    BLUESTEIN(NDFT_BLUESTEIN_ALL),
    .plan = fused_plan,
    .cost = fused_cost,
    .stages = fused_names,
    .chosen = ndft_bluestein_chosen,
};

const ndft_variant ndft_bluestein_single_cpu = {
    .name = "bluestein_single",
    .summary = "Bluestein's algorithm, a line at a time while it is in cache",
    BLUESTEIN(NDFT_BLUESTEIN_COMMON),
    .plan = single_plan,
    .cost = single_cost,
    .stages = single_names,
    .chosen = ndft_bluestein_chosen,
};
