/* SPDX-License-Identifier: Apache-2.0 */
#include "host_cost.h"
#include "host_plan_fftw.h"
#include "nufft/field/field.h"
#include "nufft_scatter_loop.h"

/*
 * The nonuniform FFT, sample-driven. Samples are sorted by tiles of the grid; a thread takes a
 * stripe of tiles and adds each sample's window where it lies, a row of cells at a time. Weights
 * are evaluated once for a few coils. Reading and writing the W^d cells of each sample in the first
 * caches is the ceiling; FFTs come second.
 */

static const ndft_knob knobs[] = {
#include "host_knobs.def"
};

static const ndft_host_scheme scheme = {.spread = NDFT_LOOP_TABLE(nufft_scatter),
                                        .order = NDFT_HOST_SORTED};

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_host_plan(p, k, ops, exec, &scheme, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_host_cost(p, op, k, &scheme);
}

const ndft_variant ndft_nufft_scatter_cpu = {
    .name = "nufft_scatter",
    .backend = "cpu",
    .summary = "nonuniform FFT, sample-driven: windows are added to the grid where they lie",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.truncation = ndft_nufft_truncation,
              .any = {.chain = ndft_no_chain, .truncation = ndft_nufft_any},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = ndft_host_unsupported,
    .plan = plan,
    .execute = ndft_host_execute,
    .destroy = ndft_host_destroy,
    .cost = cost,
    .stages = ndft_host_stage_names,
    .chosen = ndft_host_chosen,
};
