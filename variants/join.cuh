/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_JOIN_CUH
#define NDFT_JOIN_CUH

#include "complex.cuh"
#include "device.cuh"

#include <cmath>

/* Where blocks split the sum over inputs: how many ways, and the joining of their parts. */

/*
 * The number of parts that fills the device best: `blocks` blocks per part, `wave` blocks at once,
 * `chunks` indivisible pieces of the sum. The smallest within 3 % of the best utilisation, since
 * every part costs a pass over the outputs.
 */
inline int ndft_auto_split(int64_t blocks, int64_t wave, int64_t chunks)
{
    const int most = (int)(chunks < 64 ? chunks : 64);
    double best = 0, filled[65];
    for (int split = 1; split <= most; split++) {
        const double total = (double)(blocks * split), waves = ceil(total / (double)wave);
        const double even = (double)chunks / split / ceil((double)chunks / split);
        filled[split] = total / (waves * (double)wave) * even;
        if (filled[split] > best) best = filled[split];
    }
    int split = 1;
    while (filled[split] < 0.97 * best) split++;
    return split;
}

/* Lets a kernel use this much dynamic shared memory; above 48 KiB it must be asked for. */
inline ndft_status ndft_allow_shared(ndft_exec *exec, const void *kernel, size_t bytes)
{
    if (bytes <= 48 << 10) return NDFT_OK;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error == cudaSuccess) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE, "%zu bytes of shared memory: %s", bytes,
                     cudaGetErrorString(error));
}

/* Blocks that the whole device holds at once. */
inline int64_t ndft_wave(const void *kernel, int threads, size_t shared, const ndft_exec *exec)
{
    int per_unit = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_unit, kernel, threads, shared) !=
            cudaSuccess ||
        per_unit < 1)
        per_unit = 1;
    return (int64_t)per_unit * exec->device.units;
}

/* out = sum over parts, in their order: parts[s][coil][element]. A thread per element, coils in y.
 */
template <class R>
__global__ void ndft_join_parts(const ndft_complex<R> *parts, int split, int64_t length,
                                ndft_strides strides, ndft_complex<R> *out)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= length) return;
    ndft_complex<R> sum = {0, 0};
    for (int s = 0; s < split; s++) {
        const ndft_complex<R> part = parts[((int64_t)s * gridDim.y + blockIdx.y) * length + e];
        sum.re += part.re;
        sum.im += part.im;
    }
    out[e * strides.element + blockIdx.y * strides.coil] = sum;
}

template <class R>
ndft_status ndft_join(ndft_exec *exec, const ndft_complex<R> *parts, int split, int64_t length,
                      unsigned coils, ndft_strides strides, ndft_complex<R> *out)
{
    const int threads = 256;
    ndft_join_parts<<<dim3(ndft_blocks(length, threads), coils), threads, 0, ndft_stream(exec)>>>(
        parts, split, length, strides, out);
    return ndft_launched(exec, "the join of split sums");
}

#endif
