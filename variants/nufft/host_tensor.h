/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_TENSOR_H
#define NDFT_NUFFT_HOST_TENSOR_H

#include "host_batch.h"

/*
 * The tensor product of a sample's weights with its value, for one column: row after row of W cells
 * along x. Width and dimension are known to the compiler, so that a sample's row of weights stays
 * in registers; rows hold whole vectors, whose last weights are zero.
 */

/* A sample's rows: their distances, and those of them to be visited along y and z. */
typedef struct ndft_rows {
    int64_t y_step, z_step; /* reals */
    int y0, y1, z0, z1;
} ndft_rows;

NDFT_INLINED int ndft_vectors_of(int width) { return (2 * width + NDFT_LANES - 1) / NDFT_LANES; }

/* re im re im ... */
NDFT_INLINED ndft_vector ndft_spread_value(const ndft_real value[2])
{
    ndft_vector even = {0}, odd = {0};
    for (int i = 0; i < NDFT_LANES; i += 2) {
        even[i] = 1;
        odd[i + 1] = 1;
    }
    return even * value[0] + odd * value[1];
}

NDFT_INLINED ndft_real ndft_row_weight(const ndft_batch *b, int j, int y, int z, const int dim)
{
    const int n = b->plan->batch;
    return dim == 1 ? 1 : dim == 2 ? b->y[y * n + j] : b->y[y * n + j] * b->z[z * n + j];
}

/* Adds sample j of column c to the rows that begin at cells + at. */
NDFT_INLINED void ndft_add_sample(const ndft_batch *b, int j, int c, ndft_real *cells, int64_t at, ndft_rows r,
                                  const int width, const int dim)
{
    const int vectors = ndft_vectors_of(width);
    const ndft_vector *x = ndft_vectors(b->x + j * b->plan->window.row);
    const ndft_vector value = ndft_spread_value(b->value + 2 * (c * b->plan->batch + j));
    ndft_vector row[NDFT_MOST_VECTORS];
    for (int v = 0; v < vectors; v++) row[v] = x[v] * value;
    for (int z = r.z0; z < r.z1; z++) {
        for (int y = r.y0; y < r.y1; y++) {
            const ndft_real weight = ndft_row_weight(b, j, y, z, dim);
            ndft_vector *to = ndft_vectors(cells + at + z * r.z_step + y * r.y_step);
            for (int v = 0; v < vectors; v++) to[v] += row[v] * weight;
        }
    }
}

/* The value of sample j in column c from the rows that begin at cells + at. */
NDFT_INLINED void ndft_sum_sample(const ndft_batch *b, int j, int c, ndft_real *cells, int64_t at, ndft_rows r,
                                  const int width, const int dim)
{
    const int vectors = ndft_vectors_of(width);
    const ndft_vector *x = ndft_vectors(b->x + j * b->plan->window.row);
    ndft_vector sum[NDFT_MOST_VECTORS];
    for (int v = 0; v < vectors; v++) sum[v] = (ndft_vector){0};
    for (int z = r.z0; z < r.z1; z++) {
        for (int y = r.y0; y < r.y1; y++) {
            const ndft_real weight = ndft_row_weight(b, j, y, z, dim);
            const ndft_vector *from = ndft_vectors(cells + at + z * r.z_step + y * r.y_step);
            for (int v = 0; v < vectors; v++) sum[v] += from[v] * weight;
        }
    }
    ndft_vector total = sum[0] * x[0];
    for (int v = 1; v < vectors; v++) total += sum[v] * x[v];
    ndft_real *value = b->value + 2 * (c * b->plan->batch + j);
    ndft_real re = 0, im = 0;
    for (int i = 0; i < NDFT_LANES; i += 2) {
        re += total[i];
        im += total[i + 1];
    }
    value[0] = re;
    value[1] = im;
}

/* Works on a batch, width and dimension known to the compiler. */
typedef void ndft_batch_body(const ndft_batch *, int width, int dim);

NDFT_INLINED void ndft_with_width(const ndft_batch *b, ndft_batch_body *body, const int dim)
{
    switch (b->plan->window.width) {
    case 2:
        body(b, 2, dim);
        break;
    case 3:
        body(b, 3, dim);
        break;
    case 4:
        body(b, 4, dim);
        break;
    case 5:
        body(b, 5, dim);
        break;
    case 6:
        body(b, 6, dim);
        break;
    case 7:
        body(b, 7, dim);
        break;
    case 8:
        body(b, 8, dim);
        break;
    case 9:
        body(b, 9, dim);
        break;
    case 10:
        body(b, 10, dim);
        break;
    case 11:
        body(b, 11, dim);
        break;
    case 12:
        body(b, 12, dim);
        break;
    case 13:
        body(b, 13, dim);
        break;
    case 14:
        body(b, 14, dim);
        break;
    case 15:
        body(b, 15, dim);
        break;
    default:
        body(b, 16, dim);
        break;
    }
}

NDFT_INLINED void ndft_with_constants(const ndft_batch *b, ndft_batch_body *body)
{
    switch (b->plan->grid.dim) {
    case 1:
        ndft_with_width(b, body, 1);
        break;
    case 2:
        ndft_with_width(b, body, 2);
        break;
    default:
        ndft_with_width(b, body, 3);
        break;
    }
}

typedef void ndft_sample_body(const ndft_batch *, int j, int c, ndft_real *cells, int64_t at, ndft_rows,
                              int width, int dim);

/* A batch's samples, column after column, on the grids themselves. */
NDFT_INLINED void ndft_walk_grid(const ndft_batch *b, ndft_sample_body *body, const int width,
                                 const int dim)
{
    const ndft_host_grid *grid = &b->plan->grid;
    const int64_t *step = grid->step;
    const ndft_rows rows = {.y_step = 2 * step[1],
                            .z_step = 2 * step[2],
                            .y1 = dim > 1 ? width : 1,
                            .z1 = dim > 2 ? width : 1};
    for (int c = 0; c < b->job->coils; c++) {
        ndft_real *cells = (ndft_real *)b->job->grid + 2 * c * grid->size;
        for (int j = 0; j < b->count; j++) {
            int64_t at = 0;
            for (int d = 0; d < dim; d++) at += b->plan->first[d][b->first + j] * step[d];
            body(b, j, c, cells, 2 * at, rows, width, dim);
        }
    }
}

/* Samples begin..end - 1, batch after batch. */
NDFT_INLINED void ndft_in_batches(ndft_batch *b, int64_t begin, int64_t end, ndft_batch_body *body)
{
    for (b->first = begin; b->first < end; b->first += b->plan->batch) {
        const int64_t left = end - b->first;
        b->count = (int)(left < b->plan->batch ? left : b->plan->batch);
        ndft_with_constants(b, body);
    }
}

#endif
