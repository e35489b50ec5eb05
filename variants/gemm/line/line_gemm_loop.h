/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_GEMM_LOOP_H
#define NDFT_LINE_GEMM_LOOP_H

#include "core/loop.h"
#include "phase/centre.h"

/*
 * One direction of the operator over uniform lines. A line is cut into pieces, a piece into blocks
 * of 2 NDFT_LINE_HALF samples that lie symmetrically about their middle. Voxels come in tiles of
 * 256 bytes, padded with zeros to whole tiles.
 */

enum { NDFT_LINE_HALF = 32, NDFT_LINE_BLOCK = 2 * NDFT_LINE_HALF };
enum { NDFT_LINE_TILE_BYTES = 256, NDFT_LINE_SPAN_TILES = 8 };

typedef struct ndft_line_piece {
    int64_t first; /* sample */
    int count;
    ndft_centre half_step; /* between samples, in turns per unit of each voxel coordinate */
} ndft_line_piece;

typedef struct ndft_lines {
    int axes; /* coordinates of the phase, 1..4 */
    int coils, threads;
    int blocks;        /* in a piece, at most */
    int group, groups; /* coils that share generated operands; how many such groups */

    int64_t voxels, padded; /* padded: whole tiles */
    int64_t pieces, samples;
    int64_t element, in_coil, out_coil; /* strides in complex elements */

    const void *voxel_at[4]; /* [padded] x or dw, exact */
    const ndft_line_piece *piece;
    const void *middle; /* ndft_scaled[pieces][blocks]: the blocks' middles */

    void
        *values; /* forward: [coils][re, im][padded]; adjoint: [pieces] folded columns of samples */
    void *work;  /* per thread */
    size_t work_reals;
} ndft_lines;

/* Reals of one coil's folded samples of a piece: columns (re, im) of cosines' and sines' factors.
 */
static inline size_t ndft_line_fold_reals(const ndft_lines *s)
{
    return (size_t)s->blocks * 2 * 2 * NDFT_LINE_HALF;
}

#endif
