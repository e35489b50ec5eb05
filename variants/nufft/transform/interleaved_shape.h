/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_SHAPE_H
#define NDFT_NUFFT_INTERLEAVED_SHAPE_H

#include "nufft/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NDFT_LINE_SHARE = 16 }; /* of lines that are powers of two: see convolve/filter_shape.h */

/* The oversampled grid of transforms inside a block (convolve/filter_shape.h): along each axis at
 * least as many cells as before, of a length that such lines have. NDFT_EUNSUPPORTED with a
 * sentence where an axis is longer than the longest, or there are too many cells. */
ndft_status ndft_nufft_fit_lines(ndft_nufft_shape *, ndft_prec, ndft_error *);

#ifdef __cplusplus
}
#endif
#endif
