/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DESCRIBE_CUDA_CUH
#define NDFT_DESCRIBE_CUDA_CUH

#include "base/exec.h"

#include <cuda_runtime.h>

namespace ndft_cuda
{

/* What is known of a device, which the thread uses. */
void describe(int index, const cudaDeviceProp &, ndft_device *);

} // namespace ndft_cuda

#endif
