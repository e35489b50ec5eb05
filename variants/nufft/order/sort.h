/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SORT_H
#define NDFT_NUFFT_SORT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Samples by the tile of the grid in which their first cell lies. Tiles are numbered x fastest;
 * within a tile samples keep their order. A stripe is all tiles of one place on the slowest axis.
 */

typedef struct ndft_sorted {
    int64_t tile[3];    /* cells along each axis */
    int64_t tiles[3];   /* along each axis */
    int64_t stripes;    /* tiles along the slowest axis */
    int64_t per_stripe; /* tiles of a stripe */
    int64_t *start;     /* [tiles + 1] place of each tile's first sample in order */
    int32_t *order;     /* [samples] */
} ndft_sorted;

/* The geometry alone. */
ndft_sorted ndft_sorted_of(int dim, const int64_t cells[3], const int64_t tile[3]);

/* By a counting sort of the first cells, [samples] for each axis. False when there is no memory;
 * then nothing stays allocated. */
bool ndft_sort(ndft_sorted *, int dim, int64_t samples, const int32_t *const first[3]);

void ndft_sorted_free(ndft_sorted *);

static inline int64_t ndft_tile_number(const ndft_sorted *s)
{
    return s->tiles[0] * s->tiles[1] * s->tiles[2];
}

/*
 * For each tile of the grid the samples whose windows reach into it, as runs of successive samples:
 * along a trajectory neighbours mostly reach into the same tiles, so runs are far fewer than
 * samples (Sorensen et al., IEEE Trans. Med. Imaging 27 (2008) 538, section III).
 */

typedef struct ndft_run {
    int32_t first, count;
} ndft_run;

typedef struct ndft_runs {
    int64_t *start; /* [tiles + 1] each tile's first run */
    ndft_run *run;  /* tile after tile, samples ascending in each */
} ndft_runs;

/* first: [samples] for each axis, the first of width cells, which end modulo cells. False when
 * there is no memory; then nothing stays allocated. */
bool ndft_runs_make(ndft_runs *, const ndft_sorted *tiles, int dim, const int64_t cells[3],
                    int width, int64_t samples, const int32_t *const first[3]);

void ndft_runs_free(ndft_runs *);

#endif
