/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <string.h>

/* Sorted by counting, so that the points of a cell stay in their order. */
ndft_status ndft_places_make(ndft_arena *arena, const int32_t *cell, int64_t points, int64_t cells,
                             ndft_places *places)
{
    void *memory[2];
    NDFT_TRY(ndft_reserve(arena, "cells", ((size_t)cells + 2) * sizeof(int32_t), &memory[0]));
    NDFT_TRY(ndft_reserve(arena, "points of cells", (size_t)points * sizeof(int32_t), &memory[1]));
    int32_t *next = (int32_t *)memory[0] + 1, *order = memory[1];
    memset(memory[0], 0, ((size_t)cells + 2) * sizeof(int32_t));
    for (int64_t i = 0; i < points; i++) next[cell[i] + 1]++;
    for (int64_t c = 0; c < cells; c++) next[c + 1] += next[c];
    for (int64_t i = 0; i < points; i++) order[next[cell[i]]++] = (int32_t)i;
    *places = (ndft_places){points, cells, cell, memory[0], order};
    return NDFT_OK;
}
