/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "nufft/interpolate/window_cells.cuh"
#include "nufft/window/footprint.cuh"

#include "nufft/cuda_cost.h"

/*
 * A thread has a sample, whose weights it evaluates once for all columns of its share. The adjoint
 * adds to the grid by atomics of 16 bytes, two f32 cells at a time; the forward transform reads
 * cells as wide. Samples are sorted by tiles long in x, so that a warp's samples share lines of the
 * first cache. The ceiling is the rate of atomics in the second cache, and of lines in the first.
 */

namespace
{

enum { LENGTH = NDFT_NUFFT_KNOBS, HEIGHT, SHARE }; /* knobs, in order */

const ndft_knob knobs[] = {
#include "nufft/knobs.def"
    {"length", "cells", "of a tile of the sort along x", nullptr, 32, 4, {8, 16, 32, 64}},
    {"height", "cells", "of a tile of the sort along y and z", nullptr, 2, 3, {1, 2, 4}},
    {"share", "coils", "that a thread takes; 0 chooses", nullptr, 0, 5, {0, 1, 2, 4, 8}},
};

template <class R, int DIM, int W>
__global__ void spread(const __grid_constant__ ndft_nufft_view<R, W> view,
                       const ndft_complex<R> *in)
{
    const int64_t i = blockIdx.x * (int64_t)NDFT_SAMPLE_THREADS + threadIdx.x;
    if (i >= view.samples.count) return;
    const ndft_footprint<R, DIM, W> cells(view, i);
    const int64_t j = view.samples.number[i];
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        const ndft_complex<R> datum = in[ndft_datum(view, j, coil)];
        for (int term = 0; term < view.pass.terms; term++) {
            ndft_complex<R> turn = ndft_sample_weight(view, j, term), value;
            turn.im = -turn.im;
            ndft_rotate(value, turn, datum);
            cells.scatter(view.grid, ndft_column(view, term, coil), value);
        }
    }
}

using launch = ndft_status (*)(const ndft_nufft_cuda *, const ndft_nufft_pass *, int share,
                               const void *in);

template <class R, int DIM, int W>
ndft_status run_spread(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass, int share,
                       const void *in)
{
    spread<R, DIM, W><<<ndft_nufft_sample_blocks(plan, pass, share), NDFT_SAMPLE_THREADS, 0,
                        ndft_stream(plan->arrays.exec)>>>(ndft_nufft_view_of<R, W>(plan, pass),
                                                          (const ndft_complex<R> *)in);
    return ndft_launched(plan->arrays.exec, "spreading");
}

/* What the scheme keeps. */
struct scatter {
    launch spread;
    int share;
};

ndft_status prepare(ndft_nufft_cuda *plan, const int *k)
{
    scatter *own = (scatter *)calloc(1, sizeof *own);
    if (!own) return ndft_fail(plan->arrays.exec->error, NDFT_ENOMEM, "no memory for a plan");
    plan->own = own;
    own->spread = ndft_by_kernel(plan, [](auto real, auto dim, auto width) -> launch {
        return run_spread<decltype(real), dim.value, width.value>;
    });
    own->share = k[SHARE] ? k[SHARE] : ndft_nufft_coil_share(plan);
    return NDFT_OK;
}

ndft_status spread_pass(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass, const void *in)
{
    const scatter *own = (const scatter *)plan->own;
    return own->spread(plan, pass, own->share, in);
}

ndft_status interpolate_pass(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass, void *out)
{
    return ndft_nufft_interpolate_share(plan, pass, ((const scatter *)plan->own)->share, out);
}

void tile(const ndft_nufft_shape *, const int *k, int edge[3])
{
    edge[0] = k[LENGTH];
    edge[1] = edge[2] = k[HEIGHT];
}

void chosen(const ndft_nufft_cuda *plan, char *text, size_t size)
{
    ndft_chosen_one(text, size, "coils_of_thread", ((const scatter *)plan->own)->share);
}

const ndft_nufft_scheme scheme = {
    .overwrites = false,
    .tile = tile,
    .prepare = prepare,
    .spread = spread_pass,
    .interpolate = interpolate_pass,
    .chosen = chosen,
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[LENGTH] < 1 || k[HEIGHT] < 1) return "tiles of the sort must have at least one cell";
    return ndft_nufft_field_unsupported(p, device, k);
}

/* Seed 002: every sample is read once, and all its cells are, or are added to. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    return ndft_nufft_thread_cost(&work);
}

} // namespace

extern "C" const ndft_variant ndft_nufft_scatter_cuda = {
    .name = "nufft_scatter",
    .backend = "cuda",
    .summary = "nonuniform FFT; a thread per sample, atomics of 16 bytes",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.truncation = ndft_nufft_truncation,
              .any = {.chain = ndft_no_chain, .truncation = ndft_nufft_any},
              .deterministic = false,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = ndft_nufft_plan_cuda<scheme>,
    .execute = ndft_nufft_execute_cuda,
    .destroy = ndft_nufft_destroy_cuda,
    .cost = cost,
    .stages = ndft_nufft_stages,
    .chosen = ndft_nufft_chosen_cuda,
};
