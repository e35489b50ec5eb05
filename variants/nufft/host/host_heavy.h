/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_HEAVY_H
#define NDFT_NUFFT_HOST_HEAVY_H

#include "host_tensor.h"

/* Heavy tiles: parts of their samples are spread to grids of their own, which the thread of the
 * tile's stripe adds to the grid. */

/* The cell of the grid that is the first of a part's. */
static inline void ndft_heavy_origin(const ndft_batch *b, int64_t part, int64_t origin[3])
{
    const ndft_sorted *s = &b->plan->sorted;
    int64_t tile = b->plan->turns.part[part].tile;
    for (int d = 0; d < 3; d++) {
        origin[d] = tile % s->tiles[d] * s->tile[d];
        tile /= s->tiles[d];
    }
    origin[0] -= origin[0] % NDFT_LINES; /* rows may begin ahead of a window */
}

static inline ndft_real *ndft_heavy_cells(const ndft_batch *b, int64_t part)
{
    return (ndft_real *)b->job->parts + 2 * part * b->job->coils * b->plan->part.size;
}

/* Spreads a part's samples to its grids. */
NDFT_INLINED void ndft_spread_heavy(const ndft_batch *b, int64_t part, ndft_batch_work *spread)
{
    const ndft_host_grid *g = &b->plan->part;
    const ndft_heavy_part *p = &b->plan->turns.part[part];
    int64_t origin[3];
    ndft_heavy_origin(b, part, origin);
    ndft_batch own = *b;
    own.grid = g;
    own.cells = ndft_heavy_cells(b, part);
    for (int d = 0; d < 3; d++) own.origin += origin[d] * g->step[d];
    memset(own.cells, 0, (size_t)(b->job->coils * g->size) * 2 * sizeof(ndft_real));
    ndft_in_batches(&own, p->begin, p->end, spread);
}

/* Rows of a part's grid along an axis that the grid has, too. */
static inline int64_t ndft_heavy_rows(const ndft_batch *b, const int64_t origin[3], int axis)
{
    const int64_t left = b->plan->grid.held[axis] - origin[axis];
    const int64_t held = b->plan->part.held[axis];
    return held < left ? held : left;
}

static inline void ndft_add_heavy(const ndft_batch *b, int64_t part)
{
    const ndft_host_grid *own = &b->plan->part, *grid = b->grid;
    int64_t origin[3], count[3], at = 0;
    ndft_heavy_origin(b, part, origin);
    for (int d = 0; d < 3; d++) {
        at += origin[d] * grid->step[d];
        count[d] = ndft_heavy_rows(b, origin, d);
    }
    for (int c = 0; c < b->job->coils; c++)
        for (int64_t row = 0; row < count[1] * count[2]; row++) {
            const int64_t y = row % count[1], z = row / count[1];
            const ndft_real *restrict from =
                ndft_heavy_cells(b, part) +
                2 * (c * own->size + y * own->step[1] + z * own->step[2]);
            ndft_real *restrict to =
                ndft_coil_grid(b, c) + 2 * (at + y * grid->step[1] + z * grid->step[2]);
#pragma omp simd
            for (int64_t i = 0; i < 2 * count[0]; i++) to[i] += from[i];
        }
}

#endif
