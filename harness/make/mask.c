/* SPDX-License-Identifier: Apache-2.0 */
#include "files/arrays.h"
#include "maps.h"

/* Inside the ellipse or ball that the grid's sides touch, sum_d (2 x_d / N_d)^2 <= 1; in one
 * dimension that is everything. */
static int in_disk(const ndft_case *c, int64_t at)
{
    int64_t x[3];
    ndft_grid_coord(c, at, x);
    double square = 0;
    for (int d = 0; d < c->dim; d++) {
        double r = 2 * (double)x[d] / (double)c->n[d];
        square += r * r;
    }
    return square <= 1;
}

ndft_status ndft_mask_make(const ndft_case *c, ndft_arena *arena, int32_t **voxel,
                           int64_t *n_voxels, ndft_error *err)
{
    int64_t size = ndft_grid_size(c);
    ndft_array a;
    *voxel = NULL;
    *n_voxels = size;
    if (c->mask.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    if (c->mask.kind == NDFT_SOURCE_FILE)
        NDFT_TRY(ndft_array_read(c->mask.path, &ndft_role_mask,
                                 (int64_t[]){c->n[2], c->n[1], c->n[0]}, 3, arena, &a, err));
    else if (c->mask.kind != NDFT_MASK_DISK)
        return ndft_fail(err, NDFT_EINVAL, "mask: no such mask");

    *voxel = ndft_arena_alloc(arena, "voxels of the mask", size, sizeof **voxel, err);
    if (!*voxel) return NDFT_ENOMEM;
    *n_voxels = 0;
    for (int64_t at = 0; at < size; at++) {
        double z[2] = {0, 0};
        if (c->mask.kind == NDFT_SOURCE_FILE)
            ndft_array_at(&a, at, z);
        else
            z[0] = in_disk(c, at);
        if (z[0] != 0) (*voxel)[(*n_voxels)++] = (int32_t)at;
    }
    if (*n_voxels) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "mask=file:%s: leaves no voxel; at least 1 is needed",
                     c->mask.path);
}
