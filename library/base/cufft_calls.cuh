/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_CUFFT_CALLS_CUH
#define NDFT_BASE_CUFFT_CALLS_CUH

#include "cufft.h"

#include <cufftXt.h>

/* The calls of cuFFT, as its manual has them. */
struct ndft_cufft_calls {
    decltype(&cufftCreate) create;
    decltype(&cufftDestroy) destroy;
    decltype(&cufftSetAutoAllocation) set_auto_allocation;
    decltype(&cufftSetStream) set_stream;
    decltype(&cufftSetWorkArea) set_work_area;
    decltype(&cufftXtSetJITCallback) set_callback;
    decltype(&cufftMakePlanMany64) make_plan;
    decltype(&cufftExecC2C) c2c;
    decltype(&cufftExecR2C) r2c;
    decltype(&cufftExecC2R) c2r;
    decltype(&cufftExecZ2Z) z2z;
    decltype(&cufftExecD2Z) d2z;
    decltype(&cufftExecZ2D) z2d;
    decltype(&cufftGetVersion) version;
};

/* NULL where there is none. */
const ndft_cufft_calls *ndft_cufft_calls_find();

#endif
