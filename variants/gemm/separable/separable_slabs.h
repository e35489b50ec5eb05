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
enum { NDFT_MOST_TILES = 3 };                              /* of 16 samples, in a unit */
enum { NDFT_FORWARD_CHUNKS = 2, NDFT_ADJOINT_CHUNKS = 2 }; /* of wgmma's slabs: at most; always */

typedef struct ndft_slabs {
    int nx, ny;
    int plane_rows;            /* of a plane (y): ny, or ny filled up to whole groups */
    int64_t rows_total;        /* of all planes */
    int columns;               /* of a folded row */
    int chunks, runs;          /* of a slab */
    int groups, rows;          /* of a slab; rows = 8 groups */
    int along_x;               /* slabs that share a row */
    int64_t along_rows, count; /* of slabs in all */
} ndft_slabs;

static inline ndft_slabs ndft_slabs_of(const ndft_problem *p, int warps)
{
    ndft_slabs s = {.nx = (int)p->n[0], .ny = (int)p->n[1], .rows_total = p->n[1] * p->n[2]};
    s.plane_rows = s.ny;
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

/* Slabs of wgmma's kernels: 64 rows, of which each group of eight is of one plane. */
static inline ndft_slabs ndft_slabs_wgmma(const ndft_problem *p, bool adjoint)
{
    const int most = adjoint ? NDFT_ADJOINT_CHUNKS : NDFT_FORWARD_CHUNKS;
    ndft_slabs s = {.nx = (int)p->n[0], .ny = (int)p->n[1]};
    s.plane_rows = s.ny;
    if (p->n[2] > 1) s.plane_rows += (NDFT_GROUP_ROWS - s.ny % NDFT_GROUP_ROWS) % NDFT_GROUP_ROWS;
    s.rows_total = s.plane_rows * p->n[2];
    s.columns = (s.nx + 1) / 2;
    const int all = (s.columns + NDFT_CHUNK_COLUMNS - 1) / NDFT_CHUNK_COLUMNS;
    s.along_x = (all + most - 1) / most;
    s.chunks = adjoint ? most : (all + s.along_x - 1) / s.along_x;
    s.groups = 8;
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
    const int64_t y = r % s->plane_rows, line = r / s->plane_rows * s->ny + y;
    if (y >= s->ny || (side == 1 && s->nx % 2 == 1 && q == 0)) return -1;
    return line * s->nx + s->nx / 2 + (side == 0 ? q : -q - (s->nx % 2 == 0));
}

#endif
