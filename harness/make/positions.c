/* SPDX-License-Identifier: Apache-2.0 */
#include "positions.h"

#include "files/cfl.h"
#include "maps.h"

ndft_status ndft_positions_read(const char *path, const ndft_role *role, int dim, int64_t count,
                                ndft_arena *scratch, double *const x[3], int64_t *shot_length,
                                ndft_error *err)
{
    const int columns = ndft_is_cfl(path) ? 3 : dim; /* BART always has three */
    ndft_array a;
    NDFT_TRY(ndft_array_read(path, role, (int64_t[]){count, columns}, 2, scratch, &a, err));
    for (int64_t i = 0; i < count; i++) {
        for (int d = 0; d < columns; d++) {
            double z[2];
            ndft_array_at(&a, i * columns + d, z);
            if (d < dim)
                x[d][i] = z[0];
            else if (z[0] != 0)
                return ndft_fail(err, NDFT_EINVAL, "%s=file:%s: %c = %g at [%lld], beyond %dd",
                                 role->key, path, "xyz"[d], z[0], (long long)i, dim);
        }
    }
    *shot_length = a.shot_length;
    return NDFT_OK;
}

ndft_status ndft_grid_make(const ndft_case *c, ndft_arena *arena, double *x[3], ndft_error *err)
{
    const int64_t size = ndft_grid_size(c);
    int64_t shot_length;
    x[0] = x[1] = x[2] = NULL;
    if (c->grid.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    for (int d = 0; d < c->dim; d++) {
        x[d] = ndft_arena_alloc(arena, "voxel positions", size, sizeof **x, err);
        if (!x[d]) return NDFT_ENOMEM;
    }
    return ndft_positions_read(c->grid.path, &ndft_role_grid, c->dim, size, arena, x, &shot_length,
                               err);
}
