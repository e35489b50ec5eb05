/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_SHAPE_H
#define NDFT_NUFFT_INTERLEAVED_SHAPE_H

#include "nufft/cuda_cost.h"
#include "nufft/shape.h"

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The lanes of interleaved grids: columns whose cells lie side by side. A group has some coils of
 * some terms, powers of two; lanes beyond the last coil or term hold zeros.
 *
 *     lane  = coil % coils + coils * (term % terms)
 *     group = coil / coils + coil_groups * (term / terms)
 */
typedef struct ndft_nufft_lanes {
    int coils, terms; /* of a group */
    int coil_groups, term_groups;
    int count, groups; /* lanes of a group; groups */
} ndft_nufft_lanes;

/* Columns that share 16 bytes, and those that share 64: at least and at most so many lanes. */
static inline int ndft_nufft_least_lanes(ndft_prec prec) { return prec == NDFT_F32 ? 2 : 1; }
static inline int ndft_nufft_most_lanes(ndft_prec prec) { return prec == NDFT_F32 ? 8 : 4; }

/* For so many coils and terms the lanes, from `least` to `most`, with which a pass takes least. */
ndft_nufft_lanes ndft_nufft_lanes_of(int coils, int terms, int least, int most);

/* Lengths of lines that CUDA's compiler knows, in f32. */
#define NDFT_USUAL_LINES                                                                           \
    64, 80, 96, 128, 144, 160, 192, 256, 288, 320, 400, 512, 576, 640, 800, 1024

enum { NDFT_LINE_SHARE = 16 }; /* of lines that are powers of two: see convolve/filter_shape.h */

/* The oversampled grid of transforms inside a block (convolve/filter_shape.h): along each axis at
 * least as many cells as before, of a length that such lines have. NDFT_EUNSUPPORTED with a
 * sentence where an axis is longer than the longest, or there are too many cells. */
ndft_status ndft_nufft_fit_lines(ndft_nufft_shape *, ndft_prec, ndft_error *);

/* What transforms inside blocks of so many columns do, weighed, lines of voxels alone; of a shape
 * that ndft_nufft_fit_lines made. */
ndft_cost ndft_nufft_lines_cost(const ndft_nufft_work *, double columns);

/* What an execution with interleaved grids does (interpolate_interleaved.cu,
 * spread_interleaved.cu), of a shape that ndft_nufft_fit_lines made; lanes without a column are
 * worked on as well. */
ndft_cost ndft_nufft_interleaved_cost(const ndft_nufft_work *, const ndft_nufft_lanes *);

#ifdef __cplusplus
}
#endif
#endif
