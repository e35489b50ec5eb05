/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LARGEST_CUDA_CUH
#define NDFT_LARGEST_CUDA_CUH

#include "backend.h"
#include "stream_cuda.cuh"

namespace ndft_cuda
{

/* What ndft_backend has of this name. */
ndft_status largest(ndft_exec *, ndft_prec, int n, const void *const of[], int64_t count,
                    double *most);

} // namespace ndft_cuda

#endif
