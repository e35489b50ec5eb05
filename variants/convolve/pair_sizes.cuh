/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PAIR_SIZES_CUH
#define NDFT_CONVOLVE_PAIR_SIZES_CUH

#include "core/device.cuh"
#include "core/early.cuh"
#include "paired_lines.cuh"

/* The kernels beside a convolution of pairs: one before it that sums up how large lines are, and
 * one after it that takes spectra apart which it stored cell by cell. */

namespace
{

enum { PAIR_THREADS = 256, SPECTRA_EACH = 8 };

template <class R>
__device__ __forceinline__ double size_of_cell(const axis_side<R> &side, int64_t at)
{
    if (side.real) return fabs((double)side.data[at]);
    const ndft_complex<R> z = ((const ndft_complex<R> *)side.data)[at];
    return fabs((double)z.re) + fabs((double)z.im);
}

/* Over all threads of a row of the block, which is a warp or the whole block. */
__device__ __forceinline__ double sum_of_row(double size)
{
    __shared__ double warps[PAIR_THREADS / 32];
    for (int apart = 16; apart > 0; apart /= 2) size += __shfl_xor_sync(~0u, size, apart);
    if (blockDim.x == 32) return size;
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = size;
    __syncthreads();
    size = 0;
    for (int i = 0; i < PAIR_THREADS / 32; i++) size += warps[i];
    return size;
}

/* A row of threads for each part of a line. */
template <class R>
__global__ void __launch_bounds__(PAIR_THREADS) measure_lines(pair_side<R> pairs, double *sizes)
{
    ndft_wait_for_kernel_before();
    const axis_side<R> &side = pairs.side;
    const unsigned id = blockIdx.x * blockDim.y + threadIdx.y, line = id / pairs.parts;
    const int part = (side.kept + pairs.parts - 1) / pairs.parts;
    const int begin = (int)(id % pairs.parts) * part, end = min(begin + part, side.kept);
    double size = 0;
    if (line < pairs.lines) {
        const int64_t start = side.start(line);
#pragma unroll 4
        for (int cell = begin + (int)threadIdx.x; cell < end; cell += (int)blockDim.x)
            size += size_of_cell(side, start + cell * side.stride);
    }
    size = sum_of_row(size);
    ndft_let_kernel_after_begin();
    if (line < pairs.lines && threadIdx.x == 0) sizes[id] = size;
}

/* blocks: of each pair. */
template <class R>
__global__ void __launch_bounds__(PAIR_THREADS)
    take_apart(pair_store<R> hook, const ndft_complex<R> *spectra, unsigned blocks)
{
    ndft_wait_for_kernel_before();
    const unsigned pair = blockIdx.x / blocks, block = blockIdx.x % blocks;
    const pair_start<R> start = hook.start(pair);
    spectra += (int64_t)pair * hook.side.n;
    ndft_let_kernel_after_begin();
    hook.template store_spectra<4>(start, (int)(block * PAIR_THREADS + threadIdx.x),
                                   (int)(blocks * PAIR_THREADS), [=](int k) { return spectra[k]; });
}

inline ndft_status ndft_pairs_make(ndft_arrays *arrays, const ndft_pass &pass, ndft_pairs *pairs)
{
    *pairs = {true, nullptr, pass.length > PAIR_PART ? PAIR_PARTS : 1, nullptr};
    return ndft_reserve(arrays, "sizes of lines", pass.lines * pairs->parts, &pairs->sizes);
}

template <class R>
pair_side<R> pair_side_of(const void *factors, const ndft_pass &pass, const ndft_line_side &lines,
                          const void *data, const ndft_pairs &pairs)
{
    return {(const ndft_complex<R> *)factors, side_of<R>(pass, lines, data), pairs.sizes,
            pairs.parts, (unsigned)pass.lines};
}

/* Sets the sizes of the lines that are about to be loaded. */
template <class R> ndft_status ndft_pairs_measure(const ndft_exec *exec, const pair_side<R> &load)
{
    const int threads = load.side.kept > PAIR_THREADS ? PAIR_THREADS : 32;
    const dim3 block(threads, PAIR_THREADS / threads);
    const unsigned blocks = ndft_blocks((int64_t)load.lines * load.parts, (int)block.y);
    return ndft_launch_early(exec, blocks, block, 0, measure_lines<R>, load, (double *)load.sizes);
}

/* What pairs.spectra has becomes the lines' half spectra. */
template <class R>
ndft_status ndft_pairs_take_apart(const ndft_exec *exec, const pair_store<R> &store,
                                  const ndft_pairs &pairs)
{
    const unsigned blocks = ndft_blocks(store.side.kept, PAIR_THREADS * SPECTRA_EACH);
    return ndft_launch_early(exec, (store.lines + 1) / 2 * blocks, dim3(PAIR_THREADS), 0,
                             take_apart<R>, store, (const ndft_complex<R> *)pairs.spectra, blocks);
}

} // namespace

#endif
