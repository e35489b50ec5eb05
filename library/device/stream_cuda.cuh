/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STREAM_CUDA_CUH
#define NDFT_STREAM_CUDA_CUH

#include "base/exec.h"

#include <cuda_runtime.h>

namespace ndft_cuda
{

inline cudaStream_t stream_of(const ndft_exec *exec)
{
    return static_cast<cudaStream_t>(exec->stream);
}

/* Turns a failed call into a message; clears the error where CUDA lets it be cleared. */
ndft_status check(ndft_exec *, cudaError_t, const char *call);

} // namespace ndft_cuda

#endif
