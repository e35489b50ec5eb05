/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_CELLS_CUH
#define NDFT_NUFFT_WINDOW_CELLS_CUH

#include "pipeline_cufft.cuh"

/*
 * Interpolation straight from the grid: a thread has a sample, whose weights it evaluates once for
 * all columns of its share, and reads its cells from the caches, 16 bytes at a time. Samples sorted
 * by small tiles find most of them in the first cache.
 */
ndft_status ndft_nufft_interpolate_cells(const ndft_nufft_cuda *, const ndft_nufft_pass *,
                                         void *out);

#endif
