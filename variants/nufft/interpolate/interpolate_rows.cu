/* SPDX-License-Identifier: Apache-2.0 */
#include "rows.cuh"

#include "nufft/cuda_cost.h"

#include <cub/device/device_scan.cuh>

namespace
{

/* Warps of a block: shared memory that needs no leave. */
template <class R> constexpr int warps = sizeof(R) == sizeof(float) ? 4 : 2;

/* Warp = batch; one more has no rows. row NULL: only counts. */
template <class R>
__global__ void encode(const __grid_constant__ ndft_nufft_samples samples, int dim, int width,
                       int64_t *start, ndft_nufft_row *row)
{
    const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, batch = i / NDFT_ROWS_BATCH;
    if (batch > ndft_nufft_batches(samples)) return;
    const bool writes = i % NDFT_ROWS_BATCH == 0;
    ndft_nufft_row *to = row ? row + start[batch] : nullptr;
    int count = 0;
    ndft_nufft_each_row<16 / sizeof(ndft_complex<R>)>(ndft_nufft_walk(samples, dim, width, i),
                                                      width, [&](const ndft_nufft_row &found) {
                                                          if (writes && to) to[count] = found;
                                                          count++;
                                                      });
    if (writes && !row) start[batch] = count;
}

template <class R>
ndft_status launch(const ndft_nufft_plan *plan, int64_t *start, ndft_nufft_row *row)
{
    const int64_t lanes = (ndft_nufft_batches(plan->samples) + 1) * NDFT_ROWS_BATCH;
    encode<R><<<ndft_blocks(lanes, 128), 128, 0, ndft_stream(plan->arrays.exec)>>>(
        plan->samples, plan->shape.dim, plan->shape.window.width, start, row);
    return ndft_launched(plan->arrays.exec, "rows of cells");
}

/* From each batch's rows to those of all before it. */
ndft_status scan(ndft_arrays *meanwhile, int64_t *start, int64_t count)
{
    size_t bytes = 0;
    char *storage = nullptr;
    const auto run = [&] {
        return ndft_checked(meanwhile->exec,
                            cub::DeviceScan::ExclusiveSum(storage, bytes, start, start, count,
                                                          ndft_stream(meanwhile->exec)),
                            "rows of cells");
    };
    NDFT_TRY(run());
    NDFT_TRY(ndft_reserve(meanwhile, "sums of rows", (int64_t)bytes, &storage));
    return run();
}

template <class R>
ndft_status make(ndft_nufft_plan *plan, ndft_arrays *meanwhile, ndft_nufft_rows *rows)
{
    ndft_arrays *arrays = &plan->arrays;
    const int64_t batches = ndft_nufft_batches(plan->samples);
    int64_t *start = nullptr, all = 0;
    ndft_nufft_row *row = nullptr;
    NDFT_TRY(ndft_reserve(arrays, "rows of batches", batches + 1, &start));
    NDFT_TRY(launch<R>(plan, start, nullptr));
    NDFT_TRY(scan(meanwhile, start, batches + 1));
    NDFT_TRY(ndft_fetch(arrays->exec, start + batches, &all, "rows of cells"));
    NDFT_TRY(
        ndft_reserve(arrays, "rows of cells", ndft_length_for_more(arrays->exec, all + 1), &row));
    *rows = {row, start};
    return launch<R>(plan, start, row);
}

ndft_status prepare(ndft_nufft_plan *plan, const int *)
{
    ndft_nufft_rows *rows = (ndft_nufft_rows *)plan->own;
    ndft_arrays meanwhile = {};
    meanwhile.exec = plan->arrays.exec;
    return ndft_release_meanwhile(&meanwhile, plan->prec == NDFT_F32
                                                  ? make<float>(plan, &meanwhile, rows)
                                                  : make<double>(plan, &meanwhile, rows));
}

template <class R, int DIM, int W>
__global__ void __launch_bounds__(32 * warps<R>)
    interpolate(const __grid_constant__ ndft_nufft_view<R, W> view, ndft_nufft_rows rows,
                ndft_complex<R> *out)
{
    __shared__ ndft_nufft_held<R, DIM, W> held[warps<R>];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int64_t batch = blockIdx.x * (int64_t)warps<R> + warp;
    if (batch >= ndft_nufft_batches(view.samples)) return;
    const int64_t i = batch * NDFT_ROWS_BATCH + lane;
    const int coils = (view.pass.coils - (int)blockIdx.y - 1) / (int)gridDim.y + 1;
    ndft_nufft_reader<R, DIM, W> reader(view, rows, &held[warp], batch, coils * view.pass.terms);
    const int64_t j = view.samples.number[min(i, view.samples.count - 1)];
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        ndft_complex<R> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            const ndft_complex<R> turn = ndft_sample_weight(view, j, term);
            const ndft_complex<R> *column = ndft_column(view, term, coil);
            ndft_accumulate(sum, turn.re, turn.im, reader.gather(view.grid, column));
        }
        if (i < view.samples.count) ndft_put_sample(view, j, coil, sum, out);
    }
}

template <class R, int DIM, int W>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    const dim3 blocks(ndft_blocks(ndft_nufft_batches(plan->samples), warps<R>),
                      ndft_blocks(pass->coils, plan->share));
    interpolate<R, DIM, W><<<blocks, 32 * warps<R>, 0, ndft_stream(plan->arrays.exec)>>>(
        ndft_nufft_view_of<R, W>(plan, pass), *(const ndft_nufft_rows *)plan->own,
        (ndft_complex<R> *)out);
    return ndft_launched(plan->arrays.exec, "interpolation by rows");
}

ndft_status run_pass(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass, void *out)
{
    return ndft_by_kernel(plan, [&](auto real, auto dim, auto width) {
        return run<decltype(real), dim.value, width.value>(plan, pass, out);
    });
}

/* As Sorensen counts: each cell of a batch's rows is read once. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const ndft_nufft_work work = ndft_nufft_work_of(p, op, k);
    return ndft_nufft_rows_cost(&work, NDFT_ROWS_BATCH);
}

} // namespace

const ndft_nufft_stage ndft_interpolate_rows = {
    .deterministic = true,
    .own_bytes = sizeof(ndft_nufft_rows),
    .prepare = prepare,
    .interpolate = run_pass,
    .cost = cost,
};
