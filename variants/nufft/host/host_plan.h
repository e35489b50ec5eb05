/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_PLAN_H
#define NDFT_NUFFT_HOST_PLAN_H

#include "base/variant.h"
#include "core/arena.h"
#include "fft/fft_fftw.h"
#include "fft/line_fft.h"
#include "host_nufft.h"

/*
 * The pipeline on a CPU, around the loops of its stages. Adjoint: samples are spread to a grid per
 * column, its halo is folded back, rows are transformed in place; then only lines that have voxels
 * are transformed along the other axes, the last time into a buffer in the cache, from which voxels
 * are taken, deapodised and weighted. Forward: the same backwards.
 *
 * With as many coils as threads every thread has coils of its own, whose grids stay in its cache,
 * and no thread waits for another; else all threads share one coil after another. A few coils go
 * together, so that weights are evaluated once for them.
 */

/* The engine's knobs after the family's. */
enum {
    NDFT_HOST_SPREAD = NDFT_NUFFT_KNOBS,
    NDFT_HOST_INTERPOLATE, /* an ndft_host_order */
    NDFT_HOST_TILE,
    NDFT_HOST_NP,
    NDFT_HOST_MOST_TILE = 4096
};

/* In which order a stage takes the samples. */
typedef enum ndft_host_order {
    NDFT_HOST_SORTED,   /* by tile; what is spread reaches into the halo */
    NDFT_HOST_UNSORTED, /* as they come; spreading, a tile knows those that reach it, as runs */
    NDFT_HOST_ROWS,     /* as they come; interpolating, a batch knows the rows that it reads */
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

/* Whether so few cells are touched, for all terms of a field map, that threads would wait for each
 * other longer than they work: the first of a few terms wakes them up. */
static inline bool ndft_host_is_small(int64_t samples, int dim, int width, int64_t cells, int terms)
{
    const double least_work = 5e5;
    double window = 1;
    for (int d = 0; d < dim; d++) window *= width;
    return ((double)samples * window + 10 * (double)cells) * terms < least_work;
}

/* Fills what loops read, forward and adjoint: grid, window, voxels and, where there is a field map,
 * its rank terms, which are the same, and samples in the order of either's stage. Arrays belong to
 * the arena, but for those that ndft_host_unprepare frees, on failure too. */
ndft_status ndft_host_prepare(ndft_arena *, const ndft_problem *, const int *knobs, unsigned ops,
                              const ndft_host_spread *, ndft_host_nufft directions[2]);

/* Shares a direction's work out to the threads: its slices, and portions of samples, sorted so. */
ndft_status ndft_host_share(ndft_arena *, const ndft_sorted *, bool adjoint, ndft_host_nufft *);

void ndft_host_unprepare(ndft_host_nufft directions[2]);

/*
 * From grids to images and back: transforms in place along all axes but the last, those of the last
 * axis to and from a buffer in the cache, where voxels are taken or put. Cells of a row that have
 * no voxel are not transformed along the other axes.
 */

typedef void ndft_row_loop(const ndft_host_grid *, void *grid, int64_t y, int64_t z);
typedef void ndft_lines_loop(const ndft_host_job *, const ndft_host_lines *);

typedef void ndft_turn_loop(const ndft_host_grid *, void *const row[], void *lines, bool blocks);
typedef void ndft_fft_loop(const ndft_lanes_fft *, ndft_lanes from, ndft_lanes to, void *scratch);
typedef void ndft_down_loop(const ndft_line_fft *, void *line, int64_t block, void *scratch);
typedef void ndft_along_loop(const ndft_line_fft *, void *line, void *to, int64_t block,
                             void *scratch);

/* Its loops for an instruction set and a precision. */
typedef struct ndft_image_loops {
    ndft_row_loop *fold, *repeat;
    ndft_turn_loop *to_lines, *to_rows;
    ndft_fft_loop *transform;
    ndft_lines_loop *take, *put, *crop, *pad;
    ndft_down_loop *down;
    ndft_along_loop *along;
} ndft_image_loops;

/* Of one direction: along each axis NDFT_LINES lines at a time. In 1D the one is a matrix with
 * AVX-512, with which that is faster than the host's FFT. */
typedef struct ndft_host_stages {
    ndft_image_loops loops;
    size_t complex; /* bytes */
    ndft_lanes_fft axis[3];
    bool matrix;
    ndft_line_fft line;
    ndft_fft host_line;
} ndft_host_stages;

/* grid and work are only looked at. */
ndft_status ndft_host_stages_plan(ndft_arena *, const ndft_host_nufft *, ndft_isa, ndft_prec,
                                  ndft_op, void *grid, void *work, ndft_host_stages *);

void ndft_host_stages_destroy(ndft_host_stages *);

/* Bytes of work that a thread needs for the lines of so many coils. */
size_t ndft_host_lines_bytes(const ndft_host_grid *, ndft_prec, int coils);

/* What is to be done: all in one go, or one after the other, where their times are asked for. Then
 * the last axis's lines go back to the grids in between. */
typedef enum ndft_host_parts {
    NDFT_HOST_TRANSFORM = 1,
    NDFT_HOST_IMAGE = 2, /* voxels are deapodised and cropped, or padded */
    NDFT_HOST_WHOLE = NDFT_HOST_TRANSFORM | NDFT_HOST_IMAGE,
    NDFT_HOST_SAMPLES = 4 /* they are spread, or interpolated */
} ndft_host_parts;

/* Called by all threads of a team. halo: there are sums in the grids' halo. */
void ndft_host_grids_to_images(const ndft_host_stages *, const ndft_host_job *, ndft_host_parts,
                               bool halo);
void ndft_host_images_to_grids(const ndft_host_stages *, const ndft_host_job *, ndft_host_parts);

/* What execute marks. Padding, cropping and deapodisation are done inside the transforms, and apart
 * only while stages are being timed. */
extern const char *const ndft_host_stage_names[];

ndft_status ndft_host_plan(const ndft_problem *, const int *knobs, unsigned ops, ndft_exec *,
                           const ndft_host_spread *, void **plan);

ndft_status ndft_host_execute(void *plan, ndft_op, const void *in, void *out);

void ndft_host_destroy(void *plan);
void ndft_host_chosen(const void *plan, char *text, size_t size);

#endif
