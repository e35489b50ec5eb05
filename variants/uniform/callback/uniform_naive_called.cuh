/* SPDX-License-Identifier: Apache-2.0 */
#include "callback_access.cuh"
#include "uniform_naive_kernel.cuh"

/* uniform_naive.cuda's kernel for a transform with load or store functions, compiled in plan. */
extern "C" __global__ void ndft_called(ndft_transform t, ndft_called_access access, int64_t outputs,
                                       const ndft_scalar *in, ndft_scalar *out)
{
    const int64_t e = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (e < outputs) naive_output(t, access, e, in, out);
}
