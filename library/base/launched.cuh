/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_LAUNCHED_CUH
#define NDFT_BASE_LAUNCHED_CUH

#include <cuda_runtime.h>

/* An error that the calling thread had not asked for when it called the library: it is nobody's
 * here, and stays where it is. */
inline thread_local cudaError_t ndft_error_before = cudaSuccess;

/* What went wrong since with launches, which say so in no other way; nothing of it stays. */
inline cudaError_t ndft_launch_error()
{
    const cudaError_t error = cudaPeekAtLastError();
    if (error == ndft_error_before) return cudaSuccess;
    ndft_error_before = cudaSuccess;
    return cudaGetLastError();
}

#endif
