/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"
#include "convolve/bluestein_loop.h"
#include "uniform/uniform_cost.h"

/*
 * Bluestein's algorithm in one stage per axis: a thread takes a line, or a few neighbouring ones,
 * through all of it in a buffer of its own: times the chirp, transform, product, transform back,
 * times the chirp. While a padded line fits into a core's cache, memory sees the input and the
 * output alone, and the two transforms are the ceiling. Tables come from plan.
 */

static const char *const names[] = {"convolution", NULL};

static ndft_bluestein_stage *const loops[][3][2] = {NDFT_LOOP_TABLE(bluestein_whole)};

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    const ndft_bluestein_stages stages = {1, 0, names, loops};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 0, 1);
}

const ndft_variant ndft_bluestein_single_cpu = {
    .name = "bluestein_single",
    .backend = "cpu",
    .summary = "Bluestein's algorithm, a line at a time while it is in cache",
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
