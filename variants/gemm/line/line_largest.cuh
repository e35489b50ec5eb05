/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_LARGEST_CUH
#define NDFT_LINE_LARGEST_CUH

#include "core/device.cuh"
#include "core/mma.cuh"

/* The largest magnitude of any finite component of some data, found where they lie, so that f16
 * operands can be scaled to it. Magnitudes of floats are ordered as their bits are. */

__global__ __launch_bounds__(256) void ndft_largest_kernel(const float *data, int64_t count,
                                                           unsigned *largest)
{
    float most = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (int64_t)gridDim.x * blockDim.x)
        most = ndft_larger(most, fabsf(data[i]));
    const unsigned bits = __reduce_max_sync(0xffffffffu, __float_as_uint(most));
    if (threadIdx.x % 32 == 0) atomicMax(largest, bits);
}

/* largest: one number on the device. */
inline ndft_status ndft_find_largest(ndft_exec *exec, const void *data, int64_t count,
                                     float *largest)
{
    const int64_t threads = 256, most_blocks = 4 * (int64_t)exec->device.units;
    const int64_t blocks = (count + threads - 1) / threads;
    NDFT_TRY(ndft_checked(exec, cudaMemsetAsync(largest, 0, sizeof *largest, ndft_stream(exec)),
                          "the clearing of a maximum"));
    ndft_largest_kernel<<<(unsigned)(blocks < most_blocks ? blocks : most_blocks),
                          (unsigned)threads, 0, ndft_stream(exec)>>>((const float *)data, count,
                                                                     (unsigned *)largest);
    return ndft_launched(exec, "the search of a maximum");
}

#endif
