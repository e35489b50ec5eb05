/* SPDX-License-Identifier: Apache-2.0 */
#include "sort.h"

#include <stdlib.h>

ndft_sorted ndft_sorted_of(int dim, const int64_t cells[3], const int64_t tile[3])
{
    ndft_sorted s = {.tile = {1, 1, 1}, .tiles = {1, 1, 1}};
    for (int d = 0; d < dim; d++) {
        s.tile[d] = tile[d];
        s.tiles[d] = (cells[d] + tile[d] - 1) / tile[d];
    }
    s.stripes = s.tiles[dim - 1];
    s.per_stripe = ndft_tile_number(&s) / s.stripes;
    return s;
}

static int64_t tile_of(const ndft_sorted *s, int dim, int64_t j, const int32_t *const first[3])
{
    int64_t number = 0;
    for (int d = dim - 1; d >= 0; d--) number = number * s->tiles[d] + first[d][j] / s->tile[d];
    return number;
}

bool ndft_sort(ndft_sorted *s, int dim, int64_t samples, const int32_t *const first[3])
{
    const int64_t tiles = ndft_tile_number(s);
    s->start = calloc((size_t)tiles + 2, sizeof *s->start);
    s->order = malloc((size_t)samples * sizeof *s->order);
    if (!s->start || !s->order) {
        ndft_sorted_free(s);
        return false;
    }
    /* Counts lie two places on, so that placing moves them to where they belong. */
    int64_t *next = s->start + 1;
    for (int64_t j = 0; j < samples; j++) next[tile_of(s, dim, j, first) + 1]++;
    for (int64_t t = 0; t < tiles; t++) next[t + 1] += next[t];
    for (int64_t j = 0; j < samples; j++) s->order[next[tile_of(s, dim, j, first)]++] = (int32_t)j;
    return true;
}

void ndft_sorted_free(ndft_sorted *s)
{
    free(s->start);
    free(s->order);
    s->start = NULL;
    s->order = NULL;
}
