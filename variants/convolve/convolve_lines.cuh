/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_LINES_CUH
#define NDFT_CONVOLVE_LINES_CUH

#include "core/early.cuh"
#include "half_lines.cuh"

/*
 * Circular convolutions of images with zeros around them, on 2 M cells per axis for at most M
 * voxels: forward transform, multiply, inverse, all transforms inside blocks, by halves
 * (half_lines.cuh), so that nothing is ever as long as the padded line:
 *
 *     rows      load a row of the image, transform, keep            [n[1], n[2]] rows of 2 M[0]
 *     lengthen  in 3D, along y                                      [2 M[1], n[2]] rows
 *     multiply  along the last axis: transform, multiply, back      as before
 *     shorten   in 3D, back along y
 *     store     back along x, hand over the row
 *
 * Kept rows, and those of spectra, have even frequencies before odd ones. In 1D all is one kernel.
 * A column is term * images + image of a batch; images share terms' spectra. A block may have
 * several groups of threads, threadIdx.z, that share halves of lines, or terms, among them. A
 * variant brings hooks:
 *
 *     void load_line(line_part<CELLS> part, int term, int image, int64_t row, ndft_complex<R> v[])
 *     void gather_line(line_part<CELLS> part, int term, int64_t row, const ndft_complex<R> v[],
 *                      ndft_complex<R> sum[])
 *     void store(int image, int64_t row, int x, ndft_complex<R> sum)    the sum over terms
 */

namespace
{

/* Where a block of convolve_rows or convolve_store works: blockIdx.x on lines of plane blockIdx.z.
 */
template <class L, class R> struct line_row {
    block_part<R> part;
    line_part<L::CELLS> voxels;
    bool inside;
    int64_t row, at; /* of the image, and its first cell in a column */

    __device__ explicit line_row(const line_job<R> &job) : part(along<L>(job))
    {
        const int y = blockIdx.x * blockDim.y + threadIdx.y;
        inside = L::SQUARE || y < job.n[1];
        voxels = {part.t, part.n / L::CELLS, inside ? job.n[0] : 0};
        row = (int64_t)blockIdx.z * job.n[1] + y;
        at = blockIdx.z * job.plane + (int64_t)y * 2 * part.n + part.t;
    }
};

/* blockIdx.y: columns; groups: halves */
template <class L, class R, class Hooks>
__global__ void __launch_bounds__(line_threads<R, L>()) convolve_rows(line_job<R> job, Hooks hooks)
{
    constexpr int CELLS = L::CELLS;
    know_sizes<L>(&job);
    const line_row<L, R> line(job);
    const int term = blockIdx.y / job.images, image = blockIdx.y - term * job.images;
    ndft_complex<R> voxels[CELLS], v[CELLS];
    ndft_wait_for_kernel_before();
    hooks.load_line(line.voxels, term, image, line.row, voxels);
    ndft_complex<R> *to = job.kept + blockIdx.y * job.column + line.at;
    each_half<L>(threadIdx.z, blockDim.z, [&](auto odd) {
#pragma unroll
        for (int i = 0; i < CELLS; i++) v[i] = voxels[i];
        transform<-1, L, 1>(line.part, odd, v);
        if (line.inside)
            for (int i = 0; i < CELLS; i++) to[odd * line.part.n + i * line.voxels.step] = v[i];
    });
}

/* blockIdx.y: images; groups: terms, or halves of all terms */
template <class L, class R, class Hooks>
__global__ void __launch_bounds__(line_threads<R, L>()) convolve_store(line_job<R> job, Hooks hooks)
{
    constexpr int CELLS = L::CELLS;
    know_sizes<L>(&job);
    const line_row<L, R> line(job);
    const int halves = (int)blockDim.z > job.terms ? 2 : 1, mine = threadIdx.z / halves;
    ndft_complex<R> sum[CELLS] = {};
    const ndft_complex<R> *kept = job.kept + blockIdx.y * job.column + line.at;
    ndft_wait_for_kernel_before();
#pragma unroll 1
    for (int first = 0; first < job.terms; first += blockDim.z / halves) {
        const int term = first + mine;
        const bool has = line.inside && term < job.terms;
        const ndft_complex<R> *from = kept + term * job.images * job.column;
        ndft_complex<R> both[CELLS] = {}, v[CELLS];
        each_half<L>(threadIdx.z % halves, halves, [&](auto odd) {
            if (has)
                for (int i = 0; i < CELLS; i++)
                    v[i] = ndft_load_once(from + odd * line.part.n + i * line.voxels.step);
            transform<+1, L, 1>(line.part, odd, v);
            for (int i = 0; i < CELLS; i++) both[i] = both[i] + v[i];
        });
        if (has) hooks.gather_line(line.voxels, term, line.row, both, sum);
    }
    join(line.part, sum, [&](int x, ndft_complex<R> all) {
        if (x < line.voxels.end) hooks.store(blockIdx.y, line.row, x, all);
    });
}

/* A thread's cells of a line along another axis, those below n. */
template <int CELLS, class R>
__device__ __forceinline__ void fetch(const block_part<R> &part, const ndft_complex<R> *from, int n,
                                      int step, ndft_complex<R> (&v)[CELLS])
{
    const int threads = part.n / CELLS;
    from += (int64_t)part.t * step;
    if (n == part.n) {
#pragma unroll
        for (int i = 0; i < CELLS; i++) v[i] = from[(int64_t)(i * threads) * step];
        return;
    }
#pragma unroll
    for (int i = 0; i < CELLS; i++) {
        v[i] = {0, 0};
        if (part.t + i * threads < n) v[i] = from[(int64_t)(i * threads) * step];
    }
}

/* The middle axis of three, in place: SIGN -1 lengthens, +1 shortens. blockIdx.y: columns,
 * blockIdx.z: planes; groups: halves. */
template <class L, int SIGN, class R>
__global__ void __launch_bounds__(line_threads<R, L>(), L::N ? 2 : 1)
    convolve_middle(line_job<R> job)
{
    constexpr int CELLS = L::CELLS;
    const int row = 2 * job.half[0];
    block_part<R> part = across<L>(job, 1);
    keep_turns<L>(&part);
    ndft_complex<R> *plane = job.kept + blockIdx.y * job.column + blockIdx.z * job.plane +
                             blockIdx.x * blockDim.x + threadIdx.x;
    ndft_complex<R> voxels[CELLS] = {}, v[CELLS];
    ndft_wait_for_kernel_before();
    if (SIGN < 0) {
        fetch(part, plane, job.n[1], row, voxels);
        __syncthreads();
    }
#pragma unroll 1
    for (int odd = threadIdx.z; odd < 2; odd += blockDim.z) {
        ndft_complex<R> *half = plane + (int64_t)(odd * part.n) * row;
        if (SIGN < 0) {
#pragma unroll
            for (int i = 0; i < CELLS; i++) v[i] = voxels[i];
        } else {
            fetch(part, half, part.n, row, v);
        }
        transform_across<SIGN, L>(part, odd, v);
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            if (SIGN < 0)
                half[(int64_t)(part.t + i * (part.n / CELLS)) * row] = v[i];
            else
                voxels[i] = voxels[i] + v[i];
        }
    }
    if (SIGN < 0) return;
    join(part, voxels, [&](int to, ndft_complex<R> all) {
        if (to < job.n[1]) plane[(int64_t)to * row] = all;
    });
}

/* The last axis of two or three; groups: halves. */
template <class L, class R>
__global__ void __launch_bounds__(line_threads<R, L>(), L::N ? 2 : 1)
    convolve_multiply(line_job<R> job, int axis, const R *spectra)
{
    constexpr int CELLS = L::CELLS;
    know_sizes<L>(&job);
    if constexpr (L::SQUARE) axis = 1;
    const int step = 2 * job.half[0] * (axis == 2 ? 2 * job.half[1] : 1);
    const int x = blockIdx.x * blockDim.x + threadIdx.x, voxels = of_axis(job.n, axis);
    block_part<R> part = across<L>(job, axis);
    keep_turns<L>(&part);
    const int n = part.n, threads = n / CELLS;
    ndft_complex<R> *line = job.kept + blockIdx.y * job.column + x, sum[CELLS] = {}, v[CELLS];
    spectra += (int64_t)(blockIdx.y / job.images * 2 * n + part.t) * step + x;
    ndft_wait_for_kernel_before();
    each_half<L>(threadIdx.z, blockDim.z, [&](auto odd) {
        fetch(part, line, voxels, step, v);
        transform_across<-1, L>(part, odd, v);
        const R *factors = spectra + (int64_t)(odd * n) * step;
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const R *at = factors + (int64_t)(i * threads) * step;
            const R factor = L::SQUARE && job.images == 1 ? ndft_load_once(at) : *at;
            v[i] = {v[i].re * factor, v[i].im * factor};
        }
        transform_across<+1, L>(part, odd, v);
#pragma unroll
        for (int i = 0; i < CELLS; i++) sum[i] = sum[i] + v[i];
    });
    join(part, sum, [&](int to, ndft_complex<R> value) {
        if (to < voxels) line[(int64_t)to * step] = value;
    });
}

/* All of a convolution in 1D; blockIdx.x: images; groups: halves and terms */
template <int CELLS, class R, class Hooks>
__global__ void __launch_bounds__(line_threads<R, line_length<CELLS>>())
    convolve_line(line_job<R> job, Hooks hooks, const R *spectra)
{
    using L = line_length<CELLS>;
    const block_part<R> part = along<L>(job);
    const line_part<CELLS> voxels = {part.t, part.n / CELLS, job.n[0]};
    ndft_complex<R> sum[CELLS] = {}, v[CELLS] = {};
    ndft_wait_for_kernel_before();
#pragma unroll 1
    for (int first = 0; first < 2 * job.terms; first += blockDim.z) {
        const int half = first + threadIdx.z, term = half / 2, odd = half % 2;
        const bool has = term < job.terms;
        if (has) hooks.load_line(voxels, term, blockIdx.x, 0, v);
        transform<-1, L, 1>(part, odd, v);
        const R *factors = spectra + (int64_t)(has ? half : 0) * part.n + part.t;
#pragma unroll
        for (int i = 0; i < CELLS; i++) {
            const R factor = factors[i * voxels.step];
            v[i] = {v[i].re * factor, v[i].im * factor};
        }
        transform<+1, L, 1>(part, odd, v);
        if (has) hooks.gather_line(voxels, term, 0, v, sum);
    }
    join(part, sum, [&](int x, ndft_complex<R> all) {
        if (x < job.n[0]) hooks.store(blockIdx.x, 0, x, all);
    });
}

} // namespace

#endif
