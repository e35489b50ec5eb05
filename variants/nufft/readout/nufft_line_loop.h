/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LINE_LOOP_H
#define NDFT_NUFFT_LINE_LOOP_H

#include "core/loop.h"
#include "phase/centre.h"

/*
 * One direction of the operator along uniform lines. Voxels come in tiles, padded with zeros to
 * whole ones. A window is a row of NDFT_LINE_WIDEST cells, real and imaginary parts side by side,
 * with weights of zero beyond its width.
 */

enum { NDFT_LINE_TILE = 64, NDFT_LINE_WIDEST_F32 = 8, NDFT_LINE_WIDEST_F64 = 16 };
enum { NDFT_LINE_TOGETHER = 4 }; /* grids a thread spreads onto: of coils, or in turns */

typedef struct ndft_line_piece {
    int64_t first; /* sample */
    int length;
    int before;       /* places of the piece that come before it */
    ndft_centre step; /* from sample to sample, in turns per unit of each voxel coordinate */
} ndft_line_piece;

typedef struct ndft_line_sums {
    int axes; /* coordinates of the phase, 1..4 */
    int coils, threads;
    int cells, width, degree;
    int samples, middle;                /* of a piece; the sample at x = 0 */
    int64_t lines, voxels, padded;      /* pieces; padded: whole tiles */
    int64_t element, in_coil, out_coil; /* strides in complex elements */

    const void *voxel_at[4]; /* [padded] x or dw, exact */
    const ndft_line_piece *line;
    const void *middles; /* ndft_scaled[lines]: at x = 0 */
    const void *poly;    /* [degree + 1][widest][2], each coefficient twice */
    const void *scale;   /* [samples] 1/hat */

    void (*transform)(const void *fft, void *grid); /* in place */
    const void *fft;
    void *grids; /* adjoint: [coils][lines][room] */
    void *work;  /* per thread */
    size_t work_reals;
} ndft_line_sums;

/* Complex cells that a grid takes with the windows that reach over its ends. */
static inline int64_t ndft_line_room(const ndft_line_sums *s)
{
    return (s->cells + 2 * NDFT_LINE_WIDEST_F64 + 7) / 8 * 8;
}

/* sums: ndft_line_sums; in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, nufft_line_forward, (const void *sums, const void *in, void *out));
NDFT_LOOP_DECLARE(void, nufft_line_adjoint, (const void *sums, const void *in, void *out));

#endif
