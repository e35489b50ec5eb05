/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TILE_H
#define NDFT_NUFFT_HOST_TILE_H

#include "host_tensor.h"

#include <string.h>

/* Spreading into a tile that stays in the first cache, for the schemes hybrid and output_driven. */

/* Opens tile number i of the grid, with zeros: `before` cells more ahead of each row and `after`
 * rows more along y and z. */
static inline void ndft_open_tile(ndft_batch *b, int64_t i, int64_t before, int64_t after)
{
    const ndft_sorted *s = &b->plan->sorted;
    const ndft_host_grid *grid = &b->plan->grid;
    ndft_cache_tile *t = &b->tile;
    t->before = before;
    t->size = 1;
    for (int d = 0; d < 3; d++) {
        t->origin[d] = i % s->tiles[d] * s->tile[d];
        i /= s->tiles[d];
        const int64_t left = grid->cells[d] - t->origin[d];
        t->extent[d] = left < s->tile[d] ? left : s->tile[d];
        t->step[d] = t->size;
        if (d == 0) t->size = before + s->tile[0] + b->plan->window.row / 2;
        if (d > 0 && d < grid->dim) t->size *= t->extent[d] + after;
    }
    memset(t->cells, 0, (size_t)(b->job->coils * t->size) * 2 * sizeof(ndft_real));
}

/* Of a window's rows from place on, those within 0..extent - 1. */
NDFT_INLINED void ndft_clip(int64_t place, int64_t extent, int *first, int *end)
{
    if (place < 0) *first = (int)-place;
    if (place + *end > extent) *end = (int)(extent - place);
}

/* A batch's samples, column after column, on the tile. clipped: windows may begin before it and,
 * modulo the period, end behind it; rows that it has not are left out. */
NDFT_INLINED void ndft_inner_loop_tile(const ndft_batch *b, const bool clipped, const int vectors)
{
    const ndft_cache_tile *t = &b->tile;
    const ndft_host_nufft *plan = b->plan;
    for (int j = 0; j < b->count; j++) {
        int64_t at = t->before, place[3] = {0, 0, 0};
        for (int d = 0; d < plan->grid.dim; d++) {
            place[d] = b->cell[d][j] - t->origin[d];
            if (clipped && place[d] >= plan->sorted.tile[d]) place[d] -= plan->grid.cells[d];
            at += place[d] * t->step[d];
        }
        ndft_rows rows = ndft_all_rows(plan, t->step);
        if (clipped) {
            ndft_clip(place[1], t->extent[1], &rows.y0, &rows.y1);
            ndft_clip(place[2], t->extent[2], &rows.z0, &rows.z1);
        }
        for (int c = 0; c < b->job->coils; c++)
            ndft_add_sample(ndft_weights_of(b, c), j, t->cells, 2 * (at + c * t->size), rows,
                            vectors);
    }
}

#endif
