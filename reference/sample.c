/* SPDX-License-Identifier: Apache-2.0 */
#include "reference.h"

#include "random.h"

#include <stdlib.h>

/* Which outputs of a problem too large to check in full are checked. */

static const double full_pairs = 0x1p28;
/* Edges are few beside the rest: where rows of an image are as long as tiles, its own edges lie
 * there, at which approximations lose most. */
enum { LEAST = 1024, TILE = 1024, MOST_EDGES = 8 };

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* One output of each of count equal strata. */
static int64_t add_strata(int64_t *list, int64_t length, int64_t count, uint64_t seed)
{
    ndft_random random = {seed};
    for (int64_t i = 0; i < count; i++) {
        int64_t from = (int64_t)((double)length * (double)i / (double)count);
        int64_t to = (int64_t)((double)length * (double)(i + 1) / (double)count);
        list[i] = from + (int64_t)(ndft_uniform(&random) * (double)(to - from));
    }
    return count;
}

/* First, last, and the neighbours of up to MOST_EDGES tile edges spread over the whole length. */
static int64_t add_edges(int64_t *list, int64_t length)
{
    int64_t size = 0, tiles = length / TILE, edges = tiles < MOST_EDGES ? tiles : MOST_EDGES;
    list[size++] = 0;
    list[size++] = length - 1;
    for (int64_t i = 0; i < edges; i++) {
        int64_t edge = (1 + (edges > 1 ? (tiles - 1) * i / (edges - 1) : 0)) * TILE;
        for (int64_t at = edge - 1; at <= edge + 1; at++)
            if (at < length) list[size++] = at;
    }
    return size;
}

static int64_t without_repeats(int64_t *list, int64_t size)
{
    int64_t kept = 0;
    qsort(list, (size_t)size, sizeof *list, ascending);
    for (int64_t i = 0; i < size; i++)
        if (i == 0 || list[i] != list[kept - 1]) list[kept++] = list[i];
    return kept;
}

int64_t ndft_sample_of(int64_t length, double terms, uint64_t seed, int64_t **outputs)
{
    *outputs = NULL;
    if (terms * (double)length <= full_pairs || length <= LEAST) return length;
    int64_t count = (int64_t)(full_pairs / terms);
    if (count < LEAST) count = LEAST;
    int64_t *list = malloc((size_t)(count + 2 + 3 * MOST_EDGES) * sizeof *list);
    if (!list) return length;
    int64_t size = add_strata(list, length, count, seed);
    size += add_edges(list + size, length);
    *outputs = list;
    return without_repeats(list, size);
}

int64_t ndft_sample_outputs(const ndft_problem *p, ndft_op op, uint64_t seed, int64_t **outputs)
{
    double terms = op == NDFT_FORWARD ? (double)p->n_voxels : (double)p->n_samples;
    return ndft_sample_of(ndft_output_length(p, op), terms, seed, outputs);
}
