/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SCALING_CUDA_CUH
#define NDFT_SCALING_CUDA_CUH

#include "stream_cuda.cuh"

#include <ndft/tensor.h>

namespace ndft_cuda
{

/* ndft_backend's scale. */
ndft_status scale(ndft_exec *, ndft_prec, const ndft_tensor *, void *memory, double factor);

} // namespace ndft_cuda

#endif
