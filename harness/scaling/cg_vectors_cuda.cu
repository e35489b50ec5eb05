/* SPDX-License-Identifier: Apache-2.0 */
#include "cg_vectors.h"

#include "device/stream_cuda.cuh"

namespace
{

enum { THREADS = 256, WARP = 32 };

__device__ double warp_sum(double value)
{
    for (int step = WARP / 2; step; step /= 2) value += __shfl_xor_sync(~0u, value, step);
    return value;
}

/* A part by each block. */
template <class R>
__global__ void dot_parts(int64_t n, const R *__restrict__ a, const R *__restrict__ b,
                          double *parts)
{
    __shared__ double of_warp[THREADS / WARP];
    const int64_t step = (int64_t)gridDim.x * THREADS;
    double sum = 0;
    for (int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += step)
        sum += (double)a[i] * (double)b[i];
    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x >= WARP) return;
    sum = warp_sum(threadIdx.x < THREADS / WARP ? of_warp[threadIdx.x] : 0);
    if (!threadIdx.x) parts[blockIdx.x] = sum;
}

template <class R> __global__ void combine_reals(int64_t n, R a, const R *x, R b, R *y)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < n) y[i] = a * x[i] + b * y[i];
}

ndft_status dot(ndft_exec *exec, ndft_prec prec, int64_t n, const void *a, const void *b,
                double *parts)
{
    const cudaStream_t stream = ndft_cuda::stream_of(exec);
    if (prec == NDFT_F32)
        dot_parts<<<NDFT_DOT_PARTS, THREADS, 0, stream>>>(n, (const float *)a, (const float *)b,
                                                          parts);
    else
        dot_parts<<<NDFT_DOT_PARTS, THREADS, 0, stream>>>(n, (const double *)a, (const double *)b,
                                                          parts);
    return ndft_cuda::check(exec, cudaGetLastError(), "an inner product");
}

ndft_status combine(ndft_exec *exec, ndft_prec prec, int64_t n, double a, const void *x, double b,
                    void *y)
{
    const cudaStream_t stream = ndft_cuda::stream_of(exec);
    const unsigned blocks = (unsigned)((n + THREADS - 1) / THREADS);
    if (prec == NDFT_F32)
        combine_reals<<<blocks, THREADS, 0, stream>>>(n, (float)a, (const float *)x, (float)b,
                                                      (float *)y);
    else
        combine_reals<<<blocks, THREADS, 0, stream>>>(n, a, (const double *)x, b, (double *)y);
    return ndft_cuda::check(exec, cudaGetLastError(), "a sum of vectors");
}

} // namespace

const ndft_cg_vectors ndft_cg_vectors_cuda = {dot, combine};
