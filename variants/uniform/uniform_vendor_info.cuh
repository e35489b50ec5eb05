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

#endif
