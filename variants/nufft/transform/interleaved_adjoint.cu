/* SPDX-License-Identifier: Apache-2.0 */
#include "interleaved_coils.cuh"

/*
 * From interleaved grids to the image: lines along the outer axes are transformed in place, of
 * which voxels alone are written, then rows that have voxels. A thread multiplies what it has of a
 * row with deapodisation and the conjugate weights of its term, and adds up in registers what it
 * has of other groups of terms, or with coil maps of all coils; what lanes beside it have of the
 * same image is added in the end. So nothing is cropped in memory.
 */

namespace
{

/* The groups and lanes whose sum is a block's: `steps`, each a group and its first lane. */
struct row_steps {
    int count;
    int chunks;      /* of a group's lanes, a block's each */
    int coil_chunks; /* of them those of one term: their images are different */
    bool all;        /* coils, too */
};

struct row_step {
    int group, lane;
};

__device__ __forceinline__ row_step step_at(const row_steps &steps, const ndft_nufft_lanes &lanes,
                                            int beside, int step)
{
    if (steps.all) return {step / steps.chunks, step % steps.chunks * beside};
    const int of_group = steps.chunks / steps.coil_chunks, turn = step / of_group;
    const int chunk = (int)blockIdx.z + steps.coil_chunks * (step - turn * of_group);
    return {(int)blockIdx.y + lanes.coil_groups * turn, chunk * beside};
}

/* A thread's cells of a row of a group's grid, transformed. */
template <class Line, class R>
__device__ __forceinline__ void load_cells(const row_work<R> &w, const Line &line,
                                           const image_row &row, int group, int lane,
                                           ndft_complex<R> (&v)[Line::CELLS])
{
    const int lanes = w.lanes.count;
    const ndft_complex<R> *from =
        row.inside ? row_cells(w, row, group) + threadIdx.y * lanes + lane : nullptr;
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        v[i] = {0, 0};
        if (row.inside) v[i] = from[i * line.places() * lanes];
    }
    line.template transform<+1>(v);
}

/* f(i, x, place in the image) for those of a thread's cells that are voxels in use. */
template <class Line, class R, class F>
__device__ __forceinline__ void each_voxel(const row_work<R> &w, const Line &line,
                                           const image_row &row, F f)
{
    if (!row.inside) return;
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        const int x = ndft_voxel_at(threadIdx.y + i * line.places(), line.n(), w.image.n[0]);
        if (x < 0) continue;
        const int64_t at = place_in_row(w.image, row, x);
        if (at >= 0) f(i, x, at);
    }
}

/* Of one term without a field map: block = some lanes (z) of a group (y) in some rows (x). */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    restore_rows(const __grid_constant__ row_work<R> w, Line line, ndft_complex<R> *image)
{
    const row_block block = block_of(w, line.lines(), blockIdx.z * w.beside);
    const int slot = threadIdx.x / w.beside, lane = block.lane + threadIdx.x - slot * w.beside;
    const int coil = ndft_lane_coil(w.lanes, blockIdx.y, lane);
    const image_row row = row_of(w.image, block.row + slot);
    ndft_complex<R> v[Line::CELLS];
    ndft_wait_for_kernel_before();
    load_cells(w, line, row, blockIdx.y, lane, v);
    if (coil >= w.pass.coils) return;
    image += (w.pass.coil + coil) * w.image.strides.coil;
    const ndft_rank_view<R> ones = {};
    each_voxel(w, line, row, [&](int i, int x, int64_t at) {
        const R scale = weight_in_row(w.image, ones, row, x, at, 0).re;
        image[at * w.image.strides.element] = {scale * v[i].re, scale * v[i].im};
    });
}

/* Adds what lanes `apart` or more from each other, below `end`, have. */
template <class R> __device__ __forceinline__ void join(int apart, int end, ndft_complex<R> *sum)
{
    for (int step = apart; step < end; step *= 2) {
        sum->re += __shfl_xor_sync(__activemask(), sum->re, step);
        sum->im += __shfl_xor_sync(__activemask(), sum->im, step);
    }
}

template <class Line>
constexpr int SUM_BLOCKS = Line::FIXED ? 65536 / (128 * Line::THREADS) : Line::BLOCKS;

/* The sum over terms, and with maps over coils: block = some rows (x) of a group's (y) coils, or
 * some of them (z). */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, SUM_BLOCKS<Line>)
    sum_rows(const __grid_constant__ row_work<R> w, Line line, row_steps steps,
             ndft_complex<R> *image)
{
    constexpr int CELLS = Line::CELLS;
    const int slot = threadIdx.x / w.beside, beside = threadIdx.x - slot * w.beside;
    const image_row row = row_of(w.image, (int)blockIdx.x * (line.lines() / w.beside) + slot);
    ndft_complex<R> sum[CELLS] = {};
    ndft_wait_for_kernel_before();
    for (int s = 0; s < steps.count; s++) {
        const row_step step = step_at(steps, w.lanes, w.beside, s);
        const row_block block = block_of(w, line.lines(), step.lane);
        const int lane = step.lane + beside, coil = ndft_lane_coil(w.lanes, step.group, lane);
        ndft_complex<R> v[CELLS];
        load_cells(w, line, row, step.group, lane, v);
        __syncthreads();
        put_weights(w, block, step.group, line.lines(), line.lines() * line.places());
        const ndft_complex<R> *weights =
            line_memory<R>() + (slot * block.terms + beside / w.lanes.coils) * w.image.n[0];
        const bool counts =
            coil < w.pass.coils && ndft_lane_term(w.lanes, step.group, lane) < w.pass.terms;
        const ndft_complex<R> *map = counts ? ndft_map_of<R>(w.image, w.pass.coil + coil) : nullptr;
        if (counts)
            each_voxel(w, line, row, [&](int i, int x, int64_t at) {
                const ndft_complex<R> seen = ndft_seen(map, at, weights[x]);
                ndft_accumulate(sum[i], seen.re, -seen.im, v[i]);
            });
        __syncthreads();
    }
    const int images = steps.all ? 1 : min(w.lanes.coils, w.beside);
#pragma unroll
    for (int i = 0; i < CELLS; i++) join(images, w.beside, &sum[i]);
    const int first = steps.all ? 0 : (int)blockIdx.z * w.beside;
    const int coil = steps.all ? 0 : ndft_lane_coil(w.lanes, blockIdx.y, first + beside);
    if (beside >= images || (!steps.all && coil >= w.pass.coils)) return;
    image += (steps.all ? 0 : w.pass.coil + coil) * w.image.strides.coil;
    each_voxel(w, line, row, [&](int i, int, int64_t at) {
        ndft_complex<R> &out = image[at * w.image.strides.element];
        out = w.pass.joins ? ndft_complex<R>{out.re + sum[i].re, out.im + sum[i].im} : sum[i];
    });
}

/* Of coils (interleaved_coils.cuh): block = a row (x) of those of a group (y). */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    restore_coils(const __grid_constant__ row_work<R> w, Line line, ndft_complex<R> *image)
{
    const coil_row<Line, R> own(w);
    ndft_complex<R> *weights = line_memory<R>() + Line::LINES * Line::ROOM;
    own.template put_weights<false>(0, weights);
    ndft_wait_for_kernel_before();
    const ndft_complex<R> *from = own.cells(blockIdx.y);
    ndft_complex<R> v[Line::CELLS];
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) v[i] = from[i * Line::PLACES * Line::LINES];
    line.template transform<+1>(v);
    own.each(anew(threadIdx.y), ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
             [&](int i, ndft_complex<R> &voxel) {
                 const R scale = weights[threadIdx.y + i * Line::PLACES].re;
                 voxel = {scale * v[i].re, scale * v[i].im};
             });
}

/* Of the same in a field: block = a row (x) of a group's coils (y), of all terms. */
template <class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, SUM_BLOCKS<Line>)
    sum_coils(const __grid_constant__ row_work<R> w, Line line, ndft_complex<R> *image)
{
    const coil_row<Line, R> own(w);
    ndft_complex<R> sum[Line::CELLS] = {};
    ndft_wait_for_kernel_before();
    for (int term = 0; term < w.lanes.term_groups; term++) {
        const ndft_complex<R> *from = own.cells(blockIdx.y + w.lanes.coil_groups * term);
        ndft_complex<R> v[Line::CELLS],
            *weights = line_memory<R>() + Line::LINES * Line::ROOM + term % 2 * Line::LENGTH;
#pragma unroll
        for (int i = 0; i < Line::CELLS; i++) v[i] = from[i * Line::PLACES * Line::LINES];
        own.template put_weights<true>(term, weights);
        line.template transform<+1>(v);
#pragma unroll
        for (int i = 0; i < Line::CELLS; i++) {
            const ndft_complex<R> weight = weights[threadIdx.y + i * Line::PLACES];
            ndft_accumulate(sum[i], weight.re, -weight.im, v[i]);
        }
    }
    own.each(anew(threadIdx.y), ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
             [&](int i, ndft_complex<R> &voxel) {
                 voxel = w.pass.joins ? ndft_complex<R>{voxel.re + sum[i].re, voxel.im + sum[i].im}
                                      : sum[i];
             });
}

template <class R, class Line>
ndft_status run_rows(const ndft_nufft_plan *plan, const Line &line, const ndft_nufft_pass *pass,
                     const ndft_nufft_lanes &lanes, void *out)
{
    ndft_exec *exec = plan->arrays.exec;
    const dim3 threads = line.block(&exec->device);
    const row_work<R> w = row_work_of<R>(plan, pass, lanes, (int)threads.x);
    const bool all = plan->image.maps != nullptr;
    const int chunks = lanes.count / w.beside;
    const int coil_chunks = lanes.coils > w.beside ? lanes.coils / w.beside : 1;
    const int groups = all ? 1 : lanes.coil_groups;
    const int count = lanes.groups * chunks / (all ? 1 : groups * coil_chunks);
    const dim3 blocks(ndft_blocks(rows_of(plan->image), (int)threads.x / w.beside),
                      (unsigned)groups, (unsigned)(all ? 1 : coil_chunks));
    const size_t shared = shared_bytes<Line>(threads);
    if constexpr (Line::OF_GROUP) {
        const bool sums = plan->rank.place || pass->joins;
        const size_t weights = (sums ? 2 : 1) * Line::LENGTH * sizeof(*line.turns);
        if (are_coils<Line>(plan, lanes))
            return ndft_launch_early(exec, dim3(rows_of(plan->image), (unsigned)lanes.coil_groups),
                                     threads, shared + weights,
                                     sums ? sum_coils<Line, R> : restore_coils<Line, R>, w, line,
                                     (ndft_complex<R> *)out);
    }
    if (plan->rank.place || all || pass->joins)
        return ndft_launch_early(exec, blocks, threads, shared, sum_rows<Line, R>, w, line,
                                 row_steps{count, chunks, coil_chunks, all},
                                 (ndft_complex<R> *)out);
    return ndft_launch_early(exec, blocks, threads, shared, restore_rows<Line, R>, w, line,
                             (ndft_complex<R> *)out);
}

template <class R>
ndft_status run_lines(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines,
                      const ndft_nufft_pass *pass, const ndft_nufft_lanes &lanes, void *out)
{
    ndft_status status = NDFT_OK;
    for (int d = plan->shape.dim - 1; d > 0 && status == NDFT_OK; d--)
        by_outer_line<R>(plan->shape.dim, lines->axis[d],
                         [&](auto line) { status = run_axis<+1, R>(plan, lines, line, d, lanes); });
    if (status == NDFT_OK)
        by_line<R>(lines->axis[0],
                   [&](auto line) { status = run_rows<R>(plan, line, pass, lanes, out); });
    return status;
}

template <class R, class Line> ndft_status allow_rows(ndft_exec *exec, const Line &line, int n)
{
    if constexpr (Line::OF_GROUP)
        return allow_lines(exec, line, n, restore_rows<Line, R>, sum_rows<Line, R>,
                           restore_coils<Line, R>, sum_coils<Line, R>);
    else
        return allow_lines(exec, line, n, restore_rows<Line, R>, sum_rows<Line, R>);
}

template <class R>
ndft_status allow(ndft_exec *exec, int dim, const int n[3], const ndft_nufft_lines *lines)
{
    ndft_status status = NDFT_OK;
    by_line<R>(lines->axis[0], [&](auto line) { status = allow_rows<R>(exec, line, n[0]); });
    for (int d = 1; d < dim && status == NDFT_OK; d++)
        by_outer_line<R>(dim, lines->axis[d],
                         [&](auto line) { status = allow_axis<+1, R>(exec, line, n[d]); });
    return status;
}

} // namespace

ndft_status ndft_nufft_lines_allow_adjoint(ndft_exec *exec, ndft_prec prec, int dim, const int n[3],
                                           const ndft_nufft_lines *lines)
{
    return prec == NDFT_F32 ? allow<float>(exec, dim, n, lines)
                            : allow<double>(exec, dim, n, lines);
}

ndft_status ndft_nufft_lines_adjoint(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines,
                                     const ndft_nufft_pass *pass, const ndft_nufft_lanes &lanes,
                                     void *out)
{
    return plan->prec == NDFT_F32 ? run_lines<float>(plan, lines, pass, lanes, out)
                                  : run_lines<double>(plan, lines, pass, lanes, out);
}
