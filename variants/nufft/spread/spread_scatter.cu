/* SPDX-License-Identifier: Apache-2.0 */
#include "core/chosen.h"
#include "nufft/interpolate/footprint.cuh"

#include "nufft/crowd_waits.h"

/*
 * The adjoint adds to the grid by atomics of 16 bytes, two f32 cells at a time; but for one
 * dimension a sample has as many threads as a row of its cells has such pieces, so that what goes
 * to a line is one request. Going forward a thread has a sample, and reads cells as wide. Weights
 * are evaluated once for all columns of a thread's share. Samples are sorted by tiles long in x, so
 * that a warp's samples share lines of the first cache. The ceiling is the rate of atomics in the
 * second cache, and of lines in the first.
 */

namespace
{

/* Threads of a sample: of its row's pieces, a power of two. */
template <class R, int DIM, int W>
constexpr int lanes = DIM == 1                                ? 1
                      : W * sizeof(ndft_complex<R>) <= 2 * 16 ? 2
                      : W * sizeof(ndft_complex<R>) <= 4 * 16 ? 4
                                                              : 8;

template <class R, int DIM, int W>
__global__ void spread(const __grid_constant__ ndft_nufft_view<R, W> view,
                       const ndft_complex<R> *in)
{
    constexpr int LANES = lanes<R, DIM, W>;
    const int64_t i = (blockIdx.x * (int64_t)NDFT_SAMPLE_THREADS + threadIdx.x) / LANES;
    ndft_wait_for_kernel_before();
    if (i >= view.samples.count) return;
    const ndft_footprint<R, DIM, W, LANES> cells(view, i);
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

using launch = ndft_status (*)(const ndft_nufft_plan *, const ndft_nufft_pass *, const void *in);

template <class R, int DIM, int W>
ndft_status run_spread(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ndft_nufft_launch(plan, ndft_nufft_sample_blocks(plan, pass, lanes<R, DIM, W>),
                             NDFT_SAMPLE_THREADS, 0, spread<R, DIM, W>,
                             ndft_nufft_view_of<R, W>(plan, pass), (const ndft_complex<R> *)in);
}

/* What the scheme keeps. */
struct scatter {
    launch spread;
};

ndft_status prepare(ndft_nufft_plan *plan, const int *)
{
    scatter *own = (scatter *)plan->own;
    own->spread = ndft_by_kernel(plan, [](auto real, auto dim, auto width) -> launch {
        return run_spread<decltype(real), dim.value, width.value>;
    });
    return NDFT_OK;
}

ndft_status spread_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, const void *in)
{
    return ((const scatter *)plan->own)->spread(plan, pass, in);
}

void tile(const ndft_nufft_shape *, const int *k, int edge[3])
{
    edge[0] = k[NDFT_SCATTER_LENGTH];
    edge[1] = edge[2] = k[NDFT_SCATTER_HEIGHT];
}

void chosen(const ndft_nufft_plan *plan, char *text, size_t size)
{
    ndft_chosen_one(text, size, "coils_of_thread", plan->share);
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (k[NDFT_SCATTER_LENGTH] < 1 || k[NDFT_SCATTER_HEIGHT] < 1)
        return "tiles of the sort must have at least one cell";
    return ndft_nufft_field_unsupported(p, device, k);
}

/* As Sorensen counts: every sample is read once, and all its cells are, or are added to. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    ndft_cost found = ndft_nufft_thread_cost(&work);
    if (op == NDFT_ADJOINT) found.launches += ndft_nufft_sums_wait(p, &work);
    return found;
}

} // namespace

const ndft_nufft_stage ndft_spread_scatter = {
    .summary = "nonuniform FFT; a thread per sample, atomics of 16 bytes",
    .knobs = ndft_knob_bits(NDFT_SCATTER_LENGTH, NDFT_SCATTER_SHARE),
    .tile = tile,
    .own_bytes = sizeof(scatter),
    .prepare = prepare,
    .spread = spread_pass,
    .chosen = chosen,
    .unsupported = unsupported,
    .cost = cost,
};
