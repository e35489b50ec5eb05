/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_access.cuh"
#include "uniform_vendor_info.cuh"

/*
 * cuFFT's load callback, compiled in plan and linked into its kernels: cuFFT sees packed lines, as
 * large as the tensor, and the callback reads the caller's array in their place. NDFT_IN is cuFFT's
 * type of an element. Callbacks have C++ names, by which cuFFT asks for them, and the store
 * callback is a code of its own, since cuFFT links the code of each.
 */

__device__ NDFT_IN ndft_fft_load(void *, unsigned long long place, void *info, void *)
{
    const auto &i = *(const ndft_vendor_info<ndft_called_access> *)info;
    const ndft_tensor &in = i.transform.in;
    int64_t index[NDFT_MODES];
    ndft_scalar z[2];
    NDFT_IN element;
    ndft_packed_index(&in, place, index);
    i.data.load(in, (const ndft_scalar *)i.in, ndft_tensor_offset(&in, index), index, z);
    for (unsigned part = 0; part < sizeof element / sizeof *z; part++)
        ((ndft_scalar *)&element)[part] = z[part];
    return element;
}
