/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_access.cuh"
#include "uniform_vendor_info.cuh"

/* cuFFT's store callback, as uniform_vendor_load.cuh; NDFT_OUT is cuFFT's type of an element. */

__device__ void ndft_fft_store(void *, unsigned long long place, NDFT_OUT element, void *info,
                               void *)
{
    const auto &i = *(const ndft_vendor_info<ndft_called_access> *)info;
    const ndft_tensor &out = i.transform.out;
    int64_t index[NDFT_MODES];
    ndft_scalar z[2] = {0, 0};
    for (unsigned part = 0; part < sizeof element / sizeof *z; part++)
        z[part] = ((const ndft_scalar *)&element)[part];
    ndft_packed_index(&out, place, index);
    i.data.store(out, (ndft_scalar *)i.out, ndft_tensor_offset(&out, index), index, z);
}
