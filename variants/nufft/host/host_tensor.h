/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TENSOR_H
#define NDFT_NUFFT_HOST_TENSOR_H

#include "host_batch.h"

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

/* re im re im ... */
NDFT_INLINED ndft_vector ndft_repeated(const ndft_real value[2])
{
    ndft_vector re = {0}, im = {0};
    for (int i = 0; i < NDFT_LANES; i += 2) {
        re[i] = 1;
        im[i + 1] = 1;
    }
    return re * value[0] + im * value[1];
}

/* What the inner loops read of a batch, by value: stores to cells cannot change it. */
typedef struct ndft_weights {
    const ndft_real *x, *y, *z; /* as in ndft_batch */
    ndft_real *value;           /* of one coil */
    int64_t batch, row;
} ndft_weights;

NDFT_INLINED ndft_weights ndft_weights_of(const ndft_batch *b, int64_t coil)
{
    const int64_t batch = b->plan->batch;
    return (ndft_weights){.x = b->x,
                          .y = b->y,
                          .z = b->z,
                          .value = b->value + 2 * coil * batch,
                          .batch = batch,
                          .row = b->plan->window.row};
}

/* Adds sample j to the rows that begin at cells + at. */
NDFT_INLINED void ndft_add_sample(ndft_weights w, int64_t j, ndft_real *cells, int64_t at,
                                  ndft_rows r, const int vectors)
{
    const ndft_vector *x = (const ndft_vector *)(w.x + j * w.row);
    const ndft_vector value = ndft_repeated(w.value + 2 * j);
    ndft_vector row[NDFT_MOST_VECTORS];
    for (int z = r.z0; z < r.z1; z++) {
        for (int v = 0; v < vectors; v++) row[v] = x[v] * value * w.z[z * w.batch + j];
        for (int y = r.y0; y < r.y1; y++) {
            ndft_vector *to = (ndft_vector *)(cells + at + z * r.z_step + y * r.y_step);
            const ndft_real weight = w.y[y * w.batch + j];
            for (int v = 0; v < vectors; v++) to[v] += row[v] * weight;
        }
    }
}

/* re im re im ... to one value: by 16 bytes, then by values. */
NDFT_INLINED void ndft_put_sum(const ndft_vector sum, ndft_real value[2])
{
    typedef ndft_real part __attribute__((vector_size(16), aligned(sizeof(ndft_real)), may_alias));
    typedef ndft_real complex
        __attribute__((vector_size(2 * sizeof(ndft_real)), aligned(sizeof(ndft_real)), may_alias));
    enum { PARTS = NDFT_VECTOR / sizeof(part), VALUES = sizeof(part) / sizeof(complex) };
    const part *of_sum = (const part *)&sum;
    part some = of_sum[0];
    for (int i = 1; i < PARTS; i++) some += of_sum[i];
    const complex *of_some = (const complex *)&some;
    complex all = of_some[0];
    for (int i = 1; i < VALUES; i++) all += of_some[i];
    *(complex *)value = all;
}

/* The value of sample j from the rows that begin at cells + at. */
/* NOLINTNEXTLINE(readability-non-const-parameter): an ndft_sample_body */
NDFT_INLINED void ndft_sum_sample(ndft_weights w, int64_t j, ndft_real *cells, int64_t at,
                                  ndft_rows r, const int vectors)
{
    const ndft_vector *x = (const ndft_vector *)(w.x + j * w.row);
    ndft_vector sum[NDFT_MOST_VECTORS], total = {0};
    for (int z = r.z0; z < r.z1; z++) {
        for (int v = 0; v < vectors; v++) sum[v] = (ndft_vector){0};
        for (int y = r.y0; y < r.y1; y++) {
            const ndft_vector *from =
                (const ndft_vector *)(cells + at + z * r.z_step + y * r.y_step);
            const ndft_real weight = w.y[y * w.batch + j];
            for (int v = 0; v < vectors; v++) sum[v] += from[v] * weight;
        }
        for (int v = 0; v < vectors; v++) total += sum[v] * x[v] * w.z[z * w.batch + j];
    }
    ndft_put_sum(total, w.value + 2 * j);
}

typedef void ndft_sample_body(ndft_weights, int64_t j, ndft_real *cells, int64_t at, ndft_rows,
                              int vectors);

/* A batch's samples, coil after coil, on the grids themselves. */
NDFT_INLINED void ndft_inner_loop_grid(const ndft_batch *b, ndft_sample_body *body,
                                       const int vectors)
{
    const ndft_host_nufft *plan = b->plan;
    const int64_t y_step = plan->grid.step[1], z_step = plan->grid.step[2], size = plan->grid.size;
    const int32_t *x = b->cell[0], *y = b->cell[1], *z = b->cell[2];
    const int64_t count = b->count;
    const ndft_rows rows = ndft_all_rows(plan, plan->grid.step);
    for (int c = 0; c < b->job->coils; c++) {
        const ndft_weights w = ndft_weights_of(b, c);
        ndft_real *cells = (ndft_real *)b->job->grid + 2 * c * size;
        for (int64_t j = 0; j < count; j++) {
            int64_t at = x[j] & ~(int64_t)b->ahead;
            if (y) at += y[j] * y_step;
            if (z) at += z[j] * z_step;
            body(w, j, cells, 2 * at, rows, vectors);
        }
    }
}

/* Works on a batch; vectors of a row along x known to the compiler. */
typedef void ndft_batch_body(const ndft_batch *, int vectors);

/* Four vectors are the widest window of all with AVX-512. */
NDFT_INLINED void ndft_with_vectors(const ndft_batch *b, ndft_batch_body *body)
{
    const int vectors = (2 * b->plan->window.width + NDFT_LANES - 1) / NDFT_LANES;
    switch (vectors) {
    case 1:
        body(b, 1);
        break;
    case 2:
        body(b, 2);
        break;
    case 3:
        body(b, 3);
        break;
    case 4:
        body(b, 4);
        break;
    default:
        body(b, vectors);
        break;
    }
}

/* Samples begin..end - 1, batch after batch. */
NDFT_INLINED void ndft_in_batches(ndft_batch *b, int64_t begin, int64_t end, ndft_batch_body *body)
{
    for (int64_t first = begin; first < end; first += b->plan->batch) {
        ndft_batch_at(b, first, end);
        ndft_with_vectors(b, body);
    }
}

typedef void ndft_stripe_body(ndft_batch *, int64_t stripe);

/*
 * Spreading without atomic additions: threads take stripes of tiles. Windows of one stripe end in
 * the next at most, so even stripes go first and odd ones follow; no two threads add to one cell,
 * and a cell's sum has one order whatever the number of threads.
 */
NDFT_INLINED void ndft_in_stripes(const ndft_host_job *job, ndft_stripe_body *add)
{
    enum { PIECE = 1 << 10 }; /* which memset fills by vectors */
    const int64_t stripes = job->plan->sorted.stripes;
    const int64_t bytes = job->plan->grid.size * job->coils * 2 * (int64_t)sizeof(ndft_real);
    ndft_batch b = ndft_batch_of(job);
#pragma omp for schedule(static)
    for (int64_t at = 0; at < bytes; at += PIECE)
        memset((char *)job->grid + at, 0, (size_t)(bytes - at < PIECE ? bytes - at : PIECE));
    for (int parity = 0; parity < 2; parity++) {
#pragma omp for schedule(dynamic)
        for (int64_t i = parity; i < stripes; i += 2) add(&b, i);
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
            ndft_add_sample(ndft_weights_of(b, c), j, t->cells, 2 * (at + c * t->size), rows,
                            vectors);
    }
}

#endif
