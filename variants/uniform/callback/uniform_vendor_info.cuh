/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_VENDOR_INFO_CUH
#define NDFT_UNIFORM_VENDOR_INFO_CUH

#include "uniform_index.cuh"

/* What cuFFT hands to its callbacks, in device memory. Data: of the load and store functions. */
template <class Data> struct ndft_vendor_info {
    ndft_transform transform;
    Data data;
    const void *in; /* the caller's arrays, set before every execution */
    void *out;
};

/* Modes of an element of packed lines: the axes one after the other, then M, then K. */
__device__ inline void ndft_packed_index(const ndft_tensor *t, uint64_t place,
                                         int64_t index[NDFT_MODES])
{
    const int order[] = {NDFT_MODE_N, NDFT_MODE_N + 1, NDFT_MODE_N + 2, NDFT_MODE_M, NDFT_MODE_K};
    for (int i = 0; i < NDFT_MODES; i++) {
        const int mode = order[i];
        const uint64_t size = (uint64_t)t->shape[mode];
        index[mode] = 0;
        if (size == 1) continue;
        index[mode] = (int64_t)(place % size);
        place /= size;
    }
}

#endif
