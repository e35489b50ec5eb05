/* SPDX-License-Identifier: Apache-2.0 */

#include "footprint.cuh"
#include "nufft/cuda_cost.h"

namespace
{

/* Blocks that registers are kept for: short windows in 3D gain by more reads under way. */
template <class R, int DIM, int W>
constexpr int blocks_at_once = sizeof(R) == sizeof(float) && DIM == 3 && W <= 5 ? 8 : 1;

template <class R, int DIM, int W>
__global__ void __launch_bounds__(NDFT_SAMPLE_THREADS, blocks_at_once<R, DIM, W>)
    interpolate(const __grid_constant__ ndft_nufft_view<R, W> view, ndft_complex<R> *out)
{
    const int64_t i = blockIdx.x * (int64_t)NDFT_SAMPLE_THREADS + threadIdx.x;
    if (i >= view.samples.count) return;
    const ndft_footprint<R, DIM, W, 1> cells(view, i);
    const int64_t j = view.samples.number[i];
    ndft_wait_for_kernel_before();
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        ndft_complex<R> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            const ndft_complex<R> turn = ndft_sample_weight(view, j, term);
            const ndft_complex<R> *column = ndft_column(view, term, coil);
            ndft_accumulate(sum, turn.re, turn.im, cells.gather(view.grid, column));
        }
        ndft_put_sample(view, j, coil, sum, out);
    }
}

/* The same of one column, without a field map, by polynomials: in 3D, where else weights lie in
 * local memory, whose 100 bytes a thread take the cells' place in the second cache. */
template <int W>
__global__ void __launch_bounds__(NDFT_SAMPLE_THREADS, blocks_at_once<float, 3, W>)
    interpolate_column(const __grid_constant__ ndft_nufft_view<float, W> view,
                       ndft_complex<float> *out)
{
    constexpr int AT_ONCE = W <= 5 ? W : 1;
    const int64_t i = blockIdx.x * (int64_t)NDFT_SAMPLE_THREADS + threadIdx.x;
    if (i >= view.samples.count) return;
    ndft_nufft_view<float, W> own = view;
    own.weights.table = nullptr;
    const ndft_footprint<float, 3, W, 1> cells(own, i);
    const int64_t j = view.samples.number[i];
    ndft_wait_for_kernel_before();
    ndft_put_sample(view, j, 0, cells.template gather<AT_ONCE>(view.grid, ndft_column(view, 0, 0)),
                    out);
}

enum { LEAST_OF_COLUMN = 4, MOST_OF_COLUMN = 7 };

template <class R, int DIM, int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const dim3 blocks = ndft_nufft_sample_blocks(plan, pass, 1);
    if constexpr (std::is_same_v<R, float> && DIM == 3 && W >= LEAST_OF_COLUMN &&
                  W <= MOST_OF_COLUMN)
        if (pass->coils == 1 && !plan->rank.place && !plan->table)
            return ndft_nufft_launch(plan, blocks, NDFT_SAMPLE_THREADS, 0, interpolate_column<W>,
                                     ndft_nufft_view_of<R, W>(plan, pass), (ndft_complex<R> *)out);
    return ndft_nufft_launch(plan, blocks, NDFT_SAMPLE_THREADS, 0, interpolate<R, DIM, W>,
                             ndft_nufft_view_of<R, W>(plan, pass), (ndft_complex<R> *)out);
}

ndft_status run_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    return ndft_by_kernel(plan, [&](auto real, auto dim, auto width) {
        return run<decltype(real), dim.value, width.value>(plan, pass, out);
    });
}

/* As Sorensen counts: every sample's cells are read once. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    return ndft_nufft_thread_cost(&work);
}

} // namespace

const ndft_nufft_stage ndft_interpolate_cells = {
    .deterministic = true,
    .interpolate = run_pass,
    .cost = cost,
};
