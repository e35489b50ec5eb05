/* SPDX-License-Identifier: Apache-2.0 */
#include "base/launched.cuh"
#include "largest_cuda.cuh"

namespace
{

enum { THREADS = 256 };

struct arrays {
    const void *of[3];
    int64_t count;
    double *most; /* [arrays][NDFT_LARGEST_PARTS] */
};

/* Magnitudes are ordered as their bits are, with those of a NaN above all. */
__device__ uint64_t bits_of(float value) { return __float_as_uint(value) & INT32_MAX; }
__device__ uint64_t bits_of(double value) { return __double_as_longlong(value) & INT64_MAX; }
__device__ double value_of(float, uint64_t bits) { return __uint_as_float((unsigned)bits); }
__device__ double value_of(double, uint64_t bits) { return __longlong_as_double((int64_t)bits); }

/* Block = a part (x) of an array (y). */
template <class R> __global__ void __launch_bounds__(THREADS) largest_of(arrays a)
{
    __shared__ uint64_t shared[THREADS];
    const R *array = (const R *)a.of[blockIdx.y];
    uint64_t most = 0;
    for (int64_t i = blockIdx.x * (int64_t)THREADS + threadIdx.x; i < a.count;
         i += gridDim.x * (int64_t)THREADS)
        most = max(most, bits_of(array[i]));
    shared[threadIdx.x] = most;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            shared[threadIdx.x] = max(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) a.most[blockIdx.y * gridDim.x + blockIdx.x] = value_of(R(), shared[0]);
}

} // namespace

ndft_status ndft_cuda::largest(ndft_exec *exec, ndft_prec prec, int n, const void *const of[],
                               int64_t count, double *most)
{
    arrays a = {{nullptr, nullptr, nullptr}, count, most};
    const dim3 blocks(NDFT_LARGEST_PARTS, (unsigned)n);
    for (int i = 0; i < n; i++) a.of[i] = of[i];
    if (prec == NDFT_F32)
        largest_of<float><<<blocks, THREADS, 0, stream_of(exec)>>>(a);
    else
        largest_of<double><<<blocks, THREADS, 0, stream_of(exec)>>>(a);
    return check(exec, ndft_launch_error(), "largest magnitudes");
}
