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

/* Of those of a lone plane, in f32: 768 cells, 800 of ndft_nufft_fit_lines, take a tenth more of
 * both transforms. */
#define NDFT_PLANE_LINES NDFT_USUAL_LINES, NDFT_PLANE_LINE
enum { NDFT_PLANE_LINE = 768 };

/* ndft_nufft_fit_lines for planar grids. */
ndft_status ndft_nufft_planar_fit(ndft_nufft_shape *, ndft_prec, ndft_error *);

/* NULL, or why a grid cannot have the latter: an axis longer than the longest line. */
const char *ndft_nufft_lines_unsupported(const ndft_problem *, const int *knobs);

/* Whether the knob takes the latter for a problem's grid, auto by rule. */
bool ndft_nufft_planar_takes_own(const ndft_problem *, const ndft_nufft_shape *, const int *knobs);

#ifdef __cplusplus
}
#endif
#endif
