/* SPDX-License-Identifier: Apache-2.0 */
#define NDFT_INDEX static inline __host__ __device__
#include "base/uniform.h"
#include "scaling_cuda.cuh"

namespace
{

template <class R>
__global__ void scale_elements(R *memory, ndft_tensor t, int64_t size, int parts, double factor)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t index[NDFT_MODES];
    if (e >= size) return;
    ndft_tensor_index(&t, e, index);
    R *at = memory + parts * ndft_tensor_offset(&t, index);
    for (int part = 0; part < parts; part++) at[part] = (R)(factor * at[part]);
}

} // namespace

ndft_status ndft_cuda::scale(ndft_exec *exec, ndft_prec prec, const ndft_tensor *t, void *memory,
                             double factor)
{
    enum { THREADS = 256 };
    const int64_t size = ndft_tensor_size(t);
    const unsigned blocks = (unsigned)((size + THREADS - 1) / THREADS);
    const int parts = t->real ? 1 : 2;
    if (prec == NDFT_F32)
        scale_elements<<<blocks, THREADS, 0, stream_of(exec)>>>((float *)memory, *t, size, parts,
                                                                factor);
    else
        scale_elements<<<blocks, THREADS, 0, stream_of(exec)>>>((double *)memory, *t, size, parts,
                                                                factor);
    return check(exec, cudaGetLastError(), "scaling");
}
