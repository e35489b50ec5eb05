/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_HALF_LINES_CUH
#define NDFT_CONVOLVE_HALF_LINES_CUH

#include "fft/fixed_fft.cuh"
#include "filter_shape.h"

/*
 * Lines of 2 M cells whose second half is zero, or of no interest, by transforms of M cells
 * (block_fft.cuh; fixed_fft.cuh). Their even frequencies are a transform of the first half, and so
 * are the odd ones, of its cells x times exp(-i pi x/M). The way back is a sum of two such halves.
 */

namespace
{

/* How long halves are, for kernels: a thread has so many cells; the compiler knows N of them, and
 * that a block has lines_of it beside each other. N 0: the job tells. */
template <int CELLS_OF_THREAD, int KNOWN = 0> struct line_length {
    static constexpr int CELLS = CELLS_OF_THREAD, N = KNOWN;
};

enum { LINE_SHARE = 8, BLOCK_BYTES = 48 << 10 }; /* cells of a thread in powers of two */

enum { BLOCK_THREADS = 256 }; /* of lengths that are known */

/* Threads of a block at most. */
template <class R, class L> __host__ __device__ constexpr int line_threads()
{
    if (L::N) return BLOCK_THREADS;
    return (L::CELLS > LINE_SHARE ? 1024 : 2048) / (int)sizeof(R);
}

/* Neighbours that a block takes: whole sectors, as many more as fit with two groups. */
template <class R> __host__ __device__ constexpr int lines_of(int n, int cells)
{
    const int size = (int)sizeof(ndft_complex<R>), bytes = line_room(n, cells) * size;
    int lines = 32;
    while (lines > 32 / size &&
           (2 * lines * bytes > BLOCK_BYTES || 2 * lines * (n / cells) > BLOCK_THREADS))
        lines /= 2;
    return lines;
}

/* The voxels of a row that a thread has: COUNT cells from `first` on, `step` apart, below `end`. */
template <int COUNT> struct line_part {
    static constexpr int CELLS = COUNT;
    int first, step, end;

    __device__ __forceinline__ int x(int i) const { return first + i * step; }
    __device__ __forceinline__ bool has(int i) const { return x(i) < end; }
};

template <class R> struct line_job {
    int n[3], half[3], terms, images;
    ndft_line_passes passes[3];
    int64_t plane, column; /* cells kept of a plane, of a column */
    ndft_complex<R> *kept;
    const ndft_complex<R> *turns[3]; /* exp(-2 pi i j/half), then exp(-pi i j/half), j < half */
};

template <class R> __device__ ndft_complex<R> *line_memory()
{
    extern __shared__ __align__(16) unsigned char line_bytes[];
    return (ndft_complex<R> *)line_bytes;
}

/* Of a thread's line: STEP is from one of its cells to the next in shared memory. Odd halves are
 * turned before the way forward and after the way back. */
template <int SIGN, class L, int STEP, class R>
__device__ __forceinline__ void transform(const block_part<R> &part, int odd,
                                          ndft_complex<R> (&v)[L::CELLS])
{
    const auto turn = [&] {
        const int n = L::N ? L::N : part.n;
        const ndft_complex<R> *turns = part.turns + n + part.t;
#pragma unroll
        for (int i = 0; i < L::CELLS; i++) {
            const ndft_complex<R> one = turns[i * (n / L::CELLS)];
            v[i] = v[i] * ndft_complex<R>{one.re, SIGN < 0 ? one.im : -one.im};
        }
    };
    if (SIGN < 0 && odd) turn();
    if constexpr (L::N > 0)
        fixed_fft<SIGN, L::N, STEP>(part.t, part.shared, part.turns, v);
    else
        block_fft<SIGN>(part, v);
    if (SIGN > 0 && odd) turn();
}

/* The same between lines beside each other. */
template <int SIGN, class L, class R>
__device__ __forceinline__ void transform_across(const block_part<R> &part, int odd,
                                                 ndft_complex<R> (&v)[L::CELLS])
{
    transform<SIGN, L, L::N ? lines_of<R>(L::N ? L::N : LINE_SHARE, L::CELLS) : 1>(part, odd, v);
}

/* Shared memory of a group of threads. */
template <int CELLS> __device__ int group_room(int n)
{
    return skipping<CELLS>(n) * (int)(blockDim.x * blockDim.y / (n / CELLS));
}

/* In a block of whole lines along x, cells fastest. */
template <class L, class R> __device__ block_part<R> along(const line_job<R> &job)
{
    const int n = L::N ? L::N : job.half[0], line = threadIdx.z * blockDim.y + threadIdx.y;
    return {n,
            job.passes[0].first,
            job.passes[0].rest,
            (int)threadIdx.x,
            1,
            line_memory<R>() + line * skipping<L::CELLS>(n),
            job.turns[0]};
}

/* Of an axis but the first. */
template <class T> __device__ __forceinline__ T of_axis(const T (&all)[3], int axis)
{
    return axis == 2 ? all[2] : all[1];
}

/* The same, lines fastest: neighbouring lines along another axis. */
template <class L, class R> __device__ block_part<R> across(const line_job<R> &job, int axis)
{
    const int n = L::N ? L::N : of_axis(job.half, axis);
    const ndft_line_passes passes = of_axis(job.passes, axis);
    return {n,
            passes.first,
            passes.rest,
            (int)threadIdx.y,
            (int)blockDim.x,
            line_memory<R>() + threadIdx.z * group_room<L::CELLS>(n) + threadIdx.x,
            of_axis(job.turns, axis)};
}

/* Hands each cell's sum over the groups of threads to one thread of its line. */
template <int CELLS, class R, class F>
__device__ __forceinline__ void join(const block_part<R> &part, const ndft_complex<R> (&sum)[CELLS],
                                     F each)
{
    const int threads = part.n / CELLS, groups = blockDim.z, group = threadIdx.z;
    if (groups == 1) {
#pragma unroll
        for (int i = 0; i < CELLS; i++) each(part.t + i * threads, sum[i]);
        return;
    }
    const int room = group_room<CELLS>(part.n);
    const ndft_complex<R> *first = part.shared - group * room;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < CELLS; i++)
        part.shared[skipping<CELLS>(part.t + i * threads) * part.step] = sum[i];
    __syncthreads();
    for (int cell = part.t + group * threads; cell < part.n; cell += groups * threads) {
        const ndft_complex<R> *from = first + skipping<CELLS>(cell) * part.step;
        ndft_complex<R> all = from[0];
        for (int g = 1; g < groups; g++) all = all + from[g * room];
        each(cell, all);
    }
}

} // namespace

#endif
