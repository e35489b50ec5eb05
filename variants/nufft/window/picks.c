/* SPDX-License-Identifier: Apache-2.0 */
#include "picks.h"

#include "base/memo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILINGS = 2 };

/* Where some samples lie: periods of each axis, of 2^32 to one. */
typedef struct picks {
    int64_t n;
    uint32_t at[][3];
} picks;

static uint32_t part_of(double turns)
{
    const double scaled = turns * 0x1p32 + (turns < 0 ? -0.5 : 0.5);
    return fabs(turns) < 0x1p30 ? (uint32_t)(int64_t)scaled : 0;
}

/* One sample of each run of equal length, wherever in it; NULL: no memory. */
static picks *pick(const ndft_problem *p)
{
    const int64_t n = p->n_samples < NDFT_PICKED ? p->n_samples : NDFT_PICKED;
    picks *picked = calloc(1, sizeof *picked + (size_t)n * sizeof *picked->at);
    if (!picked) return NULL;
    picked->n = n;
    for (int64_t i = 0, first = 0; i < n; i++) {
        const int64_t next = (i + 1) * p->n_samples / n;
        const uint64_t within = (uint32_t)i * 2654435761u;
        const int64_t j = first + (int64_t)((uint64_t)(next - first) * within >> 32);
        for (int d = 0; d < p->dim; d++)
            picked->at[i][d] = part_of(ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d]);
        first = next;
    }
    return picked;
}

/* The problem's, if it can keep them, else the caller's, who frees them; NULL: no memory. */
static const picks *picks_of(const ndft_problem *p, picks **own)
{
    const ndft_question question = {"picks", {0}};
    picks *picked = ndft_memo_kept(p, question);
    *own = NULL;
    if (picked) return picked;
    picked = pick(p);
    if (picked && !ndft_memo_keep(p, question, picked, free)) *own = picked;
    return picked;
}

/* How many samples there are in tiles: each has its slot where they are few, else those that have
 * samples find one by open addressing. */
typedef struct filled {
    uint32_t tile, count; /* 0: free */
} filled;

enum { SLOT_BITS = 14, SLOTS = 1 << SLOT_BITS }; /* twice as many as are picked */

static uint32_t add_to(filled *table, bool few, uint32_t tile)
{
    uint32_t slot = few ? tile : (tile * 2654435761u) >> (32 - SLOT_BITS);
    while (table[slot].count && table[slot].tile != tile) slot = (slot + 1) % SLOTS;
    table[slot].tile = tile;
    return table[slot].count++;
}

/* Of tiles that begin `shift` of a tile further. */
static ndft_tally count_in(const picks *picked, int dim, const int64_t tiles[3], bool few,
                           double shift, filled *table)
{
    ndft_tally found = {0};
    uint32_t offset[3];
    for (int d = 0; d < dim; d++) offset[d] = part_of(shift / (double)tiles[d]);
    for (int64_t i = 0; i < picked->n; i++) {
        uint64_t tile = 0;
        for (int d = dim - 1; d >= 0; d--) {
            const uint32_t at = picked->at[i][d] + offset[d];
            tile = tile * (uint64_t)tiles[d] + ((uint64_t)at * (uint64_t)tiles[d] >> 32);
        }
        const uint32_t before = add_to(table, few, (uint32_t)tile);
        found.squares += 2.0 * before + 1;
        found.occupied += before == 0;
    }
    return found;
}

/* Of two tilings, half a tile apart, the more squares and the fewer tiles; none: no memory. */
static ndft_tally count_tiles(const picks *picked, int dim, const int64_t tiles[3])
{
    const int64_t all = tiles[0] * tiles[1] * tiles[2];
    const bool few = all <= SLOTS;
    const size_t bytes = (size_t)(few ? all : SLOTS) * sizeof(filled);
    ndft_tally found = {.occupied = INFINITY};
    filled *table = malloc(bytes);
    for (int t = 0; table && t < TILINGS; t++) {
        memset(table, 0, bytes);
        const ndft_tally own = count_in(picked, dim, tiles, few, 0.5 * t, table);
        found.squares = fmax(found.squares, own.squares);
        found.occupied = fmin(found.occupied, own.occupied);
    }
    found.picked = table ? (double)picked->n : 0;
    free(table);
    return found;
}

/* Tiles along axes, and how many there are. */
static double tile_grid(const ndft_problem *p, int width, const int64_t grid[3], double most,
                        double grow, int64_t tiles[3])
{
    double all = INFINITY;
    for (double edge = width; all > most; edge = ceil(edge * grow)) {
        all = 1;
        for (int d = 0; d < p->dim; d++)
            all *= (double)(tiles[d] = (double)grid[d] > edge ? grid[d] / (int64_t)edge : 1);
    }
    return all;
}

bool ndft_has_positions(const ndft_problem *p)
{
    for (int d = 0; d < p->dim; d++)
        if (!p->k[d]) return false;
    return true;
}

ndft_tally ndft_tally_of(const ndft_problem *p, int width, const int64_t grid[3], double most,
                         double grow)
{
    const ndft_tally unknown = {0};
    int64_t tiles[3] = {1, 1, 1};
    picks *own;
    const picks *picked = ndft_has_positions(p) ? picks_of(p, &own) : NULL;
    if (!picked) return unknown;
    const double all = tile_grid(p, width, grid, most, grow, tiles);
    ndft_tally found = count_tiles(picked, p->dim, tiles);
    found.tiles = all;
    free(own);
    return found;
}

double ndft_counted_once(const ndft_problem *p, const char *name, ndft_grid_count *count, int width,
                         const int64_t grid[3])
{
    const ndft_question question = {name,
                                    {width, (double)grid[0], (double)grid[1], (double)grid[2]}};
    double counted;
    if (ndft_memo_recall(p, question, &counted, sizeof counted)) return counted;
    counted = count(p, width, grid);
    ndft_memo_remember(p, question, &counted, sizeof counted);
    return counted;
}
