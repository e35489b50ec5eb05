/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_KERNELS_CUH
#define NDFT_LINE_KERNELS_CUH

#include "line_tile.cuh"

/* The kernels of line_gemm as a plan launches them. */

/* A block has `pieces` of one coil, or one piece of `coils`, and takes `step` voxels at a time. */
struct ndft_line_forward_kernel {
    void (*run)(ndft_line_side, const ndft_complex<float> *, ndft_complex<float> *);
    int coils, pieces, step;
};

/* fold: of its data, a block of fold_threads for each piece and coil. */
struct ndft_line_adjoint_kernel {
    void (*run)(ndft_line_side, ndft_complex<float> *);
    void (*fold)(ndft_line_side, const ndft_complex<float> *);
    int fold_threads, coils;
};

/* Of line_gemm_sm90a.cu, for compute capability 9.0: of pieces of 512 samples and one coil. */
ndft_line_forward_kernel ndft_line_forward_sm90a();
ndft_line_adjoint_kernel ndft_line_adjoint_sm90a();

#endif
