/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_GEMM_LOOP_H
#define NDFT_SEPARABLE_GEMM_LOOP_H

#include "core/loop.h"

/*
 * One direction of the operator on a Cartesian grid whose last axis is folded about its middle: the
 * planes at middle + offset[i] and middle - offset[i] are pair i. A plane is all other axes, its
 * columns padded with zeros to whole chunks. Samples of
 * one time, at most `most` of them, are a group.
 */

enum { NDFT_SEPARABLE_ROWS = 32, NDFT_SEPARABLE_CHUNK_BYTES = 128, NDFT_SEPARABLE_BATCH = 32 };
enum { NDFT_SEPARABLE_PAD = 16 }; /* samples are tabulated so many at a time */

typedef struct ndft_time_group {
    int64_t first; /* in the order of times */
    int count;
} ndft_time_group;

typedef struct ndft_separable {
    int axes; /* dimensions */
    int coils, threads;
    int most, groups_of_coils, coils_of_group;
    int planes, pairs, rows; /* length of the folded axis; its pairs; those of one product */
    int64_t width;           /* columns of a plane, padded */
    int64_t strip, strips;   /* chunks of a strip: what one thread takes of the adjoint's planes */
    int64_t groups, plane;   /* plane: columns of a plane of the grid */
    int64_t element, in_coil, out_coil; /* strides in complex elements */

    const int32_t *voxel;         /* of the problem */
    const int64_t *plane_first;   /* [planes + 1] first voxel of each plane */
    const int32_t *order;         /* [samples] by time */
    const ndft_time_group *group; /* [groups] */
    const void *time;         /* ndft_scaled[groups]: what dw is multiplied by; NULL: no field */
    const void *field;        /* [planes][width] dw, 0 where there is decay alone; NULL: neither */
    const void *decay, *when; /* [planes][width] R2*, [groups] t; NULL: no decay */
    const void *at[4];        /* [width] columns' coordinates; of the folded axis, its middle */
    const void *offset;       /* [pairs] of the folded axis */
    const void *point;        /* ndft_scaled[samples], by time */
    const void *high, *rest;  /* [samples + NDFT_SEPARABLE_PAD] of the folded axis, by time */

    void *image, *part; /* [coils][re, im][planes][width] staged; adjoint: total, and of a batch */
    void *work;         /* per thread */
    size_t work_reals;
} ndft_separable;

#endif
