/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TENSOR_H
#define NDFT_NUFFT_HOST_TENSOR_H

#include "host_values.h"
#include "host_weights.h"

#include <immintrin.h>
#include <string.h>

/*
 * The tensor product of a sample's weights with its value, for one coil: row after row of W cells
 * along x. Rows are whole vectors, whose last weights are zero; their number is known to the
 * compiler, so that a sample's row stays in registers.
 */

/* A sample's rows: their distances, and those of them to be visited along y and z. */
typedef struct ndft_rows {
    int64_t y_step, z_step; /* reals */
    int y0, y1, z0, z1;
} ndft_rows;

static inline ndft_rows ndft_all_rows(const ndft_host_nufft *plan, const int64_t step[3])
{
    const int width = plan->window.width, dim = plan->grid.dim;
    return (ndft_rows){.y_step = 2 * step[1],
                       .z_step = 2 * step[2],
                       .y1 = dim > 1 ? width : 1,
                       .z1 = dim > 2 ? width : 1};
}

/* re im re im ..., by one load. */
NDFT_INLINED ndft_vector ndft_repeated(const ndft_real value[2])
{
#ifdef NDFT_LOOP_f32
    const ndft_words both = (ndft_words){0} + *(const ndft_word *)value;
    return (ndft_vector)both;
#elif defined NDFT_LOOP_v4 /* where GCC takes the loop below through memory */
    return (ndft_vector)_mm512_broadcast_f64x2(_mm_loadu_pd(value));
#else
    ndft_vector both;
    for (int i = 0; i < NDFT_LANES; i++) both[i] = value[i % 2];
    return both;
#endif
}

/* What the inner loops read of one sample: its weights, those along y and z NDFT_LANES apart, and
 * its value of one coil. */
typedef struct ndft_sample {
    const ndft_vector *x;
    const ndft_real *y, *z;
    ndft_real *value;
} ndft_sample;

/* Reals of a row of weights, vectors known to the compiler. */
NDFT_INLINED int64_t ndft_row_of_vectors(const int vectors)
{
    enum { LEAST = 64 / sizeof(ndft_real) };
    return (vectors * NDFT_LANES + LEAST - 1) / LEAST * LEAST;
}

NDFT_INLINED ndft_sample ndft_sample_at(const ndft_batch *b, int64_t coil, int64_t j,
                                        const int vectors)
{
    const int64_t column = ndft_column_of(b->plan->window.width, j);
    return (ndft_sample){.x = (const ndft_vector *)(b->x + j * ndft_row_of_vectors(vectors)),
                         .y = b->y + column,
                         .z = b->z + column,
                         .value = b->value + 2 * (coil * b->plan->batch + j)};
}

/* Without an axis z, by dimensions that the compiler knows, or that are 0. */
NDFT_INLINED bool ndft_is_flat(const int dim) { return dim == 1 || dim == 2; }

/* Adds a sample to the rows that begin at cells. */
NDFT_INLINED void ndft_add_sample(ndft_sample s, ndft_real *cells, ndft_rows r, const int vectors,
                                  const int dim)
{
    const ndft_vector value = ndft_repeated(s.value);
    ndft_vector row[NDFT_MOST_VECTORS];
    for (int z = r.z0; z < r.z1; z++) {
        const ndft_real at_z = ndft_is_flat(dim) ? 1 : s.z[z * NDFT_LANES];
        for (int v = 0; v < vectors; v++) row[v] = s.x[v] * value * at_z;
        ndft_real *to = cells + z * r.z_step + r.y0 * r.y_step;
        for (int y = r.y0; y < r.y1; y++, to += r.y_step) {
            const ndft_real weight = dim == 1 ? 1 : s.y[y * NDFT_LANES];
            for (int v = 0; v < vectors; v++) ((ndft_vector *)to)[v] += row[v] * weight;
        }
    }
}

/* A sample's value from the rows that begin at cells, as parts to be added up. */
NDFT_INLINED ndft_vector ndft_sum_sample(ndft_sample s, const ndft_real *cells, ndft_rows r,
                                         const int vectors, const int dim)
{
    ndft_vector sum[NDFT_MOST_VECTORS], total = {0};
    for (int v = 0; dim == 1 && v < vectors; v++) total += ((const ndft_vector *)cells)[v] * s.x[v];
    if (dim == 1) return total;
    for (int z = r.z0; z < r.z1; z++) {
        for (int v = 0; v < vectors; v++) sum[v] = (ndft_vector){0};
        const ndft_real *from = cells + z * r.z_step + r.y0 * r.y_step;
        for (int y = r.y0; y < r.y1; y++, from += r.y_step) {
            const ndft_real weight = s.y[y * NDFT_LANES];
            for (int v = 0; v < vectors; v++) sum[v] += ((const ndft_vector *)from)[v] * weight;
        }
        const ndft_real at_z = ndft_is_flat(dim) ? 1 : s.z[z * NDFT_LANES];
        for (int v = 0; v < vectors; v++) total += sum[v] * s.x[v] * at_z;
    }
    return total;
}

/* Two vectors' halves, quarters or eighths in turns, and their sum. */
NDFT_INLINED ndft_vector ndft_sum_of_two(ndft_vector a, ndft_vector b, const int apart)
{
    ndft_words low = (ndft_words)a, high = (ndft_words)b;
    ndft_exchange(&low, &high, apart);
    return (ndft_vector)low + (ndft_vector)high;
}

/* The values of NDFT_SIDE samples from their parts, side by side. */
NDFT_INLINED ndft_vector ndft_values_of(const ndft_vector part[NDFT_SIDE])
{
    enum { TWOS = NDFT_SIDE > 1 ? NDFT_SIDE / 2 : 1, FOURS = NDFT_SIDE > 2 ? NDFT_SIDE / 4 : 1 };
    ndft_vector two[TWOS], four[FOURS];
    if (NDFT_SIDE == 1) return part[0];
    for (int i = 0; i < TWOS; i++) two[i] = ndft_sum_of_two(part[2 * i], part[2 * i + 1], 1);
    if (NDFT_SIDE == 2) return two[0];
    for (int i = 0; i < FOURS; i++) four[i] = ndft_sum_of_two(two[2 * i], two[2 * i + 1], 2);
    return NDFT_SIDE == 4 ? four[0] : ndft_sum_of_two(four[0], four[FOURS - 1], 4);
}

/* Where on a grid each sample's rows begin, in reals. */
NDFT_INLINED void ndft_place_rows(const ndft_batch *b, const int dim)
{
    const int64_t y_step = b->grid->step[1], z_step = b->grid->step[2], origin = b->origin;
    const int32_t *x = b->cell[0], *y = b->cell[1], *z = b->cell[2];
    const int32_t begin = ~b->ahead;
    int64_t *restrict at = b->at;
    for (int j = 0; j < b->count; j++) {
        int64_t cell = (x[j] & begin) - origin;
        if (dim != 1 && y) cell += y[j] * y_step;
        if ((dim == 0 || dim > 2) && z) cell += z[j] * z_step;
        at[j] = 2 * cell;
    }
}

NDFT_INLINED ndft_rows ndft_rows_of_grid(const ndft_batch *b, const int dim)
{
    ndft_rows r = ndft_all_rows(b->plan, b->grid->step);
    if (dim == 1) r.y1 = 1;
    if (dim == 1 || dim == 2) r.z1 = 1;
    return r;
}

static inline ndft_real *ndft_coil_grid(const ndft_batch *b, int c)
{
    return b->cells + 2 * c * b->grid->size;
}

/* Adds a batch's samples, coil after coil, to the grids themselves. */
NDFT_INLINED void ndft_add_to_grids(const ndft_batch *b, const int vectors, const int dim)
{
    const ndft_rows rows = ndft_rows_of_grid(b, dim);
    ndft_place_rows(b, dim);
    for (int c = 0; c < b->job->coils; c++) {
        ndft_real *cells = ndft_coil_grid(b, c);
        for (int64_t j = 0, count = b->count; j < count; j++)
            ndft_add_sample(ndft_sample_at(b, c, j, vectors), cells + b->at[j], rows, vectors, dim);
    }
}

/* Of sample number i from one on. */
NDFT_INLINED ndft_vector ndft_sum_next(ndft_sample first, int64_t i, const ndft_real *cells,
                                       ndft_rows rows, const int vectors, const int dim)
{
    const ndft_sample s = {.x = first.x + i * ndft_row_of_vectors(vectors) / NDFT_LANES,
                           .y = first.y + i,
                           .z = first.z + i};
    return ndft_sum_sample(s, cells, rows, vectors, dim);
}

enum { NDFT_FEW = NDFT_SIDE < 8 ? NDFT_SIDE : -1 }; /* more of them would be too much code */

/* A batch's samples, coil after coil, from the grids. Values behind the last are written, too: a
 * batch has room for whole vectors of them. */
NDFT_INLINED void ndft_sum_from_grids(const ndft_batch *b, const int vectors, const int dim)
{
    const ndft_rows rows = ndft_rows_of_grid(b, dim);
    const int64_t *at = b->at;
    ndft_vector part[NDFT_SIDE] = {{0}};
    ndft_place_rows(b, dim);
    for (int c = 0; c < b->job->coils; c++) {
        const ndft_real *cells = ndft_coil_grid(b, c);
        for (int64_t j = 0, count = b->count; j < count; j += NDFT_SIDE) {
            const int64_t left = count - j < NDFT_SIDE ? count - j : NDFT_SIDE;
            const ndft_sample first = ndft_sample_at(b, c, j, vectors);
            if (left == NDFT_FEW) {
                ndft_vector few[NDFT_SIDE];
#pragma GCC unroll 4 /* they stay in registers */
                for (int i = 0; i < NDFT_FEW; i++)
                    few[i] = ndft_sum_next(first, i, cells + at[j + i], rows, vectors, dim);
                *(ndft_vector *)first.value = ndft_values_of(few);
            } else {
                for (int64_t i = 0; i < left; i++)
                    part[i] = ndft_sum_next(first, i, cells + at[j + i], rows, vectors, dim);
                *(ndft_vector *)first.value = ndft_values_of(part);
            }
        }
    }
}

typedef void ndft_batch_work(const ndft_batch *);

/* Samples begin..end - 1, batch after batch. */
NDFT_INLINED void ndft_in_batches(ndft_batch *b, int64_t begin, int64_t end, ndft_batch_work *work)
{
    for (int64_t first = begin; first < end; first += b->plan->batch) {
        ndft_batch_at(b, first, end);
        work(b);
    }
}

/* Spreading into a tile that stays in the first cache, for the schemes hybrid and output_driven. */

/* Opens tile number i of the grid, with zeros: `before` cells more ahead of each row and `after`
 * rows more along y and z. */
static inline void ndft_open_tile(ndft_batch *b, int64_t i, int64_t before, int64_t after)
{
    const ndft_sorted *s = &b->plan->sorted;
    const ndft_host_grid *grid = &b->plan->grid;
    ndft_cache_tile *t = &b->tile;
    t->before = before;
    t->size = 1;
    for (int d = 0; d < 3; d++) {
        t->origin[d] = i % s->tiles[d] * s->tile[d];
        i /= s->tiles[d];
        const int64_t left = grid->cells[d] - t->origin[d];
        t->extent[d] = left < s->tile[d] ? left : s->tile[d];
        t->step[d] = t->size;
        if (d == 0) t->size = before + s->tile[0] + b->plan->window.row / 2;
        if (d > 0 && d < grid->dim) t->size *= t->extent[d] + after;
    }
    memset(t->cells, 0, (size_t)(b->job->coils * t->size) * 2 * sizeof(ndft_real));
}

/* Of a window's rows from place on, those within 0..extent - 1. */
NDFT_INLINED void ndft_clip(int64_t place, int64_t extent, int *first, int *end)
{
    if (place < 0) *first = (int)-place;
    if (place + *end > extent) *end = (int)(extent - place);
}

/* A batch's samples, column after column, on the tile. clipped: windows may begin before it and,
 * modulo the period, end behind it; rows that it has not are left out. */
NDFT_INLINED void ndft_inner_loop_tile(const ndft_batch *b, const bool clipped, const int vectors)
{
    const ndft_cache_tile *t = &b->tile;
    const ndft_host_nufft *plan = b->plan;
    for (int j = 0; j < b->count; j++) {
        int64_t at = t->before, place[3] = {0, 0, 0};
        for (int d = 0; d < plan->grid.dim; d++) {
            place[d] = b->cell[d][j] - t->origin[d];
            if (clipped && place[d] >= plan->sorted.tile[d]) place[d] -= plan->grid.cells[d];
            at += place[d] * t->step[d];
        }
        ndft_rows rows = ndft_all_rows(plan, t->step);
        if (clipped) {
            ndft_clip(place[1], t->extent[1], &rows.y0, &rows.y1);
            ndft_clip(place[2], t->extent[2], &rows.z0, &rows.z1);
        }
        for (int c = 0; c < b->job->coils; c++)
            ndft_add_sample(ndft_sample_at(b, c, j, vectors), t->cells + 2 * (at + c * t->size),
                            rows, vectors, 0);
    }
}

#endif
