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

/* The same of one column, without a field map, by polynomials: fewer registers and instructions.
 * In 3D weights else lie in local memory, whose 100 bytes a thread take the cells' place in the
 * second cache. */
template <int DIM, int W>
__global__ void __launch_bounds__(NDFT_SAMPLE_THREADS, blocks_at_once<float, DIM, W>)
    interpolate_column(const __grid_constant__ ndft_nufft_view<float, W> view,
                       ndft_complex<float> *out)
{
    constexpr int AT_ONCE = W <= 5 ? W : 1;
    const int64_t i = blockIdx.x * (int64_t)NDFT_SAMPLE_THREADS + threadIdx.x;
    if (i >= view.samples.count) return;
    ndft_nufft_view<float, W> own = view;
    own.weights.table = nullptr;
    const ndft_footprint<float, DIM, W, 1> cells(own, i);
    const int64_t j = view.samples.number[i];
    ndft_wait_for_kernel_before();
    ndft_put_sample(view, j, 0, cells.template gather<AT_ONCE>(view.grid, ndft_column(view, 0, 0)),
                    out);
}

enum { LEAST_OF_COLUMN = 4, MOST_OF_COLUMN = 7 };

/*
 * Windows wider than kernels are compiled for, in double: a thread that had a sample would keep its
 * weights in local memory and read rows that no neighbour reads. Threads of one sample are side by
 * side instead, each with one cell of every row and its weight; weights along other axes, and
 * polynomials, lie in shared memory.
 */
enum { BESIDE = NDFT_MAX_WIDTH, SAMPLES = NDFT_SAMPLE_THREADS / BESIDE };

template <class R> struct polynomials {
    static constexpr int TERMS = NDFT_MAX_DEGREE + 1, HALF = BESIDE / 2;
    R of[TERMS + 1][HALF]; /* the last are zeros */

    __device__ __forceinline__ void fill(const ndft_weights<R> &weights)
    {
        for (int e = threadIdx.x; e < (TERMS + 1) * HALF; e += NDFT_SAMPLE_THREADS)
            of[e / HALF][e % HALF] = e < TERMS * HALF ? weights.poly[e / HALF][e % HALF] : 0;
    }

    /* Weight of cell w alone, zero beyond the window. */
    __device__ __forceinline__ R weigh(const ndft_weights<R> &weights, int w, R s) const
    {
        const int last = weights.width - 1;
        if (w > last) return 0;
        if (weights.table) return ndft_table_weight(weights, w, s);
        const R square = s * s;
        R even = 0, odd = 0;
        for (int q = weights.degree / 2 * 2; q >= 0; q -= 2) {
            even = fma(even, square, of[q][min(w, last - w)]);
            odd = fma(odd, square, of[q + 1][min(w, last - w)]);
        }
        return fma(w < last - w ? odd : -odd, s, even);
    }
};

template <class R, int DIM>
__global__ void __launch_bounds__(NDFT_SAMPLE_THREADS)
    interpolate_wide(const __grid_constant__ ndft_nufft_view<R, NDFT_MAX_WIDTH> view,
                     ndft_complex<R> *out)
{
    __shared__ polynomials<R> poly;
    __shared__ R weight[DIM][SAMPLES][BESIDE];
    const ndft_nufft_grid &grid = view.grid;
    const int w = threadIdx.x % BESIDE, own = threadIdx.x / BESIDE, width = view.weights.width;
    const int64_t at = blockIdx.x * (int64_t)SAMPLES + own, end = view.samples.count;
    const int64_t i = min(at, end - 1), j = view.samples.number[i];
    int first[DIM];
    poly.fill(view.weights);
    __syncthreads();
#pragma unroll
    for (int d = 0; d < DIM; d++) {
        first[d] = view.samples.first[d][i];
        weight[d][own][w] = poly.weigh(view.weights, w, ((const R *)view.samples.s[d])[i]);
    }
    __syncwarp();
    const int column = ndft_wrapped(first[0] + min(w, width - 1), grid.n[0]);
    ndft_wait_for_kernel_before();
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        ndft_complex<R> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            const ndft_complex<R> *cells = ndft_column(view, term, coil) + column;
            ndft_complex<R> value = {0, 0};
            for (int c = 0; c < (DIM > 2 ? width : 1); c++) {
                const ndft_complex<R> *plane = cells;
                ndft_complex<R> part = {0, 0};
                if constexpr (DIM > 2) plane += ndft_wrapped(first[2] + c, grid.n[2]) * grid.plane;
#pragma unroll 4
                for (int b = 0; b < (DIM > 1 ? width : 1); b++) {
                    const ndft_complex<R> *row = plane;
                    R height = 1;
                    if constexpr (DIM > 1) {
                        row += ndft_wrapped(first[1] + b, grid.n[1]) * grid.row;
                        height = weight[1][own][b];
                    }
                    const auto cell = *(const ndft_pack<R, 2> *)row;
                    part.re = fma(height, cell.v[0], part.re);
                    part.im = fma(height, cell.v[1], part.im);
                }
                const R depth = DIM > 2 ? weight[DIM - 1][own][c] : 1;
                value.re = fma(depth, part.re, value.re);
                value.im = fma(depth, part.im, value.im);
            }
            const ndft_complex<R> turn = ndft_sample_weight(view, j, term);
            ndft_accumulate(sum, turn.re, turn.im, value);
        }
        sum = {weight[0][own][w] * sum.re, weight[0][own][w] * sum.im};
        for (int step = BESIDE / 2; step > 0; step /= 2) {
            sum.re += __shfl_xor_sync(~0u, sum.re, step);
            sum.im += __shfl_xor_sync(~0u, sum.im, step);
        }
        if (w == 0 && at < end) ndft_put_sample(view, j, coil, sum, out);
    }
}

template <class R, int DIM, int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const dim3 blocks = ndft_nufft_sample_blocks(plan, pass, 1);
    if constexpr (std::is_same_v<R, float> && W >= LEAST_OF_COLUMN && W <= MOST_OF_COLUMN)
        if (pass->coils == 1 && !plan->rank.place && !plan->table)
            return ndft_nufft_launch(plan, blocks, NDFT_SAMPLE_THREADS, 0,
                                     interpolate_column<DIM, W>,
                                     ndft_nufft_view_of<R, W>(plan, pass), (ndft_complex<R> *)out);
    if constexpr (std::is_same_v<R, double> && W == NDFT_MAX_WIDTH)
        return ndft_nufft_launch(plan, ndft_nufft_sample_blocks(plan, pass, BESIDE),
                                 NDFT_SAMPLE_THREADS, 0, interpolate_wide<R, DIM>,
                                 ndft_nufft_view_of<R, W>(plan, pass), (ndft_complex<R> *)out);
    else
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
