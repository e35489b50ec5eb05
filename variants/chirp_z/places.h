/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_PLACES_H
#define NDFT_CHIRP_Z_PLACES_H

#include "core/arena.h"

#include <ndft/problem.h>

/* Points of a list, each in a cell of an array; several may be in one. */
typedef struct ndft_places {
    int64_t points, cells;
    const int32_t *cell;  /* [points] */
    const int32_t *first; /* [cells + 1] where the points of each cell begin in order */
    const int32_t *order; /* [points] */
} ndft_places;

/* cell is kept, and belongs to the arena as the rest does. */
ndft_status ndft_places_make(ndft_arena *, const int32_t *cell, int64_t points, int64_t cells,
                             ndft_places *);

#endif
