/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_PREPARE_H
#define NDFT_NUFFT_HOST_PREPARE_H

#include "core/arena.h"
#include "host_nufft.h"

/* The engine's knobs after the family's. */
enum {
    NDFT_HOST_SPREAD = NDFT_NUFFT_KNOBS,
    NDFT_HOST_INTERPOLATE, /* an ndft_host_order */
    NDFT_HOST_TILE,
    NDFT_HOST_NP,
    NDFT_HOST_MOST_TILE = 4096
};

/* In which order a stage walks the samples. */
typedef enum ndft_host_order {
    NDFT_HOST_SORTED,   /* by tile; what is spread reaches into the halo */
    NDFT_HOST_UNSORTED, /* as they come; spreading, a tile knows those that reach it, as runs */
} ndft_host_order;

/* A way to spread samples. */
typedef struct ndft_host_spread {
    const char *summary;        /* of the scheme that is named by it */
    ndft_host_loop *loop[3][2]; /* NDFT_LOOP_TABLE: fills the grids from samples */
    ndft_host_order order;
    bool tiles; /* it keeps a tile of each coil in a thread's work */
    bool np;    /* the knob NDFT_HOST_NP says how many samples' weights are evaluated together */
} ndft_host_spread;

/* Cells of a tile's side: the knob's, or those that keep a tile in the first cache. */
int ndft_host_tile(ndft_host_order, const int *knobs, int dim);

/* Fills what loops read, forward and adjoint: grid, window, voxels and, where there is a field map,
 * its rank terms, which are the same, and samples in the order of either's stage. Arrays belong to
 * the arena, but for those that ndft_host_unprepare frees, on failure too. */
ndft_status ndft_host_prepare(ndft_arena *, const ndft_problem *, const int *knobs, unsigned ops,
                              const ndft_host_spread *, ndft_host_nufft sides[2]);

void ndft_host_unprepare(ndft_host_nufft sides[2]);

#endif
