/* SPDX-License-Identifier: Apache-2.0 */
#include "planar_cluster.cuh"

#include "core/early.cuh"
#include "fft/mixed_fft.cuh"
#include "interleaved_shape.h"

namespace
{

constexpr int BLOCKS = 8; /* of a cluster: as many as any device with clusters has */

/* For all blocks of a cluster to arrive before one goes on. */
[[maybe_unused]] __device__ __forceinline__ void arrive()
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (__cluster_barrier_arrive();))
}

[[maybe_unused]] __device__ __forceinline__ void wait_for_cluster()
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (__cluster_barrier_wait();))
}

/* The same place of another block's shared memory. */
template <class T> __device__ __forceinline__ T *of_block(T *shared, int block)
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (return (T *)__cluster_map_shared_rank(shared, block);),
                 (return shared;))
}

/* One of the two steps: OWN lines of N cells in a block, and others that are nobody's where it has
 * threads for more. */
template <int N, int OWN, int THREADS> struct step {
    using mixed = mixed_line<N>;
    static constexpr int PLACES = mixed::THREADS;
    static constexpr int GROUPS = (THREADS - 1) / (OWN * PLACES) + 1;
    static constexpr int CELLS_OF_GROUP = OWN * mixed::BUFFERS * mixed::ROOM;
    static constexpr int ROOM = GROUPS * CELLS_OF_GROUP;
    int line, place, group;

    __device__ step()
        : line(threadIdx.x % OWN), place(threadIdx.x / OWN % PLACES),
          group(threadIdx.x / (OWN * PLACES))
    {
    }

    /* Of a thread's cell i of CELLS: the cell, -1 where it has none. */
    template <int CELLS> __device__ __forceinline__ int cell(int i) const
    {
        constexpr int apart = N / CELLS;
        return group == 0 && (apart == PLACES || place < apart) ? place + i * apart : -1;
    }

    template <int SIGN, class R>
    __device__ __forceinline__ void transform(const mixed_turns<N, R> &turns, ndft_complex<R> *work,
                                              ndft_complex<R> (&v)[mixed::FIRST],
                                              ndft_complex<R> (&out)[mixed::LAST]) const
    {
        mixed_fft<SIGN, N, OWN>(place, turns, work + group * CELLS_OF_GROUP + line,
                                mixed::ROOM * OWN, v, out);
    }
};

constexpr int larger(int a, int b) { return a > b ? a : b; }

/* A line of columns of COLUMN and rows of ROW cells: cell n is in column n % ROW before the
 * transform, cell k in row k % COLUMN after it. */
template <int COLUMN, int ROW> struct shared_line {
    static constexpr int COLUMNS = ROW / BLOCKS, ROWS = COLUMN / BLOCKS; /* of a block */
    static constexpr int THREADS =
        larger(COLUMNS * mixed_line<COLUMN>::THREADS, ROWS *mixed_line<ROW>::THREADS);
    using columns = step<COLUMN, COLUMNS, THREADS>;
    using rows = step<ROW, ROWS, THREADS>;
    static constexpr int PITCH = ROW + 2; /* of rows: their cells fall into different banks */
    static constexpr int WORK = larger(columns::ROOM, rows::ROOM), ROOM = WORK + ROWS * PITCH;
};

template <class R> struct line_work {
    int voxels;
    const R *scale; /* of each */
    const ndft_complex<R> *turns;
    const ndft_complex<R> *from;
    ndft_complex<R> *to, *zeros; /* where cells that were read become zero; NULL: nowhere */
    ndft_strides image;
    int64_t column; /* of the grid */
};

/* Deapodisation of the voxel at a cell, 0 where there is none. */
template <int CELLS, class R> __device__ __forceinline__ R scale_at(const line_work<R> &w, int cell)
{
    const int x = cell < 0 ? -1 : ndft_voxel_at(cell, CELLS, w.voxels);
    return x < 0 ? 0 : w.scale[x];
}

/* What a cell is before the transform, by its number in the line. */
template <int SIGN, int CELLS, class R>
__device__ __forceinline__ ndft_complex<R> read(const line_work<R> &w, int cell)
{
    if (SIGN > 0) return w.from[blockIdx.y * w.column + cell];
    const int x = ndft_voxel_at(cell, CELLS, w.voxels);
    if (x < 0) return {0, 0};
    const ndft_complex<R> voxel = w.from[blockIdx.y * w.image.coil + x * w.image.element];
    return {w.scale[x] * voxel.re, w.scale[x] * voxel.im};
}

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void write(const line_work<R> &w, int cell, R scale,
                                      ndft_complex<R> value)
{
    if (SIGN < 0) {
        w.to[blockIdx.y * w.column + cell] = value;
        return;
    }
    const int x = ndft_voxel_at(cell, CELLS, w.voxels);
    if (x >= 0)
        w.to[blockIdx.y * w.image.coil + x * w.image.element] = {scale * value.re,
                                                                 scale * value.im};
}

/* The first step: columns, turned, to the rows of all blocks. */
template <int SIGN, class Line, int COLUMN, int ROW, class R>
__device__ __forceinline__ void transform_columns(const line_work<R> &w, ndft_complex<R> *work,
                                                  ndft_complex<R> *rows)
{
    using mixed = mixed_line<COLUMN>;
    const typename Line::columns own;
    const int column = (int)blockIdx.x * Line::COLUMNS + own.line;
    mixed_turns<COLUMN, R> turns;
    fetch_turns<SIGN, COLUMN, ROW>(w.turns, own.place, turns);
    ndft_complex<R> v[mixed::FIRST], out[mixed::LAST], turn[mixed::LAST];
#pragma unroll
    for (int i = 0; i < mixed::LAST; i++) {
        const int row = own.template cell<mixed::LAST>(i);
        turn[i] = w.turns[row < 0 ? 0 : row * column];
        if (SIGN > 0) turn[i].im = -turn[i].im;
    }
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int i = 0; i < mixed::FIRST; i++) {
        const int cell = own.template cell<mixed::FIRST>(i);
        v[i] = {0, 0};
        if (cell >= 0) v[i] = read<SIGN, COLUMN * ROW>(w, cell * ROW + column);
    }
    own.template transform<SIGN>(turns, work, v, out);
    wait_for_cluster(); /* that others have begun */
#pragma unroll
    for (int i = 0; i < mixed::LAST; i++) {
        const int row = own.template cell<mixed::LAST>(i);
        if (row < 0) continue;
        of_block(rows, row / Line::ROWS)[row % Line::ROWS * Line::PITCH + column] =
            out[i] * turn[i];
    }
    arrive();
    if (!w.zeros) return;
#pragma unroll
    for (int i = 0; i < mixed::FIRST; i++) {
        const int cell = own.template cell<mixed::FIRST>(i);
        if (cell >= 0) w.zeros[blockIdx.y * w.column + cell * ROW + column] = {0, 0};
    }
}

/* The second: a block's rows. */
template <int SIGN, class Line, int COLUMN, int ROW, class R>
__device__ __forceinline__ void transform_rows(const line_work<R> &w, ndft_complex<R> *work,
                                               const ndft_complex<R> *rows)
{
    using mixed = mixed_line<ROW>;
    const typename Line::rows own;
    mixed_turns<ROW, R> turns;
    fetch_turns<SIGN, ROW, COLUMN>(w.turns, own.place, turns);
    const int first = (int)blockIdx.x * Line::ROWS + own.line;
    R scale[mixed::LAST] = {};
    if (SIGN > 0) {
#pragma unroll
        for (int i = 0; i < mixed::LAST; i++) {
            const int cell = own.template cell<mixed::LAST>(i);
            scale[i] = scale_at<COLUMN * ROW>(w, cell < 0 ? -1 : first + cell * COLUMN);
        }
    }
    wait_for_cluster();
    ndft_complex<R> v[mixed::FIRST], out[mixed::LAST];
#pragma unroll
    for (int i = 0; i < mixed::FIRST; i++) {
        const int cell = own.template cell<mixed::FIRST>(i);
        v[i] = {0, 0};
        if (cell >= 0) v[i] = rows[own.line * Line::PITCH + cell];
    }
    own.template transform<SIGN>(turns, work, v, out);
#pragma unroll
    for (int i = 0; i < mixed::LAST; i++) {
        const int cell = own.template cell<mixed::LAST>(i);
        if (cell >= 0) write<SIGN, COLUMN * ROW>(w, first + cell * COLUMN, scale[i], out[i]);
    }
}

/* Cluster = a line of a coil (y). Of devices without clusters there is no code. */
template <int SIGN, int COLUMN, int ROW, class R>
__global__ void __launch_bounds__(shared_line<COLUMN, ROW>::THREADS)
    transform_line(const __grid_constant__ line_work<R> w)
{
    NV_IF_TARGET(NV_PROVIDES_SM_90, (using Line = shared_line<COLUMN, ROW>;
                                     ndft_complex<R> *const work = line_memory<R>();
                                     ndft_complex<R> *const rows = work + Line::WORK; arrive();
                                     transform_columns<SIGN, Line, COLUMN, ROW>(w, work, rows);
                                     transform_rows<SIGN, Line, COLUMN, ROW>(w, work, rows);))
}

/* The lines that are known, as NDFT_CLUSTER_LINES has them. */
template <int COLUMN, int ROW, class F> bool if_line(int cells, const F &f)
{
    if (cells != COLUMN * ROW) return false;
    f(std::integral_constant<int, COLUMN>(), std::integral_constant<int, ROW>());
    return true;
}

template <class F> bool by_line_of(int cells, const F &f)
{
    return if_line<32, 64>(cells, f) || if_line<64, 64>(cells, f) || if_line<80, 80>(cells, f) ||
           if_line<64, 128>(cells, f);
}

template <class R> ndft_status allow(const ndft_nufft_plan *plan)
{
    ndft_exec *exec = plan->arrays.exec;
    ndft_status status = NDFT_OK;
    by_line_of(plan->grid.n[0], [&](auto column, auto row) {
        constexpr int COLUMN = column.value, ROW = row.value;
        const size_t bytes = sizeof(ndft_complex<R>) * shared_line<COLUMN, ROW>::ROOM;
        if (plan->ops & NDFT_FORWARD)
            status =
                ndft_allow_shared(exec, (const void *)transform_line<-1, COLUMN, ROW, R>, bytes);
        if (status == NDFT_OK && (plan->ops & NDFT_ADJOINT))
            status =
                ndft_allow_shared(exec, (const void *)transform_line<+1, COLUMN, ROW, R>, bytes);
    });
    return status;
}

/* Early, as ndft_launch_early does, in clusters. */
template <class R>
ndft_status launch(const ndft_exec *exec, int lines, int threads, size_t shared,
                   void (*kernel)(line_work<R>), const line_work<R> &w)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {BLOCKS, 1, 1};
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(BLOCKS, (unsigned)lines);
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = shared;
    config.stream = ndft_stream(exec);
    config.attrs = attributes;
    config.numAttrs = 2;
    return ndft_checked(exec, cudaLaunchKernelEx(&config, kernel, w), "a launch");
}

template <int SIGN, class R>
ndft_status run(const ndft_nufft_plan *plan, const void *turns, const ndft_nufft_pass *pass,
                const void *from, void *to, void *zeros)
{
    const ndft_nufft_image &image = plan->image;
    line_work<R> w = {image.n[0],
                      (const R *)image.scale[0],
                      (const ndft_complex<R> *)turns,
                      (const ndft_complex<R> *)from,
                      (ndft_complex<R> *)to,
                      (ndft_complex<R> *)zeros,
                      image.strides,
                      plan->grid.column};
    const int64_t first = pass->coil * image.strides.coil;
    if (SIGN < 0)
        w.from += first;
    else
        w.to += first;
    ndft_status status = NDFT_OK;
    by_line_of(plan->grid.n[0], [&](auto column, auto row) {
        using Line = shared_line<column.value, row.value>;
        status = launch<R>(plan->arrays.exec, pass->coils, Line::THREADS,
                           sizeof(ndft_complex<R>) * Line::ROOM,
                           transform_line<SIGN, column.value, row.value, R>, w);
    });
    return status;
}

} // namespace

bool ndft_nufft_cluster_serves(const ndft_exec *exec, int cells)
{
    return exec->device.code >= 90 && by_line_of(cells, [](auto, auto) {});
}

ndft_status ndft_nufft_cluster_allow(const ndft_nufft_plan *plan)
{
    return plan->prec == NDFT_F32 ? allow<float>(plan) : allow<double>(plan);
}

ndft_status ndft_nufft_cluster_forward(const ndft_nufft_plan *plan, const void *turns,
                                       const ndft_nufft_pass *pass, const void *image)
{
    void *cells = plan->grid.cells;
    return plan->prec == NDFT_F32 ? run<-1, float>(plan, turns, pass, image, cells, nullptr)
                                  : run<-1, double>(plan, turns, pass, image, cells, nullptr);
}

ndft_status ndft_nufft_cluster_adjoint(const ndft_nufft_plan *plan, const void *turns,
                                       const ndft_nufft_pass *pass, void *sums, void *image)
{
    void *zeros = sums == plan->grid.cells ? nullptr : sums;
    return plan->prec == NDFT_F32 ? run<+1, float>(plan, turns, pass, sums, image, zeros)
                                  : run<+1, double>(plan, turns, pass, sums, image, zeros);
}
