/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TESTS_GPU_NO_DEVICE_H
#define NDFT_TESTS_GPU_NO_DEVICE_H

#include <cstdio>
#include <cuda_runtime.h>

/* Whether there is no device, and so nothing to test, which is told; the exit status is 77 then. */
static bool no_device()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) return false;
    printf("skipped: no CUDA device\n");
    return true;
}

#endif
