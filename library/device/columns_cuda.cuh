/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COLUMNS_CUDA_CUH
#define NDFT_COLUMNS_CUDA_CUH

#include "columns.h"
#include "stream_cuda.cuh"

namespace ndft_cuda
{

/* What ndft_backend has of these names. */
ndft_status weigh(ndft_exec *, const ndft_coil_columns *, int weights, const void *w,
                  const void *in, void *out);
ndft_status moments(ndft_exec *, const ndft_coil_columns *, int weights, const void *a,
                    const void *b, bool add, void *sums);

} // namespace ndft_cuda

#endif
