/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_FFT_CUH
#define NDFT_NUFFT_PLANAR_FFT_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * The Fourier transforms of planar grids inside blocks (planar_lines.cuh), a kernel for each axis,
 * in place of padding, cuFFT and cropping: zeros are neither written nor read, and few columns,
 * which wait for launches and latencies, have few kernels, each of which begins as the one before
 * ends (early.cuh), not earlier, for blocks would crowd where there is room.
 *
 *     forward   rows of voxels: weighed, transformed along x; then along y and z, whole lines of
 *               which only voxels are read
 *     adjoint   lines along z and y, of which only voxels are written; rows of voxels: transformed
 *               along x, weighed
 *
 * Lines of usual lengths in f32 have kernels of their own where all voxels are in use, weighed by
 * deapodisation alone, as have long ones of one dimension in either precision (planar_cluster.cuh);
 * all others are those of interleaved grids of one lane (interleaved_fft.cuh), which sum terms, and
 * coils of maps, as they write the image.
 *
 * Samples are spread to cells that must be zero before. Where lines are few these are sums beside
 * the grid: the first kernel that reads a sum leaves zero, so that nothing is zeroed by itself, and
 * the other axes are transformed in the grid.
 */

struct ndft_nufft_planar;

/* Of a shape that ndft_nufft_fit_lines made. Sets the grid's strides, for cells that are reserved;
 * sums of a stage that adds. */
ndft_status ndft_nufft_planar_make(ndft_nufft_plan *, bool sums, ndft_nufft_planar **);
void ndft_nufft_planar_destroy(ndft_nufft_planar *);

/* Lets the kernels of any lines run, which serve where those of known lines do not: with coil maps,
 * which may come later. */
ndft_status ndft_nufft_planar_allow_any(const ndft_nufft_plan *, const ndft_nufft_planar *);

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
