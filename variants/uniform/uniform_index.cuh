/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_INDEX_CUH
#define NDFT_UNIFORM_INDEX_CUH

#include <ndft/uniform.h>

/* The indices of uniform.h on the device. */

__device__ inline void ndft_mode_index(const ndft_tensor &t, int64_t e, int64_t index[NDFT_MODES])
{
    for (int i = 0; i < NDFT_MODES; i++) {
        index[i] = e % t.shape[i];
        e /= t.shape[i];
    }
}

__device__ inline int64_t ndft_mode_offset(const ndft_tensor &t, const int64_t index[NDFT_MODES])
{
    int64_t offset = 0;
    for (int i = 0; i < NDFT_MODES; i++) offset += index[i] * t.stride[i];
    return offset;
}

#endif
