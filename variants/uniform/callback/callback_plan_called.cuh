/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_access.cuh"

/* The modes of element e, the first mode fastest. U: an unsigned type that counts all elements. */
template <class U>
__device__ inline void ndft_index_of(const ndft_tensor &t, U e, int64_t index[NDFT_MODES])
{
#pragma unroll
    for (int i = 0; i < NDFT_MODES; i++) {
        const U length = (U)t.shape[i], rest = length == 1 ? e : e / length;
        index[i] = (int64_t)(e - rest * length);
        e = rest;
    }
}

/* One of callback_plan.cuh's passes, compiled in plan, a thread an element: from one tensor through
 * NDFT_LOAD, through NDFT_STORE to another of the same shape. One of the two is plain. */
extern "C" __global__ void ndft_called(const __grid_constant__ ndft_tensor from,
                                       const __grid_constant__ ndft_tensor to,
                                       ndft_called_access access, int64_t elements,
                                       const ndft_scalar *in, ndft_scalar *out)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    int64_t index[NDFT_MODES];
    ndft_scalar z[2];
    if (e >= elements) return;
    if (elements >> 32)
        ndft_index_of(from, (uint64_t)e, index);
    else
        ndft_index_of(from, (uint32_t)e, index);
    access.load(from, in, ndft_tensor_offset(&from, index), index, z);
    access.store(to, out, ndft_tensor_offset(&to, index), index, z);
}
