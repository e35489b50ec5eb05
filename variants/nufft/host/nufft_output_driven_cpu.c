/* SPDX-License-Identifier: Apache-2.0 */
#include "host_cost.h"
#include "host_plan_fftw.h"
#include "nufft/field/field.h"
#include "nufft_output_driven_loop.h"

/*
 * The nonuniform FFT, output-driven (seed 001). A tile of the grid with what surrounds it lies in
 * the first cache. The window values of a batch of its samples are evaluated first, (sample, axis,
 * cell), then their tensor products are added to the tile, and at last the tile to the grid, stripe
 * by stripe, so that nothing is atomic. Stores into the first cache are the ceiling; FFTs come
 * second.
 */

static const ndft_knob knobs[] = {
#include "host_knobs.def"
    {"np",
     "samples",
     "of a batch whose window values are evaluated first",
     NULL,
     64,
     4,
     {16, 64, 128, 256}},
};

static const ndft_host_scheme scheme = {.spread = NDFT_LOOP_TABLE(nufft_output_driven),
                                        .order = NDFT_HOST_SORTED,
                                        .tiles = true,
                                        .np = true};

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[NDFT_HOST_NP] < 16 || k[NDFT_HOST_NP] > 512 || k[NDFT_HOST_NP] % 16)
        return "np must be a multiple of 16 from 16 to 512";
    return ndft_host_unsupported(p, device, k);
}

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_host_plan(p, k, ops, exec, &scheme, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_host_cost(p, op, k, &scheme);
}

const ndft_variant ndft_nufft_output_driven_cpu = {
    .name = "nufft_output_driven",
    .backend = "cpu",
    .summary = "nonuniform FFT, output-driven: padded tiles gather their samples (seed 001)",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.truncation = ndft_nufft_truncation,
              .any = {.chain = ndft_no_chain, .truncation = ndft_nufft_any},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = ndft_host_execute,
    .destroy = ndft_host_destroy,
    .cost = cost,
    .stages = ndft_host_stage_names,
    .chosen = ndft_host_chosen,
};
