/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VECTORS_CUDA_CUH
#define NDFT_VECTORS_CUDA_CUH

#include "stream_cuda.cuh"

#include "base/problem.h"

#include <ndft/tensor.h>

namespace ndft_cuda
{

/* What ndft_backend has of these names. */
ndft_status scale(ndft_exec *, ndft_prec, const ndft_tensor *, void *memory, double factor);
ndft_status place(ndft_exec *, ndft_prec, int64_t batch, const int64_t from_n[3], const void *from,
                  const int64_t to_n[3], void *to);
ndft_status multiply(ndft_exec *, ndft_prec, int64_t batch, int64_t n, const void *factors,
                     bool conjugate, void *values);
ndft_status add(ndft_exec *, ndft_prec, int64_t n, const void *x, const void *y, void *sum);
ndft_status weigh(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                  const void *image, void *images);
ndft_status combine(ndft_exec *, ndft_prec, const ndft_placement *, const void *maps,
                    const void *images, void *image);

} // namespace ndft_cuda

#endif
