/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PICKS_H
#define NDFT_NUFFT_PICKS_H

#include "base/problem.h"

/* What some samples tell of where all of them lie. */

enum { NDFT_PICKED = 8192, NDFT_MOST_TILES = 1 << 20 };

typedef struct ndft_tally {
    double picked;   /* samples; 0: it is not known where they are */
    double tiles;    /* of the grid */
    double squares;  /* sum n^2 over tiles of n samples */
    double occupied; /* tiles with samples */
} ndft_tally;

/* In tiles of `width` cells of an edge, or of the first edge, each `grow` times the one before, of
 * which there are at most so many. */
ndft_tally ndft_tally_of(const ndft_problem *, int width, const int64_t grid[3], double most,
                         double grow);

bool ndft_has_positions(const ndft_problem *);

/* What is counted of a grid, once for a problem. */
typedef double ndft_grid_count(const ndft_problem *, int width, const int64_t grid[3]);
double ndft_counted_once(const ndft_problem *, const char *name, ndft_grid_count *, int width,
                         const int64_t grid[3]);

#endif
