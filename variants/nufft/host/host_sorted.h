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

/* Cells, planes or rows of cells along an axis. */
typedef struct ndft_span {
    int64_t first, end;
} ndft_span;

/* Those of a tile, and of the `reach` behind it that its windows end in, in which no tile of an
 * earlier colour has anything: of neighbours the even one is earlier. The last tile's end is held.
 */
static inline ndft_span ndft_own_span(const ndft_sorted *s, int axis, int64_t tile, int64_t reach,
                                      int64_t held)
{
    const int64_t first = tile * s->tile[axis], next = first + s->tile[axis];
    const bool odd = tile % 2, last = tile + 1 == s->tiles[axis];
    return (ndft_span){odd ? first + reach : first, last ? held : odd ? next : next + reach};
}

static inline int64_t ndft_tile_number(const ndft_sorted *s)
{
    return s->tiles[0] * s->tiles[1] * s->tiles[2];
}

/*
 * How threads share sorted samples, whatever their number. Windows of a stripe reach the next one
 * along an axis at most, so that stripes of one colour have no cell in common. A tile is heavy that
 * has 1/256 of the samples, and enough of them for parts that are spread apart.
 */

/* Stripes beside each other along the faster of the slow axes. */
static inline int64_t ndft_stripe_line(const ndft_sorted *s)
{
    return s->tiles[2] > 1 ? s->tiles[1] : s->stripes;
}

/* Of four colours in 3D, else of two. */
static inline int ndft_stripe_colour(const ndft_sorted *s, int64_t stripe)
{
    const int64_t line = ndft_stripe_line(s);
    return (int)(2 * (stripe / line % 2) + stripe % line % 2);
}

/* Those of an earlier colour whose windows have cells in common with a stripe's, and their number.
 */
static inline int ndft_earlier_stripes(const ndft_sorted *s, int64_t stripe, int64_t earlier[8])
{
    const int64_t line = ndft_stripe_line(s), y = stripe % line, z = stripe / line;
    int count = 0;
    for (int64_t iz = z - z % 2; iz <= z + z % 2; iz++)
        for (int64_t iy = y - 1; iy <= y + 1; iy++) {
            const int64_t other = iz * line + iy;
            if (iy < 0 || iy >= line || other >= s->stripes) continue;
            if (ndft_stripe_colour(s, other) < ndft_stripe_colour(s, stripe))
                earlier[count++] = other;
        }
    return count;
}

/* Successive samples of a heavy tile. */
typedef struct ndft_heavy_part {
    int64_t tile, begin, end;
} ndft_heavy_part;

typedef struct ndft_turns {
    int32_t *turn; /* [stripes] queue after queue, of each colour after colour, the longest first */
    int64_t parts; /* of heavy tiles */
    ndft_heavy_part *part; /* [parts] */
    int64_t *first_part;   /* [stripes + 1] of each stripe */
} ndft_turns;

/* begin: [queues] the first stripe of each queue. There are at most most_parts: where these would
 * be more, tiles need more samples to be heavy. False when there is no memory; then nothing stays
 * allocated. */
bool ndft_turns_make(ndft_turns *, const ndft_sorted *, int queues, const int32_t *begin,
                     int64_t most_parts);

void ndft_turns_free(ndft_turns *);

#endif
