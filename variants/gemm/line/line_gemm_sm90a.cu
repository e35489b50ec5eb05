/* SPDX-License-Identifier: Apache-2.0 */
#include "line_adjoint_wgmma.cuh"
#include "line_forward_wgmma.cuh"
#include "line_kernels.cuh"

/* The kernels of line_gemm for compute capability 9.0a, whose instructions no other has. */

ndft_line_forward_kernel ndft_line_forward_sm90a()
{
    return {ndft_line_forward_wgmma<5>, 1, 1, ndft_forward_wgmma::STEP};
}

ndft_line_adjoint_kernel ndft_line_adjoint_sm90a()
{
    return {ndft_line_adjoint_wgmma<5>, ndft_fold_lines_wgmma, ndft_adjoint_wgmma::tile::WORDS, 1};
}
