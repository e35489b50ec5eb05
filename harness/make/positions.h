/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_POSITIONS_H
#define NDFT_POSITIONS_H

#include "case/case.h"
#include "files/role.h"

/*
 * Reads positions of a file, (count, dim), into x[d][count] as they are. A .cfl file always has
 * three axes, of which those beyond dim have to be 0; shot_length: samples of its shots, 0 of an
 * .npy file. NDFT_EINVAL names the first element that is wrong.
 */
ndft_status ndft_positions_read(const char *path, const ndft_role *role, int dim, int64_t count,
                                ndft_arena *scratch, double *const x[3], int64_t *shot_length,
                                ndft_error *);

/* A case's voxels off the grid, x[d][grid] in voxels from the centre; NULL for grid=none and beyond
 * dim. */
ndft_status ndft_grid_make(const ndft_case *, ndft_arena *, double *x[3], ndft_error *);

#endif
