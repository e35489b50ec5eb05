/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

/*
 * Empties the L2 cache by reading twice as much as it holds. Reading, not writing: what was dirty
 * is written back by being evicted, and the lines that replace it are clean, so that the work to be
 * timed pays for no write-back but its own.
 */

namespace ndft_cuda
{

static __global__ void read_all(const uint4 *memory, size_t n, unsigned *never)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        uint4 v = __ldcg(&memory[i]);
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum) *never = sum; /* the memory is zero; the compiler cannot know */
}

static ndft_status allocate(ndft_exec *exec, size_t bytes)
{
    NDFT_TRY(set_up(exec));
    void **flushed = &own(exec)->flushed;
    if (*flushed) return NDFT_OK;
    if (cudaMalloc(flushed, bytes) != cudaSuccess) {
        (void)cudaGetLastError();
        *flushed = nullptr;
        return ndft_fail(exec->error, NDFT_ENOMEM, "flushing the L2 cache needs %zu bytes", bytes);
    }
    return check(exec, cudaMemsetAsync(*flushed, 0, bytes, stream_of(exec)), "cudaMemsetAsync");
}

ndft_status flush(ndft_exec *exec)
{
    size_t n = 2 * exec->device.l2_bytes / sizeof(uint4);
    NDFT_TRY(allocate(exec, (n + 1) * sizeof(uint4)));
    uint4 *memory = static_cast<uint4 *>(own(exec)->flushed);
    unsigned blocks = 4 * (unsigned)exec->device.units;
    read_all<<<blocks, 512, 0, stream_of(exec)>>>(memory, n, &memory[n].x);
    return check(exec, cudaGetLastError(), "kernel launch");
}

} // namespace ndft_cuda
