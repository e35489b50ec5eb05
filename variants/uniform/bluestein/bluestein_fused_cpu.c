/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fftw.h"
#include "bluestein_fused_loop.h"
#include "uniform/uniform_cost.h"

/*
 * Bluestein's algorithm in three stages per axis: transform of the filter, which makes itself from
 * the chirp while it is loaded; transform of all lines, whose load multiplies by the chirp and
 * pads; inverse, whose load multiplies by the filter's spectrum and whose store by the chirp. With
 * chirp_fft=plan the first is done once, and two stages are left. Threads over lines in each; the
 * padded lines are kept in memory between two stages, as many at a time as a buffer has room for.
 * Reading and writing them is the ceiling.
 */

enum { STAGES = 3 };

static const char *const names[STAGES + 1] = {"chirp_fft", "fft", "ifft"};

static ndft_bluestein_stage *const loops[STAGES][3][2] = {
    NDFT_LOOP_TABLE(bluestein_filter),
    NDFT_LOOP_TABLE(bluestein_forward),
    NDFT_LOOP_TABLE(bluestein_back),
};

static ndft_status plan(const ndft_problem *p, const int *knob, unsigned ops, ndft_exec *exec,
                        void **out)
{
    (void)ops;
    const int first = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_PLAN;
    const ndft_bluestein_stages stages = {STAGES - first, 1 - first, names + first, loops + first};
    return ndft_bluestein_plan(p, knob, exec, &stages, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knob)
{
    (void)op;
    const int first = knob[NDFT_BLUESTEIN_CHIRP_FFT] == NDFT_BLUESTEIN_IN_PLAN;
    return ndft_bluestein_cost(ndft_transform_of(p), knob, 2, STAGES - first);
}

const ndft_variant ndft_bluestein_fused_cpu = {
    .name = "bluestein_fused",
    .backend = "cpu",
    .summary =
        "Bluestein's algorithm, products and padding inside the transforms' loads and stores",
    .knobs = ndft_bluestein_knobs,
    .n_knobs = NDFT_BLUESTEIN_ALL,
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
