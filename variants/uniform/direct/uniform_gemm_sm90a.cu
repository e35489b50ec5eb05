/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch.cuh"
#include "gemm_wgmma_kernel.cuh"

/* The kernels of uniform_gemm for compute capability 9.0a, whose instructions no other has. */

ndft_wgmma_kernel ndft_wgmma_choose(int domain, int steps)
{
    return ndft_choose<NDFT_C2C, NDFT_R2C, NDFT_C2R>(domain, [steps](auto d) {
        return ndft_choose<2, 3, 4>(steps, [](auto count) -> ndft_wgmma_kernel {
            return ndft_multiply_wgmma<decltype(d)::value, decltype(count)::value>;
        });
    });
}

ndft_status ndft_wgmma_build(ndft_exec *exec, const ndft_pass &pass, int steps, uint4 *matrix)
{
    const int entries = ndft_wgmma_matrix(steps) / (int)sizeof(__half);
    ndft_build_wgmma<<<ndft_blocks(entries, 128), 128, 0, ndft_stream(exec)>>>(
        (int)pass.length, pass.sign, steps, pass.domain == NDFT_C2R ? 2 : 1, (__half *)matrix);
    NDFT_TRY(ndft_launched(exec, "the folded DFT matrices"));
    return ndft_checked(exec, cudaStreamSynchronize(ndft_stream(exec)), "the folded DFT matrices");
}
