/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_NUFFT_H
#define NDFT_NUFFT_HOST_NUFFT_H

#include "host_grid.h"
#include "nufft/field/rank.h"
#include "nufft/order/sort.h"

/* What the loops of a CPU plan read. Arrays of reals are of the problem's precision. */

enum { NDFT_HOST_COLUMNS = 4 }; /* the most coils that share weights */

/* The window's weights. Along x each stands twice, for re and im; zeros up to whole vectors. */
typedef struct ndft_host_window {
    int width, row;        /* cells; reals of a row along x */
    int degree, density;   /* of polynomials, of a table; the other is 0 */
    const void *row_poly;  /* [degree + 1][row], highest power first */
    const void *poly;      /* [degree + 1][width] */
    const void *row_table; /* [density + 2][row] */
    const void *table;     /* [density + 2][width] */
} ndft_host_window;

typedef struct ndft_host_nufft {
    ndft_host_grid grid;
    ndft_host_window window;
    ndft_rank rank;
    const void *deapodise[3]; /* [n] along each axis */
    const int32_t *voxel;     /* [grid's voxels] element of the image, -1: none; NULL: as is */
    int64_t samples, voxels;  /* elements of a coil's vectors */
    int64_t element;          /* stride of elements, and of coils on either side, complex */
    int64_t sample_coil, voxel_coil;
    const int32_t *order;    /* [samples] by which they are walked; NULL: as they come */
    const int32_t *first[3]; /* [samples] in that order: first cell, place among the cells */
    const void *place[3];
    ndft_sorted sorted;
    ndft_runs runs;
    int batch; /* samples whose weights are evaluated together */
} ndft_host_nufft;

/* A few columns of one rank term on their way: one team of threads works on them. */
typedef struct ndft_host_job {
    const ndft_host_nufft *plan;
    int term;        /* column of the rank's */
    int coil, coils; /* first coil, their number */
    void *grid;      /* [coils][size] */
    const void *in;  /* the operation's vectors */
    void *out;
    char *work;        /* of the team's threads */
    size_t work_bytes; /* of one thread */
} ndft_host_job;

/* Loops are called by all threads of a team. */
typedef void ndft_host_loop(const ndft_host_job *);

#endif
