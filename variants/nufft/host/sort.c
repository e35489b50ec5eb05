/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"

#include "nufft/window/window.h"

#include <stdlib.h>

ndft_sorted ndft_sorted_of(int dim, const int64_t cells[3], const int64_t tile[3])
{
    ndft_sorted s = {.tile = {1, 1, 1}, .tiles = {1, 1, 1}, .rows = 1};
    for (int d = 0; d < dim; d++) {
        s.tile[d] = tile[d];
        s.tiles[d] = (cells[d] + tile[d] - 1) / tile[d];
    }
    s.stripes = dim == 3 ? s.tiles[1] * s.tiles[2] : s.tiles[dim - 1];
    s.per_stripe = ndft_tile_number(&s) / s.stripes;
    return s;
}

void ndft_sort_by_rows(ndft_sorted *s)
{
    s->rows = s->tile[1];
    s->per_stripe *= s->rows;
}

/* What a cell along an axis adds to the number of its part of a tile. */
typedef struct cell_number {
    double tiles; /* of a cell */
    int32_t of_tile, of_cell;
} cell_number;

/* Without a division, which would be most of a sort: below 2^31 no tile is missed by rounding. */
static inline int32_t number_of(cell_number n, int32_t cell)
{
    return (int32_t)((cell + 0.5) * n.tiles) * n.of_tile + cell * n.of_cell;
}

static cell_number cell_number_of(const ndft_sorted *s, int axis)
{
    int64_t of_tile = s->rows;
    for (int d = 0; d < axis; d++) of_tile *= s->tiles[d];
    const bool by_rows = axis == 1 && s->rows > 1;
    return (cell_number){1 / (double)s->tile[axis], (int32_t)(of_tile - (by_rows ? s->rows : 0)),
                         by_rows};
}

/* Parts of the samples that are counted side by side, each by tiles of its own: these are not to
 * outnumber the samples. */
static int parts_of(int64_t samples, int64_t tiles, int threads)
{
    const int64_t most = samples / (tiles + 1024);
    return most < 1 ? 1 : most < threads ? (int)most : threads;
}

/* Counts of parts become the place of each part's next sample of each tile. */
static void accumulate_parts(const ndft_sorted *s, int parts, int32_t *next)
{
    const int64_t tiles = s->stripes * s->per_stripe;
    int32_t at = 0;
    for (int64_t t = 0; t < tiles; t++) {
        s->start[t] = at;
        for (int part = 0; part < parts; part++) {
            const int32_t count = next[part * tiles + t];
            next[part * tiles + t] = at;
            at += count;
        }
    }
    s->start[tiles] = at;
}

/* What a part of the samples is sorted by. */
typedef struct sorting {
    const ndft_sorted *to;
    const int32_t *const *first;
    cell_number axis[3];
    int32_t *number; /* [samples] of the part of a tile */
} sorting;

static inline __attribute__((always_inline)) void number_samples(const sorting *s, int64_t begin,
                                                                 int64_t end, const int dim)
{
    int32_t *number = s->number;
    for (int64_t j = begin; j < end; j++) {
        number[j] = number_of(s->axis[0], s->first[0][j]);
        for (int d = 1; d < dim; d++) number[j] += number_of(s->axis[d], s->first[d][j]);
    }
}

static void count_part(const sorting *s, int dim, int64_t begin, int64_t end, int32_t *next)
{
    if (dim == 1) number_samples(s, begin, end, 1);
    if (dim == 2) number_samples(s, begin, end, 2);
    if (dim == 3) number_samples(s, begin, end, 3);
    for (int64_t j = begin; j < end; j++) next[s->number[j]]++;
}

/* Neighbours are mostly in one tile: where its next sample goes is stored when another follows, so
 * that none waits for the store before. */
static void place_part(const sorting *s, int64_t begin, int64_t end, int32_t *next)
{
    int32_t *order = s->to->order, number = 0, place = next[0];
    for (int64_t j = begin; j < end; j++) {
        if (s->number[j] != number) {
            next[number] = place;
            place = next[number = s->number[j]];
        }
        order[place++] = (int32_t)j;
    }
}

static void sort_parts(const sorting *s, int dim, int64_t samples, int parts, int32_t *next)
{
    const int64_t tiles = s->to->stripes * s->to->per_stripe;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) accumulate_parts(s->to, parts, next);
#pragma omp parallel for num_threads(parts)
        for (int part = 0; part < parts; part++) {
            const int64_t begin = part * samples / parts, end = (part + 1) * samples / parts;
            if (pass)
                place_part(s, begin, end, next + part * tiles);
            else
                count_part(s, dim, begin, end, next + part * tiles);
        }
    }
}

bool ndft_sort(ndft_sorted *s, int dim, int64_t samples, const int32_t *const first[3], int threads)
{
    const int64_t tiles = s->stripes * s->per_stripe;
    const int parts = parts_of(samples, tiles, threads);
    int32_t *next = calloc((size_t)(parts * tiles), sizeof *next);
    sorting how = {.to = s, .first = first};
    for (int d = 0; d < dim; d++) how.axis[d] = cell_number_of(s, d);
    how.number = malloc((size_t)samples * sizeof *how.number);
    s->start = malloc(((size_t)tiles + 1) * sizeof *s->start);
    s->order = malloc((size_t)samples * sizeof *s->order);
    const bool made = next && how.number && s->start && s->order;
    if (made) sort_parts(&how, dim, samples, parts, next);
    free(next);
    free(how.number);
    if (!made) ndft_sorted_free(s);
    return made;
}

void ndft_sorted_free(ndft_sorted *s)
{
    free(s->start);
    free(s->order);
    s->start = NULL;
    s->order = NULL;
}

/* What is being made: runs are first counted, then written. */
typedef struct builder {
    const ndft_sorted *tiles;
    int dim, width;
    const int64_t *cells;
    int32_t *tile_of[3]; /* a cell along each axis */
    int64_t *last;       /* [tiles] the last sample of each, -2: none */
    int64_t *next;       /* [tiles] runs so far, then the place of the next */
    ndft_run *run;       /* NULL: only counted */
} builder;

/* The tiles along an axis into which a window reaches, from the one of its first cell on. */
static int tiles_of(const builder *b, int axis, int64_t first, int32_t place[])
{
    const int64_t side = b->tiles->tile[axis], cells = b->cells[axis];
    int count = 0;
    for (int64_t left = b->width, at = first; left > 0;) {
        const int32_t tile = b->tile_of[axis][at];
        const int64_t end = (tile + 1) * side;
        const int64_t next = end < cells ? end : cells;
        if (!count || place[count - 1] != tile) place[count++] = tile;
        left -= next - at;
        at = next < cells ? next : 0;
    }
    return count;
}

static void note(const builder *b, int64_t tile, int64_t sample)
{
    const bool follows = b->last[tile] == sample - 1;
    b->last[tile] = sample;
    if (!follows) {
        if (b->run) b->run[b->next[tile]] = (ndft_run){.first = (int32_t)sample};
        b->next[tile]++;
    }
    if (b->run) b->run[b->next[tile] - 1].count++;
}

static void note_all(const builder *b, int64_t samples, const int32_t *const first[3])
{
    for (int64_t t = 0; t < ndft_tile_number(b->tiles); t++) b->last[t] = -2;
    int32_t place[3][NDFT_MAX_WIDTH + 1] = {{0}, {0}, {0}};
    int count[3] = {1, 1, 1};
    for (int64_t j = 0; j < samples; j++) {
        for (int d = 0; d < b->dim; d++) count[d] = tiles_of(b, d, first[d][j], place[d]);
        for (int z = 0; z < count[2]; z++)
            for (int y = 0; y < count[1]; y++)
                for (int x = 0; x < count[0]; x++)
                    note(b,
                         (place[2][z] * b->tiles->tiles[1] + place[1][y]) * b->tiles->tiles[0] +
                             place[0][x],
                         j);
    }
}

/* By which the tile of a cell is found without a division. */
static bool tabulate(builder *b)
{
    for (int d = 0; d < b->dim; d++) {
        if (!(b->tile_of[d] = malloc((size_t)b->cells[d] * sizeof *b->tile_of[d]))) return false;
        for (int64_t cell = 0; cell < b->cells[d]; cell++)
            b->tile_of[d][cell] = (int32_t)(cell / b->tiles->tile[d]);
    }
    return true;
}

/* Turns counts into places. */
static int64_t accumulate(const builder *b, int64_t *start)
{
    const int64_t tiles = ndft_tile_number(b->tiles);
    start[0] = 0;
    for (int64_t t = 0; t < tiles; t++) start[t + 1] = start[t] + b->next[t];
    for (int64_t t = 0; t < tiles; t++) b->next[t] = start[t];
    return start[tiles];
}

bool ndft_runs_make(ndft_runs *runs, const ndft_sorted *tiles, int dim, const int64_t cells[3],
                    int width, int64_t samples, const int32_t *const first[3])
{
    const size_t count = (size_t)ndft_tile_number(tiles);
    builder b = {.tiles = tiles, .dim = dim, .width = width, .cells = cells};
    b.last = malloc(count * sizeof *b.last);
    b.next = calloc(count, sizeof *b.next);
    *runs = (ndft_runs){.start = malloc((count + 1) * sizeof *runs->start)};
    bool made = b.last && b.next && runs->start && tabulate(&b);
    if (made) {
        note_all(&b, samples, first);
        const int64_t total = accumulate(&b, runs->start);
        made = (runs->run = malloc((size_t)total * sizeof *runs->run));
        b.run = runs->run;
    }
    if (made) note_all(&b, samples, first);
    free(b.last);
    free(b.next);
    for (int d = 0; d < dim; d++) free(b.tile_of[d]);
    if (!made) ndft_runs_free(runs);
    return made;
}

void ndft_runs_free(ndft_runs *runs)
{
    free(runs->start);
    free(runs->run);
    *runs = (ndft_runs){0};
}
