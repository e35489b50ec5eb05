/* SPDX-License-Identifier: Apache-2.0 */
#include "line_adjoint_wgmma.cuh"
#include "line_kernels.cuh"

/* The kernels of line_gemm for compute capability 9.0a, whose instructions no other has. */

ndft_line_adjoint_kernels ndft_line_adjoint_sm90a()
{
    return {ndft_line_adjoint_wgmma, ndft_fold_lines_wgmma, ndft_adjoint_wgmma::tile::WORDS};
}
