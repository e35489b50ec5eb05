/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_coils.cuh"

namespace
{

/* A thread's cells of its line, from the image times weights; zeros where there are no voxels. */
template <int CELLS, class R>
__device__ __forceinline__ void load_row(const row_work<R> &w, const image_row &row, int places,
                                         int coil, const ndft_complex<R> *weights,
                                         const ndft_complex<R> *image, ndft_complex<R> (&v)[CELLS])
{
    const bool inside = row.inside && coil < w.pass.coils;
    image += (w.pass.coil + coil) * w.image.strides.coil;
    const ndft_complex<R> *map = ndft_map_of<R>(w.image, w.pass.coil + coil);
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int x = ndft_voxel_at(threadIdx.y + i * places, places * CELLS, w.image.n[0]);
        v[i] = {0, 0};
        if (!inside || x < 0) continue;
        const int64_t at = place_in_row(w.image, row, x);
        if (at < 0) continue;
        ndft_rotate(v[i], weights[x], ndft_seen(map, at, image[at * w.image.strides.element]));
    }
}

/* Block = some lanes (z) of a group (y) in some rows (x). */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    transform_rows(const __grid_constant__ row_work<R> w, Line line, const ndft_complex<R> *image)
{
    constexpr int CELLS = Line::CELLS;
    const row_block block = block_of(w, line.lines(), blockIdx.z * w.beside);
    const int slot = threadIdx.x / w.beside, beside = threadIdx.x - slot * w.beside;
    const int lane = block.lane + beside;
    const image_row row = row_of(w.image, block.row + slot);
    ndft_wait_for_kernel_before();
    put_weights(w, block, blockIdx.y, line.lines(), line.lines() * line.places());
    const ndft_complex<R> *weights =
        line_memory<R>() + (slot * block.terms + beside / w.lanes.coils) * w.image.n[0];
    ndft_complex<R> v[CELLS];
    load_row(w, row, line.places(), ndft_lane_coil(w.lanes, blockIdx.y, lane), weights, image, v);
    line.transform(v);
    if (!row.inside) return;
    const int lanes = w.lanes.count;
    ndft_complex<R> *to = row_cells(w, row, blockIdx.y) + threadIdx.y * lanes + lane;
#pragma unroll
    for (int i = 0; i < CELLS; i++) to[i * line.places() * lanes] = v[i];
}

/* Of coils (interleaved_coils.cuh): block = a row (x) of those of a group (y). */
template <bool FIELD, class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    transform_coils(const __grid_constant__ row_work<R> w, Line line, const ndft_complex<R> *image)
{
    const coil_row<Line, R> own(w);
    ndft_complex<R> v[Line::CELLS] = {}, *weights = line_memory<R>();
    own.template put_weights<FIELD>(ndft_lane_term(w.lanes, blockIdx.y, 0), weights);
    ndft_wait_for_kernel_before();
    own.each(threadIdx.y, ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
             [&](int i, const ndft_complex<R> &voxel) { v[i] = voxel; });
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        const ndft_complex<R> weight = weights[threadIdx.y + i * Line::PLACES];
        if (FIELD)
            v[i] = weight * v[i];
        else
            v[i] = {weight.re * v[i].re, weight.re * v[i].im};
    }
    line.transform(v);
    ndft_complex<R> *to = own.cells(blockIdx.y);
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) to[i * Line::PLACES * Line::LINES] = v[i];
}

template <class R, class Line>
ndft_status run_rows(const ndft_nufft_plan *plan, const Line &line, const ndft_nufft_pass *pass,
                     const ndft_nufft_lanes &lanes, const void *in)
{
    ndft_exec *exec = plan->arrays.exec;
    const dim3 threads = line.block(&exec->device);
    const row_work<R> w = row_work_of<R>(plan, pass, lanes, (int)threads.x);
    if constexpr (Line::OF_GROUP) {
        if (are_coils<Line>(plan, lanes))
            return ndft_launch_early(exec, dim3(rows_of(plan->image), (unsigned)lanes.groups),
                                     threads, shared_bytes<Line>(threads),
                                     plan->rank.place ? transform_coils<true, Line, R>
                                                      : transform_coils<false, Line, R>,
                                     w, line, (const ndft_complex<R> *)in);
    }
    const dim3 blocks(ndft_blocks(rows_of(plan->image), (int)threads.x / w.beside),
                      (unsigned)lanes.groups, (unsigned)(lanes.count / w.beside));
    return ndft_launch_early(exec, blocks, threads, shared_bytes<Line>(threads),
                             transform_rows<Line, R>, w, line, (const ndft_complex<R> *)in);
}

template <class R>
ndft_status run_lines(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines,
                      const ndft_nufft_pass *pass, const ndft_nufft_lanes &lanes, const void *in)
{
    ndft_status status = NDFT_OK;
    by_line<R>(lines->axis[0],
               [&](auto line) { status = run_rows<R>(plan, line, pass, lanes, in); });
    for (int d = 1; d < plan->shape.dim && status == NDFT_OK; d++)
        by_outer_line<R>(plan->shape.dim, lines->axis[d],
                         [&](auto line) { status = run_axis<-1, R>(plan, lines, line, d, lanes); });
    return status;
}

template <class R>
ndft_status make_lines(ndft_arrays *arrays, int dim, const int n[3], ndft_nufft_lines *lines)
{
    for (int d = 0; d < dim; d++) NDFT_TRY(make_line<R>(arrays, n[d], &lines->axis[d]));
    return NDFT_OK;
}

template <class R, class Line> ndft_status allow_rows(ndft_exec *exec, const Line &line, int n)
{
    if constexpr (Line::OF_GROUP)
        return allow_lines(exec, line, n, transform_rows<Line, R>, transform_coils<true, Line, R>,
                           transform_coils<false, Line, R>);
    else
        return allow_lines(exec, line, n, transform_rows<Line, R>);
}

template <class R>
ndft_status allow(ndft_exec *exec, int dim, const int n[3], const ndft_nufft_lines *lines)
{
    ndft_status status = NDFT_OK;
    by_line<R>(lines->axis[0], [&](auto line) { status = allow_rows<R>(exec, line, n[0]); });
    for (int d = 1; d < dim && status == NDFT_OK; d++)
        by_outer_line<R>(dim, lines->axis[d],
                         [&](auto line) { status = allow_axis<-1, R>(exec, line, n[d]); });
    return status;
}

} // namespace

ndft_status ndft_nufft_lines_make(ndft_arrays *arrays, ndft_prec prec, int dim, const int n[3],
                                  ndft_nufft_lines *lines)
{
    return prec == NDFT_F32 ? make_lines<float>(arrays, dim, n, lines)
                            : make_lines<double>(arrays, dim, n, lines);
}

ndft_status ndft_nufft_lines_allow_forward(ndft_exec *exec, ndft_prec prec, int dim, const int n[3],
                                           const ndft_nufft_lines *lines)
{
    return prec == NDFT_F32 ? allow<float>(exec, dim, n, lines)
                            : allow<double>(exec, dim, n, lines);
}

ndft_status ndft_nufft_lines_run(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines,
                                 const ndft_nufft_pass *pass, const ndft_nufft_lanes &lanes,
                                 const void *in)
{
    return plan->prec == NDFT_F32 ? run_lines<float>(plan, lines, pass, lanes, in)
                                  : run_lines<double>(plan, lines, pass, lanes, in);
}
