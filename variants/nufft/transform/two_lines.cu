/* SPDX-License-Identifier: Apache-2.0 */
#include "two_lines.cuh"

#include "fft/two_passes.cuh"
#include "interleaved_coils.cuh"

namespace
{

/* A line of OF_IMAGE OF_GRID cells: on the image's side a thread of OF_GRID has OF_IMAGE cells, on
 * the grid's one of OF_IMAGE has OF_GRID, and the others none. */
template <int OF_IMAGE, int OF_GRID, int BESIDE> struct two_line {
    static constexpr int CELLS = OF_IMAGE, PLACES = OF_GRID, LENGTH = CELLS * PLACES;
    static constexpr int LINES = BESIDE, THREADS = LINES * PLACES;
    /* Of a multiprocessor, by registers. Forward has 80 either way, and is 3 % faster where the
     * compiler may take 128. */
    static constexpr int FEW = 65536 / (128 * THREADS);
    static constexpr int BLOCKS = 65536 / ((PLACES > 20 ? 80 : 64) * THREADS);
    static constexpr int ROOM = LINES * two_passes_room(PLACES, CELLS); /* the other way is less */
    static_assert(CELLS <= PLACES && CELLS % 2 == 0);
    const ndft_complex<float> *turns;

    /* Of the grid's side: whether this thread has cells. */
    static __device__ __forceinline__ bool in_grid() { return (int)threadIdx.y < CELLS; }

    template <int SIGN, int A, int B>
    __device__ __forceinline__ void transform(ndft_complex<float> (&v)[A],
                                              ndft_complex<float> (&out)[B]) const
    {
        two_passes<SIGN, A, B, LINES>(threadIdx.y, line_memory<float>() + threadIdx.x, turns, v,
                                      out);
    }
};

/* Block = a row (x) of a group's coils (y). */
template <bool FIELD, class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::FEW)
    rows_in_two(const __grid_constant__ row_work<float> w, Line line,
                const ndft_complex<float> *image)
{
    const coil_row<Line, float> own(w);
    ndft_complex<float> v[Line::CELLS] = {}, *weights = line_memory<float>() + Line::ROOM;
    own.template put_weights<FIELD>(ndft_lane_term(w.lanes, blockIdx.y, 0), weights);
    ndft_wait_for_kernel_before();
    own.each(threadIdx.y, ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
             [&](int i, const ndft_complex<float> &voxel) { v[i] = voxel; });
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        const ndft_complex<float> weight = weights[threadIdx.y + i * Line::PLACES];
        v[i] =
            FIELD ? weight * v[i] : ndft_complex<float>{weight.re * v[i].re, weight.re * v[i].im};
    }
    ndft_complex<float> out[Line::PLACES];
    line.template transform<-1>(v, out);
    if (!line.in_grid()) return;
    ndft_complex<float> *to = own.cells(blockIdx.y);
#pragma unroll
    for (int i = 0; i < Line::PLACES; i++) to[i * Line::CELLS * Line::LINES] = out[i];
}

/* f(i) for the cells of a thread that are voxels, and of which the compiler does not know before
 * that they are. */
template <class Line, class F> __device__ __forceinline__ void each_voxel_of(int voxels, F f)
{
    const int below = (voxels + 1) / 2, above = Line::LENGTH - voxels / 2;
    const int place = anew(threadIdx.y);
#pragma unroll
    for (int i = 0; i < Line::CELLS; i++) {
        const int cell = place + i * Line::PLACES;
        if (cell < below || cell >= above) f(i);
    }
}

/* Along y or z, in place, from voxels to cells that samples reach, or back. Block = lines side by
 * side (x) of a plane (y) of a group (z). */
template <int SIGN, bool VOLUME, class Line>
__global__ void __launch_bounds__(Line::THREADS, SIGN < 0 ? Line::FEW : Line::BLOCKS)
    outer_in_two(const __grid_constant__ axis_work<float> w, Line line)
{
    const int64_t beside = VOLUME ? w.beside : Line::LENGTH * Line::LINES; /* known in a plane */
    const int64_t plane = ndft_grid_cell((int)blockIdx.y - w.outer_voxels / 2, w.outer);
    const int64_t group = VOLUME ? blockIdx.z : last_first(gridDim.z, blockIdx.z);
    ndft_complex<float> *cells = w.cells +
                                 ((group * w.outer + plane) * Line::LENGTH + threadIdx.y) * beside +
                                 blockIdx.x * Line::LINES + threadIdx.x;
    const bool here = line.in_grid();
    unsigned own = 0;
    if (!VOLUME && here) own = w.reached[blockIdx.x * Line::CELLS + threadIdx.y];
    const auto reached = [&](int i) { return VOLUME ? here : own >> i & 1; };
    ndft_complex<float> v[SIGN < 0 ? Line::CELLS : Line::PLACES] = {};
    ndft_complex<float> out[SIGN < 0 ? Line::PLACES : Line::CELLS];
    ndft_wait_for_kernel_before();
    if (SIGN < 0)
        each_voxel_of<Line>(w.voxels, [&](int i) { v[i] = cells[i * Line::PLACES * beside]; });
#pragma unroll
    for (int i = 0; SIGN > 0 && i < Line::PLACES; i++)
        if (reached(i)) v[i] = cells[i * Line::CELLS * beside];
    line.template transform<SIGN>(v, out);
    if (SIGN > 0)
        each_voxel_of<Line>(w.voxels, [&](int i) { cells[i * Line::PLACES * beside] = out[i]; });
#pragma unroll
    for (int i = 0; SIGN < 0 && i < Line::PLACES; i++)
        if (reached(i)) cells[i * Line::CELLS * beside] = out[i];
}

/* A thread's cells of a row of a group's grid. */
template <class Line>
__device__ __forceinline__ void load_row_in_two(const coil_row<Line, float> &own, int group,
                                                ndft_complex<float> (&v)[Line::PLACES])
{
    if (!Line::in_grid()) return;
    const ndft_complex<float> *from = own.cells(group);
#pragma unroll
    for (int i = 0; i < Line::PLACES; i++) v[i] = from[i * Line::CELLS * Line::LINES];
}

/* Block = a row (x) of those of a group (y). */
template <class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::BLOCKS)
    restore_in_two(const __grid_constant__ row_work<float> w, Line line, ndft_complex<float> *image)
{
    const coil_row<Line, float> own(w);
    ndft_complex<float> cells[Line::PLACES], v[Line::CELLS],
        *weights = line_memory<float>() + Line::ROOM;
    own.template put_weights<false>(0, weights);
    ndft_wait_for_kernel_before();
    load_row_in_two(own, blockIdx.y, cells);
    line.template transform<+1>(cells, v);
    own.each(anew(threadIdx.y), ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
             [&](int i, ndft_complex<float> &voxel) {
                 const float scale = weights[threadIdx.y + i * Line::PLACES].re;
                 voxel = {scale * v[i].re, scale * v[i].im};
             });
}

/* Block = a row (x) of a group's coils (y), of all terms of a field, whose sums are in registers.
 */
template <class Line>
__global__ void __launch_bounds__(Line::THREADS, Line::FEW)
    sum_in_two(const __grid_constant__ row_work<float> w, Line line, ndft_complex<float> *image)
{
    const coil_row<Line, float> own(w);
    ndft_complex<float> sum[Line::CELLS] = {};
    ndft_wait_for_kernel_before();
    for (int term = 0; term < w.lanes.term_groups; term++) {
        ndft_complex<float> cells[Line::PLACES], v[Line::CELLS],
            *weights = line_memory<float>() + Line::ROOM + term % 2 * Line::LENGTH;
        own.template put_weights<true>(term, weights);
        if (term > 0) __syncthreads(); /* the line before is read */
        load_row_in_two(own, blockIdx.y + w.lanes.coil_groups * term, cells);
        line.template transform<+1>(cells, v);
#pragma unroll
        for (int i = 0; i < Line::CELLS; i++) {
            const ndft_complex<float> weight = weights[threadIdx.y + i * Line::PLACES];
            ndft_accumulate(sum[i], weight.re, -weight.im, v[i]);
        }
    }
    own.each(
        anew(threadIdx.y), ndft_lane_coil(w.lanes, blockIdx.y, threadIdx.x), image,
        [&](int i, ndft_complex<float> &voxel) { voxel = w.pass.joins ? voxel + sum[i] : sum[i]; });
}

/* f of a plan's lines, so many side by side; NDFT_OK where they are others. */
template <bool VOLUME, int LINES, class F> ndft_status by_two_line(int n, F f)
{
    if constexpr (VOLUME) {
        if (n == 96) return f(two_line<8, 12, LINES>{});
    } else {
        if (n == 640) return f(two_line<20, 32, LINES>{});
    }
    return NDFT_OK;
}

/* Of a block, with weights of rows behind its lines. */
template <class Line> constexpr size_t two_bytes(int weights)
{
    return (Line::ROOM + weights * Line::LENGTH) * sizeof(ndft_complex<float>);
}

/* Kernels of rows, and of the other axes. */
template <bool VOLUME, class F> ndft_status by_two_lines(const ndft_nufft_plan *plan, F f)
{
    constexpr int BESIDE = VOLUME ? 16 : 8;
    return by_two_line<VOLUME, 8>(plan->grid.n[0], [&](auto row) {
        using Row = decltype(row);
        return f(row, two_line<Row::CELLS, Row::PLACES, BESIDE>{});
    });
}

template <bool VOLUME> ndft_status make(ndft_nufft_plan *plan, ndft_nufft_two_lines *two)
{
    return by_two_lines<VOLUME>(plan, [&](auto row, auto outer) {
        using Row = decltype(row);
        using Outer = decltype(outer);
        ndft_exec *exec = plan->arrays.exec;
        const void *kernels[] = {(const void *)rows_in_two<true, Row>,
                                 (const void *)rows_in_two<false, Row>,
                                 (const void *)outer_in_two<-1, VOLUME, Outer>,
                                 (const void *)outer_in_two<+1, VOLUME, Outer>,
                                 (const void *)restore_in_two<Row>,
                                 (const void *)sum_in_two<Row>};
        const size_t bytes = max(two_bytes<Row>(2), two_bytes<Outer>(0));
        if (bytes > exec->device.shared_bytes) return NDFT_OK;
        for (const void *kernel : kernels)
            NDFT_TRY(ndft_allow_shared(exec, kernel, exec->device.shared_bytes));
        two->serve = true;
        if (VOLUME) return NDFT_OK;
        return ndft_nufft_reached_mark(plan, row.CELLS, &two->reached);
    });
}

template <int SIGN, bool VOLUME, class Line>
ndft_status run_outer(const ndft_nufft_plan *plan, const ndft_nufft_two_pass &pass, Line line)
{
    const ndft_nufft_lines &lines = *pass.lines;
    for (int i = 1; i < plan->shape.dim; i++) {
        const int axis = SIGN < 0 ? i : plan->shape.dim - i;
        axis_work<float> w = axis_work_of<float>(plan, &lines, axis, pass.lanes);
        w.reached = pass.two->reached;
        line.turns = (const ndft_complex<float> *)lines.axis[0].turns;
        NDFT_TRY(ndft_launch_early(plan->arrays.exec,
                                   dim3((unsigned)(w.beside / line.LINES), (unsigned)w.outer_voxels,
                                        (unsigned)pass.lanes.groups),
                                   dim3(line.LINES, line.PLACES), two_bytes<Line>(0),
                                   outer_in_two<SIGN, VOLUME, Line>, w, line));
    }
    return NDFT_OK;
}

template <class Line, class Kernel, class Image>
ndft_status run_rows(const ndft_nufft_plan *plan, const ndft_nufft_two_pass &pass, Line line,
                     int groups, int weights, Kernel kernel, Image *image)
{
    line.turns = (const ndft_complex<float> *)pass.lines->axis[0].turns;
    return ndft_launch_early(plan->arrays.exec, dim3(rows_of(plan->image), (unsigned)groups),
                             dim3(line.LINES, line.PLACES), two_bytes<Line>(weights), kernel,
                             row_work_of<float>(plan, pass.pass, pass.lanes, line.LINES), line,
                             image);
}

template <bool VOLUME>
ndft_status run(const ndft_nufft_plan *plan, const ndft_nufft_two_pass &pass, const void *in)
{
    return by_two_lines<VOLUME>(plan, [&](auto row, auto outer) {
        using Row = decltype(row);
        NDFT_TRY(run_rows(plan, pass, row, pass.lanes.groups, 1,
                          plan->rank.place ? rows_in_two<true, Row> : rows_in_two<false, Row>,
                          (const ndft_complex<float> *)in));
        return run_outer<-1, VOLUME>(plan, pass, outer);
    });
}

template <bool VOLUME>
ndft_status run_back(const ndft_nufft_plan *plan, const ndft_nufft_two_pass &pass, void *out)
{
    return by_two_lines<VOLUME>(plan, [&](auto row, auto outer) {
        using Row = decltype(row);
        NDFT_TRY((run_outer<+1, VOLUME>(plan, pass, outer)));
        return run_rows(plan, pass, row, pass.lanes.coil_groups, 2,
                        plan->rank.place || pass.pass->joins ? sum_in_two<Row>
                                                             : restore_in_two<Row>,
                        (ndft_complex<float> *)out);
    });
}

bool is_volume(const ndft_nufft_plan *plan) { return plan->shape.dim == 3; }

} // namespace

ndft_status ndft_nufft_two_lines_make(ndft_nufft_plan *plan, ndft_nufft_two_lines *two)
{
    *two = {};
    const int *n = plan->grid.n;
    if (plan->shape.dim == 1 || plan->prec != NDFT_F32 || n[0] != n[1]) return NDFT_OK;
    if (is_volume(plan)) return n[2] == n[0] ? make<true>(plan, two) : NDFT_OK;
    return make<false>(plan, two);
}

bool ndft_nufft_two_lines_serve(const ndft_nufft_plan *plan, const ndft_nufft_two_lines *two,
                                const ndft_nufft_lanes &lanes)
{
    if (is_volume(plan) && plan->rank.place) return false; /* not timed */
    return two->serve && are_coils<two_line<8, 12, 8>>(plan, lanes);
}

ndft_status ndft_nufft_two_lines_run(const ndft_nufft_plan *plan, const ndft_nufft_two_pass &pass,
                                     const void *in)
{
    return is_volume(plan) ? run<true>(plan, pass, in) : run<false>(plan, pass, in);
}

ndft_status ndft_nufft_two_lines_adjoint(const ndft_nufft_plan *plan,
                                         const ndft_nufft_two_pass &pass, void *out)
{
    return is_volume(plan) ? run_back<true>(plan, pass, out) : run_back<false>(plan, pass, out);
}
