/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_BATCH_H
#define NDFT_NUFFT_HOST_BATCH_H

#include "core/loop.h"
#include "gemm/gemm_tile.h"
#include "host_nufft.h"
#include "nufft/field/rank.h"

#include <omp.h>
#include <string.h>

/* The weights of rank.h, one column at a time, in loops of one precision. */

/* weight = factor times voxel v's. */
NDFT_INLINE void ndft_rank_voxel(const ndft_rank *rank, int64_t n_voxels, int64_t v, int column,
                                 ndft_real factor, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms, powers = rank->degree + 1;
    const ndft_real *place = (const ndft_real *)rank->place + 4 * (node * n_voxels + v);
    const ndft_real *a =
        (const ndft_real *)rank->c + ((int64_t)place[0] * rank->terms + l) * powers;
    ndft_real c = a[0];
    for (int d = 1; d < powers; d++) c = c * place[1] + a[d];
    weight[0] = factor * c * place[2];
    weight[1] = factor * c * place[3];
}

/* weight = sample j's. */
NDFT_INLINE void ndft_rank_sample(const ndft_rank *rank, int64_t j, int column, ndft_real weight[2])
{
    const int node = column / rank->terms, l = column % rank->terms;
    const ndft_real *b = (const ndft_real *)rank->b + 2 * ((int64_t)rank->row[j] * rank->terms + l);
    weight[0] = b[0];
    weight[1] = b[1];
    if (!rank->turn) return;
    const ndft_real *turn = (const ndft_real *)rank->turn + 2 * (j * rank->nodes + node);
    weight[0] = b[0] * turn[0] - b[1] * turn[1];
    weight[1] = b[0] * turn[1] + b[1] * turn[0];
}

/*
 * A batch of successive samples: their weights, evaluated once for all columns, and their values.
 * Along x a sample's weights are a row of whole vectors, each weight twice, so that one FMA serves
 * two cells' parts each; along y and z they are scalars to broadcast, evaluated a vector of samples
 * at a time.
 */

#define NDFT_INLINED static inline __attribute__((always_inline))

enum { NDFT_LANES = NDFT_VECTOR / sizeof(ndft_real) };
enum { NDFT_MOST_VECTORS = 16 }; /* the widest window in double with the narrowest vectors */
/* Samples whose rows are evaluated together, where these are of so many vectors at most. */
enum { NDFT_TOGETHER = 4, NDFT_FEW_VECTORS = 4 };

#if defined NDFT_LOOP_v4 && defined NDFT_LOOP_f32
#define NDFT_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7
#define NDFT_HIGH_TWICE 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15
#elif defined NDFT_LOOP_v4 || (defined NDFT_LOOP_v3 && defined NDFT_LOOP_f32)
#define NDFT_LOW_TWICE 0, 0, 1, 1, 2, 2, 3, 3
#define NDFT_HIGH_TWICE 4, 4, 5, 5, 6, 6, 7, 7
#elif defined NDFT_LOOP_v3 || defined NDFT_LOOP_f32
#define NDFT_LOW_TWICE 0, 0, 1, 1
#define NDFT_HIGH_TWICE 2, 2, 3, 3
#else
#define NDFT_LOW_TWICE 0, 0
#define NDFT_HIGH_TWICE 1, 1
#endif

/* A tile of the grid in a thread's cache, one for each coil. */
typedef struct ndft_cache_tile {
    ndft_real *cells;
    int64_t origin[3], extent[3]; /* its cells of the grid */
    int64_t before;               /* cells along x before the origin */
    int64_t step[3], size;        /* strides, complex elements of one coil */
} ndft_cache_tile;

typedef struct ndft_batch {
    const ndft_host_job *job;
    const ndft_host_nufft *plan;
    int count;
    int64_t first;             /* sample that it begins with, */
    const int32_t *sample;     /* or [count] its samples; NULL: from first on */
    const int32_t *cell[3];    /* [count] first cells, NULL beyond dim */
    const ndft_real *place[3]; /* [count and more] places among the cells */
    int ahead;                 /* bits of a first cell along x: weights begin so many cells later */
    ndft_real *x;              /* [batch][row] */
    ndft_real *y, *z;          /* [width][batch] */
    ndft_real *value;          /* [coils][batch] complex */
    ndft_real *gathered[3];    /* [batch] places, for those who gather samples, */
    int32_t *noted[4];         /* first cells and, last, samples */
    ndft_cache_tile tile;      /* of the schemes that have one; cells are the work that is left */
} ndft_batch;

/* A thread's batch in its part of the team's work. */
static inline ndft_batch ndft_batch_of(const ndft_host_job *job)
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t n = plan->batch, width = plan->window.width;
    ndft_batch b = {.job = job, .plan = plan};
    b.x = (ndft_real *)(job->work + (size_t)omp_get_thread_num() * job->work_bytes);
    b.y = b.x + n * plan->window.row;
    b.z = b.y + n * width;
    b.value = b.z + n * width;
    for (int d = 0; d < 3; d++) b.gathered[d] = b.value + (2 * NDFT_HOST_COLUMNS + d) * n;
    for (int d = 0; d < 4; d++) b.noted[d] = (int32_t *)(b.gathered[2] + n) + d * n;
    b.tile.cells = b.value + (2 * NDFT_HOST_COLUMNS + 3 + 4) * n;
    return b;
}

/* Makes the batch that of the samples from first on, in the order in which they are taken. */
static inline void ndft_batch_at(ndft_batch *b, int64_t first, int64_t end)
{
    const ndft_host_nufft *plan = b->plan;
    b->first = first;
    b->count = (int)(end - first < plan->batch ? end - first : plan->batch);
    b->sample = plan->order ? plan->order + first : NULL;
    for (int d = 0; d < plan->grid.dim; d++) {
        b->cell[d] = plan->first[d] + first;
        b->place[d] = (const ndft_real *)plan->place[d] + first;
    }
}

/* Adds a sample to a batch that gathers them. */
static inline void ndft_batch_gather(ndft_batch *b, int64_t sample)
{
    const ndft_host_nufft *plan = b->plan;
    b->sample = b->noted[3];
    b->noted[3][b->count] = (int32_t)sample;
    for (int d = 0; d < plan->grid.dim; d++) {
        b->cell[d] = b->noted[d];
        b->place[d] = b->gathered[d];
        b->noted[d][b->count] = plan->first[d][sample];
        b->gathered[d][b->count] = ((const ndft_real *)plan->place[d])[sample];
    }
    b->count++;
}

/*
 * Where rows that begin at a multiple of a vector's cells hold a window in no more vectors than
 * others, they begin there: no row crosses a cache line, and what one sample stores the next one
 * loads whole. Bits of a first cell by which its row begins ahead of it, 0: rows begin as windows.
 */
static inline int ndft_cells_ahead(const ndft_host_nufft *plan)
{
    enum { CELLS = NDFT_LANES / 2 };
    const int vectors = (plan->window.width + CELLS - 1) / CELLS;
    return plan->window.width + CELLS - 1 <= vectors * CELLS ? CELLS - 1 : 0;
}

/* Where the weights of sample j along x are written. */
NDFT_INLINED ndft_real *ndft_row_of(const ndft_batch *b, int j)
{
    ndft_real *row = b->x + j * b->plan->window.row;
    if (b->ahead) *(ndft_vector *)row = (ndft_vector){0};
    return row + 2 * (b->cell[0][j] & b->ahead);
}

/* Of a vector's lower and of its upper half each number twice. */
NDFT_INLINED ndft_vector ndft_low_twice(ndft_vector a)
{
    return __builtin_shufflevector(a, a, NDFT_LOW_TWICE);
}

NDFT_INLINED ndft_vector ndft_high_twice(ndft_vector a)
{
    return __builtin_shufflevector(a, a, NDFT_HIGH_TWICE);
}

/* The rows of weights of a few successive samples, their number and vectors known to the compiler:
 * what one waits for the other works. A weight is evaluated once, and then stands twice. */
NDFT_INLINED void ndft_poly_rows(const ndft_batch *b, int j, const int samples, const int vectors)
{
    const ndft_host_window *w = &b->plan->window;
    const ndft_real *place = b->place[0] + j;
    const int halves = (vectors + 1) / 2;
    const ndft_vector *c = w->row_poly;
    ndft_vector sum[NDFT_TOGETHER][NDFT_MOST_VECTORS / 2];
    for (int i = 0; i < samples; i++)
        for (int v = 0; v < halves; v++) sum[i][v] = c[v];
    for (int q = 0; q < w->degree; q++) {
        c += w->row_once / NDFT_LANES;
        for (int v = 0; v < halves; v++)
            for (int i = 0; i < samples; i++) sum[i][v] = sum[i][v] * place[i] + c[v];
    }
    for (int i = 0; i < samples; i++) {
        ndft_vector *to = (ndft_vector *)ndft_row_of(b, j + i);
        for (int v = 0; v < halves; v++) {
            to[2 * v] = ndft_low_twice(sum[i][v]);
            if (2 * v + 1 < vectors) to[2 * v + 1] = ndft_high_twice(sum[i][v]);
        }
    }
}

NDFT_INLINED ndft_real ndft_table_place(const ndft_host_window *w, ndft_real s, int *row)
{
    const ndft_real at = (s + 1) * (ndft_real)w->density / 2;
    *row = (int)at;
    return at - (ndft_real)*row;
}

static inline void ndft_table_row(const ndft_host_window *w, ndft_real s, ndft_real *to)
{
    int row;
    const ndft_real f = ndft_table_place(w, s, &row);
    const ndft_real *low = (const ndft_real *)w->row_table + (int64_t)row * w->row;
    for (int i = 0; i < w->row; i++) to[i] = low[i] + f * (low[w->row + i] - low[i]);
}

/* Weights along y or z: to[i * batch + j] of cell i and sample j. */
static inline void ndft_poly_columns(const ndft_host_window *w, const ndft_real *place, int count,
                                     int batch, ndft_real *restrict to)
{
    for (int i = 0; i < w->width; i++, to += batch) {
        const ndft_real *c = (const ndft_real *)w->poly + i;
        for (int j = 0; j < count; j += NDFT_LANES) {
            const ndft_vector s = *(const ndft_vector *)(place + j);
            ndft_vector sum = s * 0 + c[0];
            for (int q = 1; q <= w->degree; q++) sum = sum * s + c[q * w->width];
            *(ndft_vector *)(to + j) = sum;
        }
    }
}

static inline void ndft_table_columns(const ndft_host_window *w, const ndft_real *place, int count,
                                      int batch, ndft_real *restrict to)
{
    for (int j = 0; j < count; j++) {
        int row;
        const ndft_real f = ndft_table_place(w, place[j], &row);
        const ndft_real *low = (const ndft_real *)w->table + (int64_t)row * w->width;
        for (int i = 0; i < w->width; i++)
            to[i * batch + j] = low[i] + f * (low[w->width + i] - low[i]);
    }
}

/* Along axes that are not there, the one weight is 1. */
static inline void ndft_weigh_columns(const ndft_batch *b, int axis, ndft_real *to)
{
    const ndft_host_nufft *plan = b->plan;
    if (axis >= plan->grid.dim) {
        for (int j = 0; j < b->count; j++) to[j] = 1;
        return;
    }
    (plan->window.density ? ndft_table_columns : ndft_poly_columns)(&plan->window, b->place[axis],
                                                                    b->count, plan->batch, to);
}

/* All weights of the batch. What a row writes behind its end the next one, or y, writes again. */
NDFT_INLINED void ndft_weigh(const ndft_batch *b, const int vectors)
{
    const ndft_host_window *w = &b->plan->window;
    const ndft_real *place = b->place[0];
    int j = 0;
    if (w->density)
        for (; j < b->count; j++) ndft_table_row(w, place[j], ndft_row_of(b, j));
    else if (vectors <= NDFT_FEW_VECTORS)
        for (; j + NDFT_TOGETHER <= b->count; j += NDFT_TOGETHER)
            ndft_poly_rows(b, j, NDFT_TOGETHER, vectors);
    for (; j < b->count; j++) ndft_poly_rows(b, j, 1, vectors);
    ndft_weigh_columns(b, 1, b->y);
    ndft_weigh_columns(b, 2, b->z);
}

static inline int64_t ndft_sample_of(const ndft_batch *b, int j)
{
    return b->sample ? b->sample[j] : b->first + j;
}

/* Where a coil's value of a sample stands in the operation's vectors. */
static inline int64_t ndft_value_at(const ndft_batch *b, int c, int j)
{
    const ndft_host_nufft *plan = b->plan;
    return 2 * ((b->job->coil + c) * plan->sample_coil + ndft_sample_of(b, j) * plan->element);
}

/* Without a field map, values as they are. */
static inline void ndft_take_plain(const ndft_batch *b)
{
    const ndft_real *in = b->job->in;
    for (int c = 0; c < b->job->coils; c++) {
        ndft_real *to = b->value + 2 * c * b->plan->batch;
        for (int j = 0; j < b->count; j++) {
            const ndft_real *from = in + ndft_value_at(b, c, j);
            to[2 * j] = from[0];
            to[2 * j + 1] = from[1];
        }
    }
}

static inline void ndft_put_plain(const ndft_batch *b)
{
    ndft_real *out = b->job->out;
    for (int c = 0; c < b->job->coils; c++) {
        const ndft_real *from = b->value + 2 * c * b->plan->batch;
        for (int j = 0; j < b->count; j++)
            memcpy(out + ndft_value_at(b, c, j), from + 2 * j, 2 * sizeof *from);
    }
}

/* Adjoint: the values to be spread, weighted by the conjugates. */
static inline void ndft_take_values(const ndft_batch *b)
{
    const ndft_host_job *job = b->job;
    const ndft_host_nufft *plan = b->plan;
    const ndft_real *in = job->in;
    if (plan->rank.plain) {
        ndft_take_plain(b);
        return;
    }
    for (int j = 0; j < b->count; j++) {
        ndft_real w[2];
        ndft_rank_sample(&plan->rank, ndft_sample_of(b, j), job->term, w);
        for (int c = 0; c < job->coils; c++) {
            const ndft_real *from = in + ndft_value_at(b, c, j);
            ndft_real *to = b->value + 2 * (c * plan->batch + j);
            to[0] = from[0] * w[0] + from[1] * w[1];
            to[1] = from[1] * w[0] - from[0] * w[1];
        }
    }
}

/* Forward: weighs the values interpolated and adds them up over terms. */
static inline void ndft_put_values(const ndft_batch *b)
{
    const ndft_host_job *job = b->job;
    const ndft_host_nufft *plan = b->plan;
    ndft_real *out = job->out;
    if (plan->rank.plain) {
        ndft_put_plain(b);
        return;
    }
    for (int j = 0; j < b->count; j++) {
        ndft_real w[2];
        ndft_rank_sample(&plan->rank, ndft_sample_of(b, j), job->term, w);
        for (int c = 0; c < job->coils; c++) {
            ndft_real *to = out + ndft_value_at(b, c, j);
            const ndft_real *from = b->value + 2 * (c * plan->batch + j);
            const ndft_real before = job->term ? 1 : 0;
            const ndft_real re = from[0] * w[0] - from[1] * w[1];
            const ndft_real im = from[0] * w[1] + from[1] * w[0];
            to[0] = before ? to[0] + re : re;
            to[1] = before ? to[1] + im : im;
        }
    }
}

#endif
