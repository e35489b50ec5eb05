/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAPS_H
#define NDFT_MAPS_H

#include "case/case.h"
#include "files/arena.h"

/*
 * What a case says of its voxels, on the whole grid in double; a mask is applied afterwards, so
 * that it changes no value. All memory comes from the arena.
 */

/* Off-resonance, *dw[grid] in rad/s; NULL for field=none. */
ndft_status ndft_field_make(const ndft_case *, ndft_arena *, double **dw, ndft_error *);

/* R2*, *rate[grid] in 1/s, nowhere negative; NULL for decay=none. */
ndft_status ndft_decay_make(const ndft_case *, ndft_arena *, double **rate, ndft_error *);

/* The field's gradient, g[d][grid] in Hz/voxel; NULL for grad=none and beyond dim. dw: the case's
 * field. */
ndft_status ndft_gradient_make(const ndft_case *, const double *dw, ndft_arena *, double *g[3],
                               ndft_error *);

/* The voxels in use: *voxel[*n_voxels] grid indices, ascending; NULL for mask=none. */
ndft_status ndft_mask_make(const ndft_case *, ndft_arena *, int32_t **voxel, int64_t *n_voxels,
                           ndft_error *);

static inline int64_t ndft_grid_size(const ndft_case *c) { return c->n[0] * c->n[1] * c->n[2]; }

/* Centred integer coordinates of a grid index. */
static inline void ndft_grid_coord(const ndft_case *c, int64_t at, int64_t x[3])
{
    for (int d = 0; d < 3; at /= c->n[d++]) x[d] = at % c->n[d] - c->n[d] / 2;
}

#endif
