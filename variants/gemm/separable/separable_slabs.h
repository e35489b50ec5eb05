/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_SLABS_H
#define NDFT_SEPARABLE_SLABS_H

#include "base/problem.h"

/*
 * How the grid is folded and cut. A row is all x at one (y, z). About its centre u = x - shift it
 * consists of pairs (+u, -u) with u = q + 1/2 where nx is even, q where it is odd (and q = 0 has no
 * partner): column q of the folded row, q < ceil(nx/2). A slab is what a block holds: `rows` rows
 * by up to NDFT_RUN * runs chunks of 16 columns; each of its warps has 8 rows by a run of NDFT_RUN
 * chunks, warp w those of run w % runs, group w / runs.
 */

enum { NDFT_RUN = 2, NDFT_CHUNK_COLUMNS = 16, NDFT_GROUP_ROWS = 8, NDFT_MOST_CHUNKS = 8 };

typedef struct ndft_slabs {
    int nx, ny;
    int64_t rows_total;        /* ny nz */
    int columns;               /* of a folded row */
    int chunks, runs;          /* of a slab */
    int groups, rows;          /* of a slab; rows = 8 groups */
    int along_x;               /* slabs that share a row */
    int64_t along_rows, count; /* of slabs in all */
} ndft_slabs;

static inline ndft_slabs ndft_slabs_of(const ndft_problem *p, int warps)
{
    ndft_slabs s = {.nx = (int)p->n[0], .ny = (int)p->n[1], .rows_total = p->n[1] * p->n[2]};
    s.columns = (s.nx + 1) / 2;
    const int all = (s.columns + NDFT_CHUNK_COLUMNS - 1) / NDFT_CHUNK_COLUMNS;
    s.along_x = (all + NDFT_MOST_CHUNKS - 1) / NDFT_MOST_CHUNKS;
    s.chunks = (all + s.along_x - 1) / s.along_x;
    s.runs = (s.chunks + NDFT_RUN - 1) / NDFT_RUN;
    s.groups = warps / s.runs;
    s.rows = s.groups * NDFT_GROUP_ROWS;
    s.along_rows = (s.rows_total + s.rows - 1) / s.rows;
    s.count = s.along_x * s.along_rows;
    return s;
}

/* Grid index of the voxel at +u (side 0) or -u (side 1) of chunk `chunk` of a slab, column 0..15 of
 * it, in `row` of the slab; -1 where there is none. */
static inline int64_t ndft_slabs_voxel(const ndft_slabs *s, int64_t slab, int row, int chunk,
                                       int column, int side)
{
    const int64_t r = slab / s->along_x * s->rows + row;
    const int64_t q = (slab % s->along_x * s->chunks + chunk) * NDFT_CHUNK_COLUMNS + column;
    if (chunk >= s->chunks || q >= s->columns || r >= s->rows_total) return -1;
    if (side == 0) return r * s->nx + s->nx / 2 + q;
    if (s->nx % 2 == 1 && q == 0) return -1;
    return r * s->nx + s->nx / 2 - q - (s->nx % 2 == 0);
}

#endif
