/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MOMENTS_CUDA_CUH
#define NDFT_MOMENTS_CUDA_CUH

#include "moments.h"
#include "stream_cuda.cuh"

namespace ndft_cuda
{

/* What ndft_backend has of moments. */
ndft_status weigh_moments(ndft_exec *, ndft_prec, const ndft_placement *, int weights,
                          const void *w, const void *in, void *out);
ndft_status sum_moments(ndft_exec *, ndft_prec, const ndft_placement *, int weights, const void *a,
                        const void *b, bool add, void *sums);

} // namespace ndft_cuda

#endif
