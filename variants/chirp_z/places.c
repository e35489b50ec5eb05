/* SPDX-License-Identifier: Apache-2.0 */
#include "places.h"

#include <string.h>

/* By counting, so that the points of a cell stay in their order. */
void ndft_places_sort(const int32_t *cell, int64_t points, int64_t cells, int32_t *first,
                      int32_t *order)
{
    int32_t *next = first + 1;
    memset(first, 0, ((size_t)cells + 2) * sizeof *first);
    for (int64_t i = 0; i < points; i++) next[cell[i] + 1]++;
    for (int64_t c = 0; c < cells; c++) next[c + 1] += next[c];
    for (int64_t i = 0; i < points; i++) order[next[cell[i]]++] = (int32_t)i;
}
