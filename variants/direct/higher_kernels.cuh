/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HIGHER_KERNELS_CUH
#define NDFT_HIGHER_KERNELS_CUH

#include "staged.cuh"

/* tiled.cuda's kernels for a phase of higher order, of few outputs and without gradients and decay;
 * room: of terms (ndft_higher_room). nullptr where there is none. */
ndft_staged_kernel<float> ndft_higher_kernel_f32(int dim, int outputs, int room, bool hardware);
ndft_staged_kernel<double> ndft_higher_kernel_f64(int dim, int outputs, int room);

#endif
