/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_ROWS_CUH
#define NDFT_NUFFT_INTERLEAVED_ROWS_CUH

#include "core/early.cuh"
#include "interleaved_fft.cuh"

/* What the transforms of interleaved grids work on, the same both ways: rows of voxels and their
 * weights, and lines along the other axes. */

namespace
{

/* Rows of voxels of a pass, transformed along x. */
template <class R> struct row_work {
    ndft_nufft_image image;
    ndft_nufft_pass pass;
    ndft_nufft_lanes lanes;
    ndft_rank_view<R> rank;
    int n[3];
    int beside; /* lanes of a block, in each of its rows */
    ndft_complex<R> *cells;
};

/* What a block does: its first row and lane, rows, and terms in each. */
struct row_block {
    int row, lane, rows, terms;
};

template <class R>
__device__ __forceinline__ row_block block_of(const row_work<R> &w, int lines, int lane)
{
    const int rows = lines / w.beside;
    return {(int)blockIdx.x * rows, lane, rows, max(1, w.beside / w.lanes.coils)};
}

/* A voxel's weight in a term of the pass, deapodised; 0 where there is none. */
template <class R>
__device__ ndft_complex<R> weight_of(const row_work<R> &w, const image_row &row, int term, int x)
{
    if (!row.inside || term >= w.pass.terms) return {0, 0};
    const int64_t v = place_in_row(w.image, row, x);
    if (v < 0) return {0, 0};
    return weight_in_row(w.image, w.rank, row, x, v, w.pass.term + term);
}

/* Into shared memory [row][term][voxel], once for the group's coils. */
template <class R>
__device__ void put_weights(const row_work<R> &w, const row_block &block, int group, int lines,
                            int threads)
{
    const int nx = w.image.n[0], term = ndft_lane_term(w.lanes, group, block.lane);
    ndft_complex<R> *to = line_memory<R>();
    for (int slot = 0; slot < block.rows; slot++) {
        const image_row row = row_of(w.image, block.row + slot);
        for (int l = 0; l < block.terms; l++, to += nx)
            for (int x = threadIdx.y * lines + threadIdx.x; x < nx; x += threads)
                to[x] = weight_of(w, row, term + l, x);
    }
    __syncthreads();
}

/* Where a row of the image lies in a group's grid. */
template <class R>
__device__ __forceinline__ ndft_complex<R> *row_cells(const row_work<R> &w, const image_row &row,
                                                      int group)
{
    const int64_t rows = (int64_t)w.n[1] * w.n[2];
    return w.cells + (group * rows + grid_row_of(w.image, row, w.n)) * w.n[0] * w.lanes.count;
}

/* For a kernel whose blocks have so many lines. */
template <class R>
row_work<R> row_work_of(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                        const ndft_nufft_lanes &lanes, int lines)
{
    row_work<R> w = {plan->image, *pass, lanes, ndft_rank_of<R>(plan->rank)};
    for (int d = 0; d < 3; d++) w.n[d] = plan->grid.n[d];
    w.beside = lines < lanes.count ? lines : lanes.count;
    w.cells = (ndft_complex<R> *)plan->grid.cells;
    return w;
}

inline int rows_of(const ndft_nufft_image &image) { return image.n[1] * image.n[2]; }

/* Lines along y or z, `beside` of them side by side. */
template <class R> struct axis_work {
    int voxels; /* along the axis: all other cells are zero, or of no interest */
    int outer_voxels,
        outer; /* planes, of which those with voxels are transformed; 1 of 1 along z */
    int64_t beside;
    int lanes;               /* a power of two */
    const unsigned *reached; /* NULL: all cells */
    ndft_complex<R> *cells;
};

template <class R>
axis_work<R> axis_work_of(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines, int axis,
                          const ndft_nufft_lanes &lanes)
{
    const bool planes = axis == 1;
    int64_t beside = lanes.count;
    for (int d = 0; d < axis; d++) beside *= plan->grid.n[d];
    return {plan->image.n[axis],
            planes ? plan->image.n[2] : 1,
            planes ? plan->grid.n[2] : 1,
            beside,
            lanes.count,
            lines->reached,
            (ndft_complex<R> *)plan->grid.cells};
}

/* The same number, of which the compiler does not know that: what is made of it later is not kept
 * in registers from before. */
__device__ __forceinline__ int anew(int number)
{
    asm volatile("" : "+r"(number));
    return number;
}

/* Groups are transformed in the other order than the kernel before wrote them, and the one after
 * reads them: what was written last is in the second cache still. */
__device__ __forceinline__ int last_first(int groups, int group) { return groups - 1 - group; }

/* Forward from voxels alone to cells that samples reach, or back from these to voxels, in place.
 * Block = lines side by side (x) of a plane (y) of a group (z). */
template <int SIGN, class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    axis_lines(const __grid_constant__ axis_work<R> w, Line line)
{
    constexpr int CELLS = Line::CELLS;
    const int64_t at = blockIdx.x * (int64_t)line.lines() + threadIdx.x;
    const int64_t plane = ndft_grid_cell((int)blockIdx.y - w.outer_voxels / 2, w.outer);
    const int64_t group = w.outer > 1 ? blockIdx.z : last_first(gridDim.z, blockIdx.z);
    const bool inside = at < w.beside;
    ndft_complex<R> *cells =
        w.cells + ((group * w.outer + plane) * line.n() + threadIdx.y) * w.beside + at;
    const unsigned own = w.reached && inside
                             ? w.reached[(at >> (__ffs(w.lanes) - 1)) * line.places() + threadIdx.y]
                             : ~0u;
    const auto voxel = [&](int cell) {
        return ndft_voxel_at(threadIdx.y + cell, line.n(), w.voxels) >= 0;
    };
    ndft_complex<R> v[CELLS];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int cell = i * line.places();
        v[i] = {0, 0};
        if (inside && (SIGN > 0 ? own & 1u << i : voxel(cell))) v[i] = cells[cell * w.beside];
    }
    line.template transform<SIGN>(v);
    if (!inside) return;
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int cell = i * line.places();
        if (SIGN < 0 ? own & 1u << i : voxel(cell)) cells[cell * w.beside] = v[i];
    }
}

enum { SQUARE_LANES = 8 };

/* The same of a square grid's second axis, groups having so many lanes: where cells lie is known to
 * the compiler. Block = lines side by side (x) of a group (y). */
template <int SIGN, class Line, class R>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    square_lines(int voxels, const unsigned *reached, Line line, ndft_complex<R> *cells)
{
    constexpr int N = Line::LENGTH, BESIDE = N * SQUARE_LANES, APART = BESIDE * Line::PLACES;
    cells += (int64_t)last_first(gridDim.y, blockIdx.y) * N * BESIDE + threadIdx.y * BESIDE +
             blockIdx.x * Line::LINES + threadIdx.x;
    const unsigned own =
        reached[(blockIdx.x * Line::LINES + threadIdx.x) / SQUARE_LANES * Line::PLACES +
                threadIdx.y];
    const int below = (voxels + 1) / 2, above = N - voxels / 2;
    const auto voxel = [&](int cell) { return cell < below || cell >= above; };
    ndft_complex<R> v[Line::CELLS];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        v[i] = {0, 0};
        if (SIGN > 0 ? own & 1u << i : voxel(threadIdx.y + i * Line::PLACES))
            v[i] = cells[i * APART];
    }
    line.template transform<SIGN>(v);
    const int place = anew(threadIdx.y);
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++)
        if (SIGN < 0 ? own & 1u << i : voxel(place + i * Line::PLACES)) cells[i * APART] = v[i];
}

/* f of a line along an axis but the first, with 128 bytes side by side, for cells lie far apart
 * along it. */
template <class R, class F> void by_outer_line(int dim, const ndft_nufft_line &line, F f)
{
    using lengths = std::integer_sequence<int, 64, 80, 96, 128, 144, 160, 192, 256, 288, 320>;
    using of_planes = std::integer_sequence<int, 400>;
    if constexpr (sizeof(R) == sizeof(float)) {
        if (dim > 2 && by_fixed_line<R, 16>(line, f, lengths())) return;
        if (dim == 2 && by_fixed_line<R, 16>(line, f, of_planes())) return;
    }
    by_line<R>(line, f);
}

/* Whether square_lines serves an axis. */
template <class Line> bool is_square(const ndft_nufft_plan *plan, const ndft_nufft_lanes &lanes)
{
    return plan->shape.dim == 2 && plan->grid.n[0] == plan->grid.n[1] &&
           lanes.count == SQUARE_LANES;
}

template <int SIGN, class R, class Line>
ndft_status run_axis(const ndft_nufft_plan *plan, const ndft_nufft_lines *lines, const Line &line,
                     int axis, const ndft_nufft_lanes &lanes)
{
    ndft_exec *exec = plan->arrays.exec;
    const dim3 threads = line.block(&exec->device);
    if constexpr (Line::OF_SQUARE) {
        if (is_square<Line>(plan, lanes))
            return ndft_launch_early(
                exec, dim3(Line::LENGTH * SQUARE_LANES / Line::LINES, (unsigned)lanes.groups),
                threads, shared_bytes<Line>(threads), square_lines<SIGN, Line, R>, plan->image.n[1],
                lines->reached, line, (ndft_complex<R> *)plan->grid.cells);
    }
    const axis_work<R> w = axis_work_of<R>(plan, lines, axis, lanes);
    const dim3 blocks(ndft_blocks(w.beside, threads.x), (unsigned)w.outer_voxels,
                      (unsigned)lanes.groups);
    return ndft_launch_early(exec, blocks, threads, shared_bytes<Line>(threads),
                             axis_lines<SIGN, Line, R>, w, line);
}

template <int SIGN, class R, class Line>
ndft_status allow_axis(ndft_exec *exec, const Line &line, int n)
{
    if constexpr (Line::OF_SQUARE)
        return allow_lines(exec, line, n, axis_lines<SIGN, Line, R>, square_lines<SIGN, Line, R>);
    else
        return allow_lines(exec, line, n, axis_lines<SIGN, Line, R>);
}

} // namespace

#endif
