/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_FFT_CUH
#define NDFT_NUFFT_PLANAR_FFT_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * The Fourier transforms of planar grids inside blocks (planar_lines.cuh), a kernel for each axis,
 * in place of padding, cuFFT and cropping. Few columns wait for launches and latencies, not for
 * memory: kernels are few and each begins as the one before ends (early.cuh), not earlier, for
 * blocks would crowd where there is room; and zeros are neither written nor read.
 *
 *     forward   rows of voxels: weighed, transformed along x; then along y and z, whole lines of
 *               which only voxels are read
 *     adjoint   lines along z and y, of which only voxels are written; rows of voxels: transformed
 *               along x, weighed. Several terms, or coils of maps, are summed by crop
 *
 * Samples are spread to sums, cells of their own where these must be zero before: the first kernel
 * that reads a sum leaves zero, so that nothing is zeroed by itself. The other axes are transformed
 * in the plan's grid.
 */

struct ndft_nufft_planar;

/* Of a shape that ndft_nufft_fit_lines made. Sets the grid's strides, for cells that are reserved;
 * sums of a stage that adds. */
ndft_status ndft_nufft_planar_make(ndft_nufft_plan *, bool sums, ndft_nufft_planar **);
void ndft_nufft_planar_destroy(ndft_nufft_planar *);

/* From an image to the transformed grids of a pass. */
ndft_status ndft_nufft_planar_forward(const ndft_nufft_plan *, const ndft_nufft_pass *,
                                      const void *image);

/* Where samples of the adjoint are spread to, zeros: zeroed again if the adjoint before failed
 * between spreading and its end. */
ndft_status ndft_nufft_planar_sums(const ndft_nufft_plan *, void **sums);

/* From there to an image, leaving zeros. */
ndft_status ndft_nufft_planar_adjoint(const ndft_nufft_plan *, const ndft_nufft_pass *,
                                      void *image);

#endif
