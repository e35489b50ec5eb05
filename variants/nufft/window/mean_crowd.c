/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

#include "room.h"
#include "window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With how many others a sample shares a cell of the grid, in the mean, and how many cells there
 * are for each where samples are: told by some samples. */

enum { PICKED = 8192, MOST_TILES = 1 << 20, TILINGS = 2, SEEN = 4 };

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
    const int64_t n = p->n_samples < PICKED ? p->n_samples : PICKED;
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

typedef struct tally {
    double squares;  /* sum n^2 over tiles of n samples */
    double occupied; /* tiles */
} tally;

/* Of tiles that begin `shift` of a tile further. */
static tally count_in(const picks *picked, int dim, const int64_t tiles[3], bool few, double shift,
                      filled *table)
{
    tally found = {0, 0};
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

/* Of two tilings, half a tile apart, the more squares and the fewer tiles; -1: no memory. */
static tally count_tiles(const picks *picked, int dim, const int64_t tiles[3])
{
    const int64_t all = tiles[0] * tiles[1] * tiles[2];
    const bool few = all <= SLOTS;
    const size_t bytes = (size_t)(few ? all : SLOTS) * sizeof(filled);
    tally found = {-1, INFINITY};
    filled *table = malloc(bytes);
    for (int t = 0; table && t < TILINGS; t++) {
        memset(table, 0, bytes);
        const tally own = count_in(picked, dim, tiles, few, 0.5 * t, table);
        found.squares = fmax(found.squares, own.squares);
        found.occupied = fmin(found.occupied, own.occupied);
    }
    free(table);
    return found;
}

/* Tiles of `width` cells of an edge, or so many times that where they would be more than `most`. */
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

static bool has_positions(const ndft_problem *p)
{
    for (int d = 0; d < p->dim; d++)
        if (!p->k[d]) return false;
    return true;
}

static double count_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const double of = (double)p->n_samples;
    int64_t tiles[3] = {1, 1, 1};
    tile_grid(p, width, grid, MOST_TILES, 2, tiles);
    picks *own;
    const picks *picked = has_positions(p) ? picks_of(p, &own) : NULL;
    if (!picked) return of;
    const double count = (double)picked->n, squares = count_tiles(picked, p->dim, tiles).squares;
    free(own);
    return squares < 0 ? of : fmin(of, 1 + (squares / count - 1) * of / count);
}

double ndft_nufft_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const ndft_question question = {"mean crowd",
                                    {width, (double)grid[0], (double)grid[1], (double)grid[2]}};
    double mean;
    if (ndft_memo_recall(p, question, &mean, sizeof mean)) return mean;
    mean = count_mean_crowd(p, width, grid);
    ndft_memo_remember(p, question, &mean, sizeof mean);
    return mean;
}

/* Where not all samples are picked tiles are so large that those with samples are seen. */
static double count_room(const ndft_problem *p, int width, const int64_t grid[3])
{
    int64_t tiles[3] = {1, 1, 1};
    picks *own;
    const picks *picked = has_positions(p) ? picks_of(p, &own) : NULL;
    if (!picked) return 0;
    const bool all_seen = picked->n == p->n_samples;
    const double most = all_seen ? MOST_TILES : fmax(1, (double)picked->n / SEEN);
    const double all = tile_grid(p, width, grid, most, 1.2, tiles);
    const double occupied = count_tiles(picked, p->dim, tiles).occupied;
    double cells = 1;
    for (int d = 0; d < p->dim; d++) cells *= (double)grid[d];
    free(own);
    return isfinite(occupied) ? occupied / all * cells / (double)p->n_samples : 0;
}

double ndft_nufft_room(const ndft_problem *p, int width, const int64_t grid[3])
{
    const ndft_question question = {"room",
                                    {width, (double)grid[0], (double)grid[1], (double)grid[2]}};
    double room;
    if (ndft_memo_recall(p, question, &room, sizeof room)) return room;
    room = count_room(p, width, grid);
    ndft_memo_remember(p, question, &room, sizeof room);
    return room;
}

/* Of some samples, whether the next one lies within so many cells along all axes. */
static double count_apart(const ndft_problem *p, const int64_t grid[3])
{
    enum { ASKED = 1024, NEXT = 2 };
    const int64_t pairs = p->n_samples - 1, asked = pairs < ASKED ? pairs : ASKED;
    double apart = 0;
    if (!has_positions(p) || asked < 1) return 1;
    for (int64_t i = 0; i < asked; i++) {
        const int64_t j = i * pairs / asked;
        double most = 0;
        for (int d = 0; d < p->dim; d++) {
            const double step =
                ndft_real_at(p->k[d], p->prec, j + 1) - ndft_real_at(p->k[d], p->prec, j);
            most = fmax(most, fabs(step) * (double)grid[d] / (double)p->n[d]);
        }
        apart += most > NEXT;
    }
    return apart / (double)asked;
}

double ndft_nufft_apart(const ndft_problem *p, const int64_t grid[3])
{
    const ndft_question question = {"apart", {(double)grid[0], (double)grid[1], (double)grid[2]}};
    double apart;
    if (ndft_memo_recall(p, question, &apart, sizeof apart)) return apart;
    apart = count_apart(p, grid);
    ndft_memo_remember(p, question, &apart, sizeof apart);
    return apart;
}
