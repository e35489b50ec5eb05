/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TILE_H
#define NDFT_NUFFT_HOST_TILE_H

#include "host_tensor.h"

#include <string.h>

/* Spreading into a tile that stays in the first cache, schemes hybrid and output_driven. */

/* Tile number i of the grid; `around` cells are kept before its rows and around cells follow it
 * along every axis, or `beyond` its rows alone. */
static inline void ndft_open_tile(ndft_batch *b, int64_t i, int64_t before, int64_t after)
{
    const ndft_sorted *s = &b->plan->sorted;
    const ndft_host_grid *grid = &b->plan->grid;
    ndft_cache_tile *t = &b->tile;
    t->before = before;
    t->size = 1;
    for (int d = 0; d < 3; d++) {
        const int64_t left = grid->cells[d] - i % s->tiles[d] * s->tile[d];
        t->origin[d] = i % s->tiles[d] * s->tile[d];
        t->extent[d] = left < s->tile[d] ? left : s->tile[d];
        i /= s->tiles[d];
        t->step[d] = t->size;
        t->size *= d == 0           ? before + s->tile[0] + b->plan->window.row / 2
                   : d < grid->dim ? t->extent[d] + after
                                    : 1;
    }
    memset(t->cells, 0, (size_t)(b->job->coils * t->size) * 2 * sizeof(ndft_real));
}

/* A batch's samples, column after column, on the tile; rows that it has not are left out. */
NDFT_INLINED void ndft_walk_tile(const ndft_batch *b, const bool clipped, const int width,
                                 const int dim)
{
    const ndft_cache_tile *t = &b->tile;
    const ndft_host_nufft *plan = b->plan;
    for (int c = 0; c < b->job->coils; c++) {
        ndft_real *cells = t->cells + 2 * (c * t->size + t->before);
        for (int j = 0; j < b->count; j++) {
            ndft_rows rows = {.y_step = 2 * t->step[1], .z_step = 2 * t->step[2]};
            int64_t at = 0, place[3] = {0, 0, 0};
            for (int d = 0; d < dim; d++) {
                place[d] = plan->first[d][b->first + j] - t->origin[d];
                if (clipped && place[d] >= plan->sorted.tile[d]) place[d] -= plan->grid.cells[d];
                at += place[d] * t->step[d];
            }
            rows.y1 = dim > 1 ? width : 1;
            rows.z1 = dim > 2 ? width : 1;
            if (clipped && dim > 1) ndft_clip(place[1], t->extent[1], &rows.y0, &rows.y1);
            if (clipped && dim > 2) ndft_clip(place[2], t->extent[2], &rows.z0, &rows.z1);
            ndft_add_sample(b, j, c, cells, 2 * at, rows, width, dim);
        }
    }
}

#endif
