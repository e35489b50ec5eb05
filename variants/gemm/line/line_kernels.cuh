/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_KERNELS_CUH
#define NDFT_LINE_KERNELS_CUH

#include "line_tile.cuh"

/* The kernels of line_gemm's adjoint; fold: of its data, a block of fold_threads for each piece and
 * coil. */
struct ndft_line_adjoint_kernels {
    void (*run)(ndft_line_side, ndft_complex<float> *);
    void (*fold)(ndft_line_side, const ndft_complex<float> *);
    int fold_threads;
};

/* Of line_gemm_sm90a.cu, for compute capability 9.0: of pieces of 512 samples and one coil. */
ndft_line_adjoint_kernels ndft_line_adjoint_sm90a();

#endif
