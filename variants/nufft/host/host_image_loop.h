/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_IMAGE_LOOP_H
#define NDFT_NUFFT_HOST_IMAGE_LOOP_H

#include "core/loop.h"
#include "host_nufft.h"

/*
 * Between the images and the grids. A row is all cells along x of one y and z; lines are
 * NDFT_LINES neighbouring columns of cells along the last axis, in a buffer one after the other.
 */

/* Adds to a row of the period what windows left in the halo. */
NDFT_LOOP_DECLARE(void, nufft_fold_row, (const ndft_host_grid *, void *grid, int64_t y, int64_t z));

/* Zeros the cells of a row that have no voxel, before it is transformed. */
NDFT_LOOP_DECLARE(void, nufft_clear_row, (const ndft_host_grid *, void *row));

/* Repeats a row of the period in the halo. */
NDFT_LOOP_DECLARE(void, nufft_repeat_row,
                  (const ndft_host_grid *, void *grid, int64_t y, int64_t z));

/* Where a buffer's lines lie: cells x .. x + NDFT_LINES - 1 along x and, of three axes, y. */
typedef struct ndft_host_lines {
    int64_t x, y;
    void *memory; /* [coils][NDFT_LINES][cells of the last axis] */
} ndft_host_lines;

/* Copies columns of the grids to lines and back, for who wants the lines' transforms and voxels
 * apart. */
NDFT_LOOP_DECLARE(void, nufft_take_lines, (const ndft_host_job *, const ndft_host_lines *));
NDFT_LOOP_DECLARE(void, nufft_put_lines, (const ndft_host_job *, const ndft_host_lines *));

/* Adjoint: lines to voxels, deapodised, weighted and added up over rank terms. */
NDFT_LOOP_DECLARE(void, nufft_crop, (const ndft_host_job *, const ndft_host_lines *));

/* Forward: voxels to lines, deapodised, weighted, zeros where there are none. */
NDFT_LOOP_DECLARE(void, nufft_pad, (const ndft_host_job *, const ndft_host_lines *));

#endif
