/* SPDX-License-Identifier: Apache-2.0 */
#include "host_cost.h"
#include "host_plan_fftw.h"
#include "nufft/field/field.h"
#include "nufft_hybrid_loop.h"

/*
 * The nonuniform FFT by the hybrid scheme of seed 002. A thread takes a tile of cells and all
 * samples whose windows reach into it, as runs of successive samples, keeps what falls into the
 * tile and writes every cell once: no sorting of samples, no sums from elsewhere, one order of
 * additions. Windows at edges are evaluated for each tile that they reach. Stores into the first
 * cache are the ceiling; FFTs come second.
 */

static const ndft_knob knobs[] = {
#include "host_knobs.def"
};

static const ndft_host_scheme scheme = {
    .spread = NDFT_LOOP_TABLE(nufft_hybrid), .order = NDFT_HOST_RUNS, .tiles = true};

static ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec,
                        void **out)
{
    return ndft_host_plan(p, k, ops, exec, &scheme, out);
}

static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_host_cost(p, op, k, &scheme);
}

const ndft_variant ndft_nufft_hybrid_cpu = {
    .name = "nufft_hybrid",
    .backend = "cpu",
    .summary =
        "nonuniform FFT, hybrid: tiles by runs of samples, every cell written once (seed 002)",
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
