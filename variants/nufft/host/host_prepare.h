/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_PREPARE_H
#define NDFT_NUFFT_HOST_PREPARE_H

#include "core/arena.h"
#include "host_nufft.h"

/* Knobs after the family's: host_knobs.def's, and one that a scheme may add. */
enum { NDFT_HOST_TILE = NDFT_NUFFT_KNOBS, NDFT_HOST_NP, NDFT_HOST_MOST_TILE = 4096 };

/* In which order a scheme walks the samples. */
typedef enum ndft_host_order {
    NDFT_HOST_SORTED, /* by tile; what is spread reaches into the halo */
    NDFT_HOST_RUNS,   /* as they come; each tile knows those that reach into it, as runs */
} ndft_host_order;

/* A scheme of convolution on a CPU: what a variant says of itself. */
typedef struct ndft_host_scheme {
    ndft_host_loop *spread[3][2]; /* NDFT_LOOP_TABLE: fills the grids from samples */
    ndft_host_order order;
    bool tiles; /* spread keeps a tile of each coil in a thread's work */
    bool np;    /* the knob NDFT_HOST_NP says how many samples' weights are evaluated together */
} ndft_host_scheme;

/* NULL, or why the knobs but NDFT_HOST_NP, or the problem, do not suit. */
const char *ndft_host_unsupported(const ndft_problem *, const ndft_device *, const int *knobs);

/* Cells of a tile's side: the knob's, or those that keep a tile in the first cache. */
int ndft_host_tile(const ndft_host_scheme *, const int *knobs, int dim);

/* Fills what loops read: grid, window, samples, voxels and, where there is a field map, its rank
 * terms. Arrays belong to the arena, but for those that ndft_host_unprepare frees, on failure too.
 */
ndft_status ndft_host_prepare(ndft_arena *, const ndft_problem *, const int *knobs,
                              const ndft_host_scheme *, ndft_host_nufft *);

void ndft_host_unprepare(ndft_host_nufft *);

#endif
