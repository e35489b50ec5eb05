/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_BATCH_H
#define NDFT_NUFFT_HOST_BATCH_H

#include "core/loop.h"
#include "fft/lanes_turn.h"
#include "host_nufft.h"

#include <omp.h>
#include <string.h>

/*
 * A batch of successive samples: their weights, evaluated once for all columns, and their values.
 * Along x a sample's weights are a row of whole vectors, each weight twice, so that one FMA serves
 * two cells' parts each; along y and z they are scalars to broadcast, evaluated a vector of samples
 * at a time, each a vector's distance from the next of its sample.
 */

enum { NDFT_MOST_VECTORS = 16 }; /* the widest window in double with the narrowest vectors */
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
    const ndft_host_grid *grid; /* where windows are added, or read, */
    ndft_real *cells;           /* [coils][its size], */
    int64_t origin;             /* this cell of the plan's grid being its first */
    int64_t first;              /* sample that it begins with, */
    const int32_t *sample;      /* or [count] its samples; NULL: from first on */
    const int32_t *cell[3];     /* [count] first cells, NULL beyond dim */
    const ndft_real *place[3];  /* [count and more] places among the cells */
    int ahead;              /* bits of a first cell along x: weights begin so many cells later */
    int cleared;            /* the first vectors of a row, that may have no weight */
    ndft_real *x;           /* [batch][row] */
    ndft_real *y, *z;       /* [batch / LANES][width][LANES] */
    ndft_real *value;       /* [coils][batch] complex */
    int64_t *at;            /* [batch] where on a grid rows begin, in reals */
    ndft_real *gathered[3]; /* [batch] places, for those who gather samples, */
    int32_t *noted[4];      /* first cells and, last, samples */
    ndft_cache_tile tile;   /* of the schemes that have one; cells are the work that is left */
} ndft_batch;

/* Where the weights of sample j along y or z begin, each NDFT_LANES further. */
static inline int64_t ndft_column_of(int width, int64_t j)
{
    return (j & -(int64_t)NDFT_LANES) * width + (j & (NDFT_LANES - 1));
}

/* A thread's batch in its part of the team's work. */
static inline ndft_batch ndft_batch_of(const ndft_host_job *job)
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t n = plan->batch, width = plan->window.width;
    ndft_batch b = {.job = job, .plan = plan, .grid = &plan->grid, .cells = job->grid};
    b.x = (ndft_real *)(job->work + (size_t)omp_get_thread_num() * job->work_bytes);
    b.y = b.x + ndft_rows_reals(n, plan->window.row, sizeof *b.x);
    b.z = b.y + n * width;
    b.value = b.z + n * width;
    for (int d = 0; d < 3; d++) b.gathered[d] = b.value + (2 * NDFT_HOST_COLUMNS + d) * n;
    for (int d = 0; d < 4; d++) b.noted[d] = (int32_t *)(b.gathered[2] + n) + d * n;
    b.at = (int64_t *)(b.noted[0] + 4 * n);
    b.tile.cells = b.value + (2 * NDFT_HOST_COLUMNS + NDFT_HOST_NOTES) * n;
    for (int64_t j = 0; j < n; j++) { /* along axes that are not there */
        b.y[ndft_column_of((int)width, j)] = 1;
        b.z[ndft_column_of((int)width, j)] = 1;
    }
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
 * loads whole. So do those of strips, which take another vector for it.
 */
static inline void ndft_begin_rows(ndft_batch *b)
{
    enum { CELLS = NDFT_LANES / 2 };
    const int width = b->plan->window.width, vectors = (width + CELLS - 1) / CELLS;
    const bool strips = b->plan->strips, whole = width + CELLS - 1 <= vectors * CELLS;
    b->ahead = strips || whole ? CELLS - 1 : 0;
    b->cleared = strips && !whole ? (width + 2 * CELLS - 2) / CELLS : whole;
}

/* Where the weights of sample j along x are written. */
NDFT_INLINED ndft_real *ndft_row_of(const ndft_batch *b, int j)
{
    enum { MOST = 3 };
    ndft_real *row = b->x + j * b->plan->window.row;
    if (!b->cleared) return row;
    for (int v = 0; v < MOST; v++) /* as a loop to `cleared` it becomes a call of memset */
        if (v < b->cleared) ((ndft_vector *)row)[v] = (ndft_vector){0};
    return row + 2 * (b->cell[0][j] & b->ahead);
}

/* Works on a batch; vectors of a row along x known to the compiler, and the dimensions, or they are
 * 0. */
typedef void ndft_batch_body(const ndft_batch *, int vectors, int dim);

/* Four vectors are the widest window of all with AVX-512, eight with AVX2; f64 by SSE has more. */
NDFT_INLINED void ndft_with_vectors(const ndft_batch *b, ndft_batch_body *body, const int dim)
{
    const int vectors = (2 * b->plan->window.width + NDFT_LANES - 1) / NDFT_LANES;
    switch (vectors) {
    case 1:
        body(b, 1, dim);
        break;
    case 2:
        body(b, 2, dim);
        break;
    case 3:
        body(b, 3, dim);
        break;
    case 4:
        body(b, 4, dim);
        break;
#ifndef NDFT_LOOP_v4
    case 5:
        body(b, 5, 0);
        break;
    case 6:
        body(b, 6, 0);
        break;
    case 7:
        body(b, 7, 0);
        break;
    case 8:
        body(b, 8, 0);
        break;
#endif
    default:
        body(b, vectors, 0);
        break;
    }
}

NDFT_INLINED void ndft_with_dim(const ndft_batch *b, ndft_batch_body *body)
{
    if (b->plan->grid.dim == 1)
        ndft_with_vectors(b, body, 1);
    else if (b->plan->grid.dim == 2)
        ndft_with_vectors(b, body, 2);
    else
        ndft_with_vectors(b, body, 3);
}

#endif
