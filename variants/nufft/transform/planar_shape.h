/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PLANAR_SHAPE_H
#define NDFT_NUFFT_PLANAR_SHAPE_H

#include "interleaved_shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which transforms planar grids have: cuFFT's, or those inside a block of planar_fft.cuh. */

/* Cells of the lines of one dimension that planar_cluster.cuh has, of those that
 * ndft_nufft_fit_lines gives. */
#define NDFT_CLUSTER_LINES 2048, 4096, 6400, 8192

/* NULL, or why a grid cannot have the latter: an axis longer than the longest line. */
const char *ndft_nufft_lines_unsupported(const ndft_problem *, const int *knobs);

/* Whether the knob takes the latter for a problem's grid, auto by rule. */
bool ndft_nufft_planar_takes_own(const ndft_problem *, const ndft_nufft_shape *, const int *knobs);

#ifdef __cplusplus
}
#endif
#endif
