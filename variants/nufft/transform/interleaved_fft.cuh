/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_FFT_CUH
#define NDFT_NUFFT_INTERLEAVED_FFT_CUH

#include "convolve/filter_shape.h"
#include "interleaved.cuh"

/*
 * From an image to the transformed, interleaved grids of a pass: along x by a kernel that loads
 * voxels, deapodises and weighs them, so that nothing is padded in memory; then along the other
 * axes in place, lines of voxels alone. Transforms are those of block_fft.cuh.
 */

/* A line's transform: passes, and exp(-2 pi i j/n). */
struct ndft_nufft_line {
    int n;
    ndft_line_passes passes;
    const void *turns;
};

struct ndft_nufft_lines {
    ndft_nufft_line axis[3];
};

ndft_status ndft_nufft_lines_make(ndft_arrays *, ndft_prec, int dim, const int n[3],
                                  ndft_nufft_lines *);

ndft_status ndft_nufft_lines_run(const ndft_nufft_cuda *, const ndft_nufft_lines *,
                                 const ndft_nufft_pass *, const ndft_nufft_lanes &, const void *in);

#endif
