/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_FFT_CUFFT_CUH
#define NDFT_NUFFT_FFT_CUFFT_CUH

#include "../device.cuh"

/* The Fourier transforms of a chunk of grids by cuFFT, in place, all columns at once, with no
 * factor. The work area is memory of the plan's allocator, so that running only launches. */
typedef struct ndft_fft ndft_fft;

/* Grids [column][z][y][x] of n[0] x n[1] x n[2] cells. */
ndft_status ndft_fft_make(ndft_arrays *, ndft_prec, int dim, const int64_t n[3], int columns,
                          ndft_fft **);

/* sign: that of the exponent. */
ndft_status ndft_fft_run(const ndft_fft *, int sign, void *cells);

void ndft_fft_destroy(ndft_fft *); /* NULL is allowed */

#endif
