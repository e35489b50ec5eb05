/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_GRID_FFT_CUH
#define NDFT_NUFFT_GRID_FFT_CUH

#include "core/device.cuh"
#include "nufft/image/image.cuh"

/*
 * The Fourier transforms of a chunk of grids by cuFFT, in place, all columns at once, with no
 * factor. The work area is memory of the plan's allocator, so that running only launches.
 *
 * Small chunks are grids one after the other, transformed by one plan. In large ones the outermost
 * axis is outermost of all, columns next: then the other axes are transformed only where that axis
 * has voxels, two ranges of it, for elsewhere the grid is zero before the forward transform, and of
 * no interest after the adjoint one. That saves a quarter of the traffic where voxels fill half of
 * an axis, and strided access is the better for it too.
 */
struct ndft_grid_fft;

/* Of grids of so many cells, n of them voxels along each axis; sets the grid's strides. What is
 * made is for ndft_grid_fft_destroy, after a failure too. */
ndft_status ndft_grid_fft_make(ndft_arrays *, ndft_prec, int dim, const int64_t n[3], int columns,
                               ndft_nufft_grid *, ndft_grid_fft **);

ndft_status ndft_grid_fft_run(const ndft_grid_fft *, int sign, void *cells);

void ndft_grid_fft_destroy(ndft_grid_fft *); /* NULL is allowed */

#endif
