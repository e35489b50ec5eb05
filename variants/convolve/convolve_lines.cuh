/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_CUH
#define NDFT_CONVOLVE_LINES_CUH

#include "fft/fixed_fft.cuh"
#include "filter_shape.h"

/*
 * Circular convolutions of images with zeros around them, whose lengths are those of lines
 * (filter_shape.h) up to 1024: forward transform, multiply, inverse, all transforms inside blocks
 * (block_fft.cuh; fixed_fft.cuh). Zeros are never transformed along x, nor kept anywhere:
 *
 *     rows      load a row of the image, transform, keep            [n[1], n[2]] rows of cells[0]
 *     lengthen  in 3D, along y                                      [cells[1], n[2]] rows
 *     multiply  along the last axis: transform, multiply, back      as before
 *     shorten   in 3D, back along y
 *     store     back along x, hand over the row
 *
 * In 1D all is one kernel. A column is term * images + image of a batch; images share terms'
 * spectra. A variant brings hooks:
 *
 *     ndft_complex<R> load(int term, int image, int64_t row, int x)
 *     void gather(int term, int64_t row, int x, ndft_complex<R> value, ndft_complex<R> *sum)
 *     void store(int image, int64_t row, int x, ndft_complex<R> sum)    the sum over terms
 */

namespace
{

enum { LINE_SHARE = 8 }; /* cells of a thread in lines that are powers of two; else 12 or 20 */

/* Threads of a block at most, two of which a multiprocessor holds. */
template <class R> __host__ __device__ constexpr int line_threads(int cells)
{
    return (cells > LINE_SHARE ? 1024 : 2048) / (int)sizeof(R);
}

__host__ __device__ constexpr int line_cells(int n)
{
    return n % 5 == 0 ? 20 : n % 3 == 0 ? 12 : LINE_SHARE;
}

/* A block's lines of n cells: neighbours enough for whole sectors, as many as fit without asking.
 */
template <class R> __host__ __device__ constexpr int lines_of(int n)
{
    const int cells = line_cells(n), room = line_room(n, cells) * (int)sizeof(ndft_complex<R>);
    int lines = 32;
    while (lines > 1 && (lines * (n / cells) > line_threads<R>(cells) || lines * room > 48 << 10))
        lines /= 2;
    return lines;
}

/* How long lines are, for kernels: a thread has so many cells; the compiler knows N of them, and
 * that a block has lines_of it beside each other. N 0: the job tells. */
template <int CELLS_OF_THREAD, int KNOWN = 0> struct line_length {
    static constexpr int CELLS = CELLS_OF_THREAD, N = KNOWN;
};

template <class R> struct line_job {
    int n[3], cells[3], terms, images;
    ndft_line_passes passes[3];
    int64_t plane, column; /* cells kept of a plane, of a column */
    ndft_complex<R> *kept;
    const ndft_complex<R> *turns[3];
};

template <class R> __device__ ndft_complex<R> *line_memory()
{
    extern __shared__ __align__(16) unsigned char line_bytes[];
    return (ndft_complex<R> *)line_bytes;
}

/* Of a thread's line: STEP is from one of its cells to the next in shared memory. */
template <int SIGN, class L, int STEP, class R>
__device__ __forceinline__ void transform(const block_part<R> &part, ndft_complex<R> (&v)[L::CELLS])
{
    if constexpr (L::N > 0)
        fixed_fft<SIGN, L::N, STEP>(part.t, part.shared, part.turns, v);
    else
        block_fft<SIGN>(part, v);
}

/* The same between lines beside each other. */
template <int SIGN, class L, class R>
__device__ __forceinline__ void transform_across(const block_part<R> &part,
                                                 ndft_complex<R> (&v)[L::CELLS])
{
    transform<SIGN, L, L::N ? lines_of<R>(L::N ? L::N : LINE_SHARE) : 1>(part, v);
}

/* In a block of whole lines along x, cells fastest. */
template <int CELLS, class R>
__device__ block_part<R> along(const line_job<R> &job, int line, int t)
{
    const int n = job.cells[0];
    return {n,
            job.passes[0].first,
            job.passes[0].rest,
            t,
            1,
            line_memory<R>() + line * skipping<CELLS>(n),
            job.turns[0]};
}

/* The same, lines fastest: neighbouring lines along another axis. */
template <int AXIS, class R> __device__ block_part<R> across(const line_job<R> &job)
{
    return {job.cells[AXIS],  job.passes[AXIS].first, job.passes[AXIS].rest,
            (int)threadIdx.y, (int)blockDim.x,        line_memory<R>() + threadIdx.x,
            job.turns[AXIS]};
}

/* Where a block of convolve_rows or convolve_store works: blockIdx.x on lines of plane blockIdx.z.
 */
template <int CELLS, class R> struct line_row {
    block_part<R> part;
    int t, threads;
    bool inside;
    int64_t row, at; /* of the image, and its first cell in a column */

    __device__ explicit line_row(const line_job<R> &job)
        : part(along<CELLS>(job, threadIdx.y, threadIdx.x)), t(threadIdx.x), threads(blockDim.x)
    {
        const int y = blockIdx.x * blockDim.y + threadIdx.y;
        inside = y < job.n[1];
        row = (int64_t)blockIdx.z * job.n[1] + y;
        at = blockIdx.z * job.plane + (int64_t)y * job.cells[0] + t;
    }
};

/* blockIdx.y: columns */
template <class L, class R, class Hooks> __global__ void convolve_rows(line_job<R> job, Hooks hooks)
{
    constexpr int CELLS = L::CELLS;
    const line_row<CELLS, R> line(job);
    const int term = blockIdx.y / job.images, image = blockIdx.y - term * job.images;
    ndft_complex<R> v[CELLS];
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int x = line.t + i * line.threads;
        v[i] = {0, 0};
        if (x < job.n[0] && line.inside) v[i] = hooks.load(term, image, line.row, x);
    }
    transform<-1, L, 1>(line.part, v);
    ndft_complex<R> *to = job.kept + blockIdx.y * job.column + line.at;
    if (line.inside)
        for (int i = 0; i < CELLS; i++) to[i * line.threads] = v[i];
}

/* blockIdx.y: images; terms one after the other */
template <class L, class R, class Hooks>
__global__ void convolve_store(line_job<R> job, Hooks hooks)
{
    constexpr int CELLS = L::CELLS;
    const line_row<CELLS, R> line(job);
    ndft_complex<R> sum[CELLS] = {}, v[CELLS] = {};
    const ndft_complex<R> *from = job.kept + blockIdx.y * job.column + line.at;
    for (int term = 0; term < job.terms; term++, from += job.images * job.column) {
        if (line.inside)
            for (int i = 0; i < CELLS; i++) v[i] = from[i * line.threads];
        transform<+1, L, 1>(line.part, v);
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const int x = line.t + i * line.threads;
            if (x < job.n[0] && line.inside) hooks.gather(term, line.row, x, v[i], &sum[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const int x = line.t + i * line.threads;
        if (x < job.n[0] && line.inside) hooks.store(blockIdx.y, line.row, x, sum[i]);
    }
}

/* A thread's cells of a line, those below n. */
template <int CELLS, class R>
__device__ void fetch(const ndft_complex<R> *from, int n, int64_t step, ndft_complex<R> (&v)[CELLS])
{
    step *= blockDim.y;
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        v[i] = {0, 0};
        if (threadIdx.y + i * blockDim.y < n) v[i] = from[i * step];
    }
}

template <int CELLS, class R>
__device__ void put_back(const ndft_complex<R> (&v)[CELLS], int n, int64_t step,
                         ndft_complex<R> *to)
{
    step *= blockDim.y;
#pragma unroll
    for (int i = 0; i < CELLS; i++)
        if (threadIdx.y + i * blockDim.y < n) to[i * step] = v[i];
}

/* The middle axis of three, in place: SIGN -1 lengthens, +1 shortens. blockIdx.y: columns,
 * blockIdx.z: planes. */
template <class L, int SIGN, class R>
__global__ void __launch_bounds__(line_threads<R>(L::CELLS), 2) convolve_middle(line_job<R> job)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, n = job.cells[0];
    ndft_complex<R> *at =
        job.kept + blockIdx.y * job.column + blockIdx.z * job.plane + x + (int64_t)threadIdx.y * n;
    ndft_complex<R> v[L::CELLS];
    fetch(at, SIGN < 0 ? job.n[1] : job.cells[1], n, v);
    transform_across<SIGN, L>(across<1>(job), v);
    put_back(v, SIGN < 0 ? job.cells[1] : job.n[1], n, at);
}

/* The last axis of two or three. */
template <class L, int AXIS, class R>
__global__ void __launch_bounds__(line_threads<R>(L::CELLS), 2)
    convolve_multiply(line_job<R> job, const R *spectra)
{
    constexpr int CELLS = L::CELLS;
    const int64_t all = AXIS == 2 ? (int64_t)job.cells[0] * job.cells[1] : job.cells[0];
    const int64_t step = AXIS == 2 ? job.plane : job.cells[0];
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const block_part<R> part = across<AXIS>(job);
    ndft_complex<R> *at = job.kept + blockIdx.y * job.column + threadIdx.y * step + x, v[CELLS];
    fetch(at, job.n[AXIS], step, v);
    transform_across<-1, L>(part, v);
    spectra += (int64_t)(blockIdx.y / job.images * job.cells[AXIS] + threadIdx.y) * all + x;
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        const R factor = spectra[i * blockDim.y * all];
        v[i] = {v[i].re * factor, v[i].im * factor};
    }
    transform_across<+1, L>(part, v);
    put_back(v, job.n[AXIS], step, at);
}

/* All of a convolution in 1D; blockIdx.x: images. */
template <int CELLS, class R, class Hooks>
__global__ void convolve_line(line_job<R> job, Hooks hooks, const R *spectra)
{
    const int threads = blockDim.x, t = threadIdx.x;
    const block_part<R> part = along<CELLS>(job, 0, t);
    ndft_complex<R> sum[CELLS] = {}, v[CELLS];
    for (int term = 0; term < job.terms; term++) {
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            v[i] = {0, 0};
            if (t + i * threads < job.n[0]) v[i] = hooks.load(term, blockIdx.x, 0, t + i * threads);
        }
        block_fft<-1>(part, v);
        for (int i = 0; i < CELLS; i++) {
            const R factor = spectra[term * job.cells[0] + t + i * threads];
            v[i] = {v[i].re * factor, v[i].im * factor};
        }
        block_fft<+1>(part, v);
#pragma unroll
        for (int i = 0; i < CELLS; i++)
            if (t + i * threads < job.n[0]) hooks.gather(term, 0, t + i * threads, v[i], &sum[i]);
    }
#pragma unroll
    for (int i = 0; i < CELLS; i++)
        if (t + i * threads < job.n[0]) hooks.store(blockIdx.x, 0, t + i * threads, sum[i]);
}

} // namespace

#endif
