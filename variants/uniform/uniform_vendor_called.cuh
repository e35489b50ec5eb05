/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_access.cuh"
#include "uniform_vendor_info.cuh"

/*
 * cuFFT's callbacks, compiled in plan and linked into its kernels: cuFFT sees packed lines, as
 * large as the tensors, and the callbacks read and write the caller's arrays in their place.
 * NDFT_IN and NDFT_OUT are cuFFT's types of an element.
 */

typedef ndft_vendor_info<ndft_called_access> called_info;

/* Modes of an element of packed lines: the axes one after the other, then M, then K. */
__device__ inline void index_of_packed(const ndft_tensor &t, uint64_t place,
                                       int64_t index[NDFT_MODES])
{
    const int order[] = {NDFT_MODE_N, NDFT_MODE_N + 1, NDFT_MODE_N + 2, NDFT_MODE_M, NDFT_MODE_K};
    for (int i = 0; i < NDFT_MODES; i++) {
        const int mode = order[i];
        const uint64_t size = (uint64_t)t.shape[mode];
        index[mode] = 0;
        if (size == 1) continue;
        index[mode] = (int64_t)(place % size);
        place /= size;
    }
}

extern "C" __device__ NDFT_IN ndft_fft_load(void *, unsigned long long place, void *info, void *)
{
    const called_info &i = *(const called_info *)info;
    const ndft_tensor &in = i.transform.in;
    int64_t index[NDFT_MODES];
    ndft_scalar z[2];
    NDFT_IN element;
    index_of_packed(in, place, index);
    i.data.load(in, (const ndft_scalar *)i.in, ndft_tensor_offset(&in, index), index, z);
    for (unsigned part = 0; part < sizeof element / sizeof *z; part++)
        ((ndft_scalar *)&element)[part] = z[part];
    return element;
}

extern "C" __device__ void ndft_fft_store(void *, unsigned long long place, NDFT_OUT element,
                                          void *info, void *)
{
    const called_info &i = *(const called_info *)info;
    const ndft_tensor &out = i.transform.out;
    int64_t index[NDFT_MODES];
    ndft_scalar z[2] = {0, 0};
    for (unsigned part = 0; part < sizeof element / sizeof *z; part++)
        z[part] = ((const ndft_scalar *)&element)[part];
    index_of_packed(out, place, index);
    i.data.store(out, (ndft_scalar *)i.out, ndft_tensor_offset(&out, index), index, z);
}
