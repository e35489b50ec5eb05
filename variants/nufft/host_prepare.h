/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_PREPARE_H
#define NDFT_NUFFT_HOST_PREPARE_H

#include "arena.h"
#include "host_nufft.h"

/* How a scheme on a CPU wants its samples. */
typedef enum ndft_host_order {
    NDFT_HOST_SORTED, /* by tile */
    NDFT_HOST_RUNS,   /* as they come, and for each tile runs of them */
} ndft_host_order;

typedef struct ndft_host_recipe {
    ndft_host_order order;
    int tile;  /* cells along an axis, 0: by dimension and width */
    int batch; /* samples whose weights are evaluated together, a multiple of 16 */
} ndft_host_recipe;

enum { NDFT_HOST_MOST_TILE = 4096 };

/* Cells of a tile's side: the recipe's, or one that keeps a tile in the first cache. */
int ndft_host_tile(const ndft_host_recipe *, int dim);

/* Fills what loops read: grid, window, samples, voxels and, where there is a field map, its rank
 * terms. Arrays belong to the arena, but for those that ndft_host_unprepare frees, on failure too.
 */
ndft_status ndft_host_prepare(ndft_arena *, const ndft_problem *, const int *knobs,
                              const ndft_host_recipe *, ndft_host_nufft *);

void ndft_host_unprepare(ndft_host_nufft *);

#endif
