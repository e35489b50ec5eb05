/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_SORTED_H
#define NDFT_NUFFT_HOST_SORTED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Samples by the tile of the grid in which their first cell lies. Tiles are numbered x fastest;
 * within a tile, or a row of it, samples keep their order. A stripe is all tiles of one place on
 * the slowest axis, in 3D of one on the two slowest ones.
 */

typedef struct ndft_sorted {
    int64_t tile[3];    /* cells along each axis */
    int64_t tiles[3];   /* along each axis */
    int64_t stripes;    /* tiles along the slowest axis, in 3D along the two */
    int64_t rows;       /* parts of a tile, a row of cells along x each; 1: it has no parts */
    int64_t per_stripe; /* parts of tiles in a stripe */
    int64_t *start;     /* [parts of tiles + 1] place of each one's first sample in order */
    int32_t *order;     /* [samples] */
} ndft_sorted;

/* The geometry alone. */
ndft_sorted ndft_sorted_of(int dim, const int64_t cells[3], const int64_t tile[3]);

/* In 2D: samples of a tile go row after row, by their first cells. */
void ndft_sort_by_rows(ndft_sorted *);

/* By a counting sort of the first cells, [samples] for each axis. False when there is no memory;
 * then nothing stays allocated. */
bool ndft_sort(ndft_sorted *, int dim, int64_t samples, const int32_t *const first[3], int threads);

void ndft_sorted_free(ndft_sorted *);

static inline int64_t ndft_tile_number(const ndft_sorted *s)
{
    return s->tiles[0] * s->tiles[1] * s->tiles[2];
}

/*
 * How threads share sorted samples, whatever their number. Windows of a stripe reach the next one
 * along an axis at most, so that stripes of one colour have no cell in common. A tile is heavy that
 * has 1/256 of the samples, and enough of them for parts that are spread apart.
 */

/* Successive samples of a heavy tile. */
typedef struct ndft_heavy_part {
    int64_t tile, begin, end;
} ndft_heavy_part;

enum { NDFT_MOST_COLOURS = 4 };

typedef struct ndft_turns {
    int colours;
    int64_t colour[NDFT_MOST_COLOURS + 1]; /* its first place in turn */
    int32_t *turn;                         /* [stripes] colour after colour, the longest first */
    int64_t parts;                         /* of heavy tiles */
    ndft_heavy_part *part;                 /* [parts] */
    int64_t *first_part;                   /* [stripes + 1] of each stripe */
} ndft_turns;

/* There are at most most_parts: where these would be more, tiles need more samples to be heavy.
 * False when there is no memory; then nothing stays allocated. */
bool ndft_turns_make(ndft_turns *, const ndft_sorted *, int dim, int64_t most_parts);

void ndft_turns_free(ndft_turns *);

#endif
