/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_HALF_LINES_CUH
#define NDFT_CONVOLVE_HALF_LINES_CUH

#include "fft/fixed_fft.cuh"
#include "filter_shape.h"
#include "half_turns.cuh"

/*
 * Lines of 2 M cells whose second half is zero, or of no interest, by transforms of M cells
 * (block_fft.cuh; fixed_fft.cuh). Their even frequencies are a transform of the first half, and so
 * are the odd ones, of its cells x times exp(-i pi x/M). The way back is a sum of two such halves.
 */

namespace
{

/* How long halves are, for kernels: a thread has so many cells; the compiler knows N of them, and
 * that a block has lines_of it beside each other. N 0: the job tells. SQUARE: images have N x N
 * voxels. */
template <int CELLS_OF_THREAD, int KNOWN = 0, bool OF_SQUARE = false> struct line_length {
    static constexpr int CELLS = CELLS_OF_THREAD, N = KNOWN;
    static constexpr bool SQUARE = OF_SQUARE;
};

enum { LINE_SHARE = 8, BLOCK_BYTES = 48 << 10 }; /* cells of a thread in powers of two */

enum { BLOCK_THREADS = 256 }; /* of lengths that are known */

/* Threads of a block at most. */
template <class R, class L> __host__ __device__ constexpr int line_threads()
{
    if (L::N) return BLOCK_THREADS;
    return (L::CELLS > LINE_SHARE ? 1024 : 2048) / (int)sizeof(R);
}

/* Neighbours that a block takes: whole sectors, as many more as fit with two groups, or with one of
 * long halves of two passes in f32. */
template <class R> __host__ __device__ constexpr int lines_of(int n, int cells)
{
    const int size = (int)sizeof(ndft_complex<R>), bytes = line_room(n, cells) * size;
    const int groups = size == 8 && cells == 16 && is_two_passes(n, cells) ? 1 : 2;
    int lines = 32;
    while (lines > 32 / size &&
           (groups * lines * bytes > BLOCK_BYTES || groups * lines * (n / cells) > BLOCK_THREADS))
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
    const ndft_complex<R> *turns[3]; /* half_turns.cuh */
};

/* Squares are of sizes that the compiler knows. */
template <class L, class R> __device__ __forceinline__ void know_sizes(line_job<R> *job)
{
    if constexpr (L::SQUARE) {
        job->n[0] = job->n[1] = job->half[0] = job->half[1] = L::N;
        job->plane = job->column = 2 * L::N * L::N;
    }
}

template <class R> __device__ ndft_complex<R> *line_memory()
{
    extern __shared__ __align__(16) unsigned char line_bytes[];
    return (ndft_complex<R> *)line_bytes;
}

/* v[i] times exp(SIGN pi i q/RADIX) of cell q of its sum, in sums of RADIX among a thread's cells.
 */
template <int SIGN, int RADIX, int CELLS, class R>
__device__ __forceinline__ void turn_sums(ndft_complex<R> (&v)[CELLS])
{
    constexpr int apart = CELLS / RADIX;
#pragma unroll
    for (int i = apart; i < CELLS; i++) {
        const int q = i / apart * (16 / RADIX);
        v[i] = q == 8 ? quarter<SIGN>(v[i])
                      : turned_by<SIGN>((R)half_cosine(q), (R)half_cosine(q - 8), v[i]);
    }
}

/* The transform of a half of two passes, with the turns of odd halves among its own. */
template <int SIGN, class L, int STEP, class R>
__device__ __forceinline__ void two_passes(const block_part<R> &part, int odd,
                                           ndft_complex<R> (&v)[L::CELLS])
{
    constexpr int RADIX = L::N / L::CELLS;
    const block_part<R> fixed = {L::N, RADIX, RADIX, part.t, STEP, part.shared, nullptr};
    const turns_of_two<R> *turns = turns_between(part.turns, L::N, odd, SIGN) + part.t;
    if (SIGN < 0 && odd) turn_sums<SIGN, RADIX>(v);
    sums<SIGN, RADIX>(v);
    give<RADIX>(fixed, 1, v);
    take(fixed, v);
#pragma unroll
    for (int i = 0; i < L::CELLS; i += 2) {
        turns_of_two<R> turn = turns[i / 2 * RADIX];
        if (SIGN > 0) turn = {{turn.a.re, -turn.a.im}, {turn.b.re, -turn.b.im}};
        if (SIGN > 0 || i > 0) v[i] = v[i] * turn.a;
        v[i + 1] = v[i + 1] * turn.b;
    }
    sums<SIGN, L::CELLS>(v);
    if (SIGN > 0 && odd) turn_sums<SIGN, L::CELLS>(v);
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
    if constexpr (is_two_passes(L::N, L::CELLS)) {
        two_passes<SIGN, L, STEP>(part, odd, v);
    } else {
        if (SIGN < 0 && odd) turn();
        if constexpr (L::N > 0)
            fixed_fft<SIGN, L::N, STEP>(part.t, part.shared, part.turns, v);
        else
            block_fft<SIGN>(part, v);
        if (SIGN > 0 && odd) turn();
    }
}

/* The same between lines beside each other. */
template <int SIGN, class L, class R>
__device__ __forceinline__ void transform_across(const block_part<R> &part, int odd,
                                                 ndft_complex<R> (&v)[L::CELLS])
{
    transform<SIGN, L, L::N ? lines_of<R>(L::N ? L::N : LINE_SHARE, L::CELLS) : 1>(part, odd, v);
}

template <int ODD> struct half_number {
    __device__ constexpr operator int() const { return ODD; }
};

/* f of the halves from `first` on, `step` apart. Of squares, whose groups of threads share none,
 * both after each other in the code: sums that an even half does not have are left out. */
template <class L, class F> __device__ __forceinline__ void each_half(int first, int step, F f)
{
    if constexpr (L::SQUARE) {
        f(half_number<0>());
        f(half_number<1>());
    } else {
#pragma unroll 1
        for (int odd = first; odd < 2; odd += step) f(odd);
    }
}

/* Shared memory of a group of threads. */
template <int CELLS> __device__ int group_room(int n)
{
    return skipping<CELLS>(n) * (int)(blockDim.x * blockDim.y / (n / CELLS));
}

/* In a block of whole lines along x, cells fastest. */
template <class L, class R> __device__ block_part<R> along(const line_job<R> &job)
{
    if constexpr (L::SQUARE) __builtin_assume(threadIdx.x < L::N / L::CELLS);
    const int n = L::N ? L::N : job.half[0], line = threadIdx.z * blockDim.y + threadIdx.y;
    return {n,
            job.passes[0].first,
            job.passes[0].rest,
            (int)threadIdx.x,
            1,
            line_memory<R>() + line * skipping<L::CELLS>(n),
            job.turns[0] + turns_before<L>()};
}

/* Of an axis but the first. */
template <class T> __device__ __forceinline__ T of_axis(const T (&all)[3], int axis)
{
    return axis == 2 ? all[2] : all[1];
}

/* The same, lines fastest: neighbouring lines along another axis. */
template <class L, class R> __device__ block_part<R> across(const line_job<R> &job, int axis)
{
    if constexpr (L::SQUARE) __builtin_assume(threadIdx.y < L::N / L::CELLS);
    const int n = L::N ? L::N : of_axis(job.half, axis);
    const ndft_line_passes passes = of_axis(job.passes, axis);
    return {n,
            passes.first,
            passes.rest,
            (int)threadIdx.y,
            (int)blockDim.x,
            line_memory<R>() + threadIdx.z * group_room<L::CELLS>(n) + threadIdx.x,
            of_axis(job.turns, axis) + turns_before<L>()};
}

/* Takes the turns between two passes to shared memory, behind the lines, where many spectra go
 * through the first-level cache. The next barrier is waited for before they are read. */
template <class L, class R> __device__ __forceinline__ void keep_turns(block_part<R> *part)
{
    if constexpr (is_two_passes(L::N, L::CELLS)) {
        const int threads = blockDim.x * blockDim.y;
        const turns_of_two<R> *from = (const turns_of_two<R> *)part->turns;
        turns_of_two<R> *kept =
            (turns_of_two<R> *)(line_memory<R>() + blockDim.z * group_room<L::CELLS>(L::N));
        for (int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
             i < turns_kept<L>() / 2; i += threads * blockDim.z)
            kept[i] = from[i];
        part->turns = (const ndft_complex<R> *)kept;
    }
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
