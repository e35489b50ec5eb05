/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_PARTS_CUH
#define NDFT_NUFFT_PRODUCT_PARTS_CUH

#include "core/mma.cuh"

/* Products of weights and data on tensor cores as spreading forms them: in f32 of two parts of tf32
 * each, in f64 as they are. */

namespace
{

/* N numbers as products take them. */
template <class R, int N> struct parts {
    R v[N];
    __device__ explicit parts(const R (&of)[N])
    {
#pragma unroll
        for (int e = 0; e < N; e++) v[e] = of[e];
    }
};

template <int N> struct parts<float, N> {
    unsigned high[N], low[N];
    __device__ explicit parts(const float (&of)[N])
    {
#pragma unroll
        for (int e = 0; e < N; e++) ndft_split_tf32(of[e], high[e], low[e]);
    }
};

/* sum += weights of 16 cells and 8 samples times the data of two samples of a lane, of N reals. */
template <int N>
__device__ __forceinline__ void multiply(const parts<float, 4> &a, const parts<float, N> &one,
                                         const parts<float, N> &two, float (*sum)[4])
{
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.low, one.high[i], two.high[i]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, one.low[i], two.low[i]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, one.high[i], two.high[i]);
}

template <int N>
__device__ __forceinline__ void multiply(const parts<double, 4> &a, const parts<double, N> &one,
                                         const parts<double, N> &two, double (*sum)[4])
{
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int i = 0; i < N; i++) {
                auto &to = *(double(*)[2])(sum[i] + 2 * m);
                ndft_mma_f64::multiply(to, {a.v[m + 2 * k]}, {k ? two.v[i] : one.v[i]});
            }
}

} // namespace

#endif
