/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_IN_PLACE_CUH
#define NDFT_CONVOLVE_FILTER_IN_PLACE_CUH

#include "core/early.cuh"
#include "fft/in_place_fft.cuh"

/* The kernels of filter_lines.cuh for lines that are transformed in place, one to a block. What is
 * kept between load and store, and a filter's spectrum, lie in the order in which threads come to
 * them in the last pass: cell i of sum s at i n/16 + s. */

namespace
{

/* Lines one after the other, as hooks. */
template <int N, class R> struct kept_lines {
    static constexpr bool HALF = false;
    ndft_complex<R> *kept;

    __device__ int64_t start(unsigned line) const { return (int64_t)line * N; }

    template <int COUNT>
    __device__ void load_cells(int64_t start, int first, int step, ndft_complex<R> (&v)[16]) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) v[k] = kept[start + first + k * step];
    }

    template <int COUNT>
    __device__ void store_cells(int64_t start, int first, int step,
                                const ndft_complex<R> (&v)[16]) const
    {
#pragma unroll
        for (int k = 0; k < COUNT; k++) kept[start + first + k * step] = v[k];
    }
};

/* The sixteen cells of a sum of the last pass. */
template <class R> __device__ __forceinline__ ndft_complex<R> *sum_cells(int sum)
{
    return in_place_cells<R>() + sum * skipping<16>(16);
}

template <class R>
__device__ __forceinline__ void multiply_sum(const ndft_complex<R> *spectrum, int step,
                                             ndft_complex<R> (&v)[16])
{
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = v[k] * spectrum[k * step];
}

template <int N, class R, class Hook>
__global__ void __launch_bounds__(in_place_threads<R>(), 1)
    in_place_load(const turn_pair<R> *turns, Hook hook, ndft_complex<R> *kept)
{
    constexpr int sums = N / 16;
    ndft_wait_for_kernel_before();
    forward_in_place<N>(turns, hook, blockIdx.x);
    ndft_let_kernel_after_begin();
    kept += (int64_t)blockIdx.x * N;
#pragma unroll 1
    for (int s = (int)threadIdx.x; s < sums; s += (int)blockDim.x) {
        ndft_complex<R> v[16], *from = sum_cells<R>(s);
#pragma unroll
        for (int k = 0; k < 16; k++) v[k] = from[k];
        dft16<-1>(v);
#pragma unroll
        for (int k = 0; k < 16; k++) kept[s + k * sums] = v[k];
    }
}

template <int N, class R, class Hook>
__global__ void __launch_bounds__(in_place_threads<R>(), 1)
    in_place_store(const turn_pair<R> *turns, const ndft_complex<R> *spectrum,
                   const ndft_complex<R> *kept, Hook hook)
{
    constexpr int sums = N / 16;
    ndft_wait_for_kernel_before();
    kept += (int64_t)blockIdx.x * N;
#pragma unroll 1
    for (int s = (int)threadIdx.x; s < sums; s += (int)blockDim.x) {
        ndft_complex<R> v[16], *to = sum_cells<R>(s);
#pragma unroll
        for (int k = 0; k < 16; k++) v[k] = kept[s + k * sums];
        multiply_sum(spectrum + s, sums, v);
        dft16<+1>(v);
#pragma unroll
        for (int k = 0; k < 16; k++) to[k] = v[k];
    }
    ndft_let_kernel_after_begin();
    back_in_place<N>(turns, hook, blockIdx.x);
}

/* A filter has spectra of `lines` lines, one after the other. */
template <int N, class R, class Load, class Store>
__global__ void __launch_bounds__(in_place_threads<R>(), 1)
    in_place_filter(const turn_pair<R> *turns, int lines, const ndft_complex<R> *spectrum,
                    Load load, Store store)
{
    constexpr int sums = N / 16;
    ndft_wait_for_kernel_before();
    const auto weights = load_line_in_place<N>(turns, load, blockIdx.x);
    outer_pass<-1, N>(turns);
    inner_pass<-1, N>(turns);
    spectrum += (int64_t)(blockIdx.x % (unsigned)lines) * N;
#pragma unroll 1
    for (int s = (int)threadIdx.x; s < sums; s += (int)blockDim.x) {
        ndft_complex<R> v[16], *at = sum_cells<R>(s);
#pragma unroll
        for (int k = 0; k < 16; k++) v[k] = at[k];
        dft16<-1>(v);
        multiply_sum(spectrum + s, sums, v);
        dft16<+1>(v);
#pragma unroll
        for (int k = 0; k < 16; k++) at[k] = v[k];
    }
    ndft_let_kernel_after_begin();
    back_in_place<N>(turns, store, blockIdx.x, weights);
}

} // namespace

#endif
