/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_PLACES_H
#define NDFT_CHIRP_Z_PLACES_H

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of a list, each in a cell of an array; several may be in one. */
typedef struct ndft_places {
    int64_t points, cells;
    const int32_t *cell;  /* [points] */
    const int32_t *first; /* [cells + 1] where the points of each cell begin in order */
    const int32_t *order; /* [points] */
} ndft_places;

/* Fills first, [cells + 2], and order from the cells of points. */
void ndft_places_sort(const int32_t *cell, int64_t points, int64_t cells, int32_t *first,
                      int32_t *order);

#ifdef __cplusplus
}
#endif

#endif
