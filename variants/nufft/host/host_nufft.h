/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_NUFFT_H
#define NDFT_NUFFT_HOST_NUFFT_H

#include "core/loop.h"
#include "fft/lanes_fft.h"
#include "host_sorted.h"
#include "host_tasks.h"
#include "nufft/field/rank.h"
#include "nufft/shape.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * For each tile of the grid the samples whose windows reach into it, as runs of successive samples:
 * along a trajectory neighbours mostly reach into the same tiles, so runs are far fewer than
 * samples (Sorensen et al., IEEE Trans. Med. Imaging 27 (2008) 538, section III).
 */

typedef struct ndft_run {
    int32_t first, count;
} ndft_run;

typedef struct ndft_runs {
    int64_t *start; /* [tiles + 1] each tile's first run */
    ndft_run *run;  /* tile after tile, samples ascending in each */
} ndft_runs;

/* first: [samples] for each axis, the first of width cells, which end modulo cells. False when
 * there is no memory; then nothing stays allocated. */
bool ndft_runs_make(ndft_runs *, const ndft_sorted *tiles, int dim, const int64_t cells[3],
                    int width, int64_t samples, const int32_t *const first[3]);

void ndft_runs_free(ndft_runs *);

/*
 * For each batch of successive samples the cells that their windows read, as rows of successive
 * cells, each cell once: what Sorensen et al. encode for the forward transform (section III.B).
 * Rows may go on in the halo; windows do not wrap around.
 */

typedef struct ndft_cell_row {
    int32_t x, y, z, cells; /* the first of so many cells along x */
    int32_t begin, end;     /* samples of the batch, among which are all that read it */
} ndft_cell_row;

typedef struct ndft_cell_rows {
    int64_t *start;     /* [batches + 1] each batch's first row */
    ndft_cell_row *row; /* batch after batch, in the order of z, y, x */
} ndft_cell_rows;

/* first: [samples] for each axis, the first of width cells. False when there is no memory; then
 * nothing stays allocated. */
bool ndft_cell_rows_make(ndft_cell_rows *, int dim, int width, int batch, int64_t samples,
                         const int32_t *const first[3], int threads);

void ndft_cell_rows_free(ndft_cell_rows *);

/*
 * One column's grid on a CPU. Beyond the periodic cells every axis has a halo, in which windows end
 * without wrapping around: spreading leaves sums there, which are folded onto the first cells, and
 * before interpolation it repeats the first cells. Rows along x hold whole vectors of a window's
 * row and whole blocks of lines.
 */

enum { NDFT_LINES = NDFT_FFT_LANES }; /* neighbouring columns that are transformed together */

typedef struct ndft_host_grid {
    int dim;
    int64_t n[3];     /* voxels */
    int64_t cells[3]; /* of a period */
    int64_t held[3];  /* cells with halo */
    int64_t step[3];  /* from a cell to the next along an axis, in complex elements */
    int64_t size;     /* complex elements in all */
} ndft_host_grid;

/* So many reals or a few more: whole vectors of 64 bytes. */
static inline int ndft_whole_vectors(int reals, ndft_prec prec)
{
    const int vector = 64 / (int)ndft_real_size(prec);
    return (reals + vector - 1) / vector * vector;
}

/* Reals of a window's row along x, re and im of each weight. */
static inline int ndft_row_reals(int width, ndft_prec prec)
{
    return ndft_whole_vectors(2 * width, prec);
}

/* Reals of a batch's rows. The last one, too, may begin some cells ahead, and ends as far behind.
 */
static inline int64_t ndft_rows_reals(int64_t n, int row, int size) { return n * row + 64 / size; }

/*
 * Whether two rows of a window, `row` bytes each, get into each other's way when one is loaded
 * right after the other was stored. Loads are compared with the stores on their way by the low 12
 * bits of addresses (AMD, Software Optimization Guide for the Family 19h, Load-Store Unit). Where
 * these overlap, loads wait; where a row of 64-byte vectors begins as the one before ends, a Zen 4
 * does nothing more until the next interrupt.
 */
static inline bool ndft_rows_clash(int64_t distance, int64_t row)
{
    return (distance + row) % 4096 < 2 * row + 64;
}

/* A step of so many elements or a few more, back from the end of which rows do not clash. An odd
 * number of cache lines: columns use all sets of the first cache. */
static inline int64_t ndft_step(int64_t elements, int64_t back, int64_t row, int64_t complex)
{
    while (elements * complex / 64 % 2 == 0 ||
           ndft_rows_clash((elements - back) * complex, row * complex))
        elements += 64 / complex;
    return elements;
}

static inline ndft_host_grid ndft_host_grid_of(const ndft_nufft_shape *s, ndft_prec prec)
{
    ndft_host_grid g = {.dim = s->dim, .size = 1};
    const int64_t complex = 2 * (int64_t)ndft_real_size(prec);
    const int width = s->window.width, row = ndft_row_reals(width, prec) / 2;
    for (int d = 0; d < 3; d++) {
        g.n[d] = s->n[d];
        g.cells[d] = g.held[d] = s->grid[d];
        if (d == 0)
            g.held[d] = (s->grid[d] + (row > NDFT_LINES ? row : NDFT_LINES) + 7) / 8 * 8;
        else if (d < s->dim)
            g.held[d] += width - 1;
        g.step[d] = g.size;
        g.size *= g.held[d];
        /* The first row of a window in a plane follows its last row in the plane before. */
        const int64_t back = d > 0 ? (width - 1) * g.step[1] : 0;
        if (d + 1 < s->dim) g.size = ndft_step(g.size, back, row, complex);
    }
    return g;
}

/* Cells of a slice along the last axis: a plane's in 3D, those of NDFT_LINES rows, all in 1D. */
static inline int64_t ndft_slice_cells(const ndft_host_grid *g)
{
    return g->dim > 2 ? 1 : g->dim > 1 ? NDFT_LINES : g->cells[0];
}

/* Lines of a buffer. */
static inline int ndft_lines(const ndft_host_grid *g) { return g->dim > 1 ? NDFT_LINES : 1; }

/* Along an axis the voxels 0..high-1 lie from cell 0 on, their coordinates are not negative, and
 * the others end the period. */
static inline int64_t ndft_high_voxels(const ndft_host_grid *g, int axis)
{
    return g->n[axis] - g->n[axis] / 2;
}

/* The voxel 0..n-1 of a cell, -1 when it has none. */
static inline int64_t ndft_voxel_of_cell(const ndft_host_grid *g, int axis, int64_t cell)
{
    if (cell < ndft_high_voxels(g, axis)) return cell + g->n[axis] / 2;
    const int64_t voxel = cell - g->cells[axis] + g->n[axis] / 2;
    return voxel >= 0 && cell < g->cells[axis] ? voxel : -1;
}

static inline int64_t ndft_cell_of_voxel(const ndft_host_grid *g, int axis, int64_t voxel)
{
    return ndft_grid_cell(voxel - g->n[axis] / 2, g->cells[axis]);
}

/* Blocks of NDFT_LINES cells along x that together have all voxels; no cell is in two of them. */
static inline int64_t ndft_first_blocks(const ndft_host_grid *g)
{
    return (ndft_high_voxels(g, 0) + NDFT_LINES - 1) / NDFT_LINES;
}

static inline int64_t ndft_last_start(const ndft_host_grid *g)
{
    const int64_t start = (g->cells[0] - g->n[0] / 2) / 2 * 2;
    const int64_t first = ndft_first_blocks(g) * NDFT_LINES;
    return start > first ? start : first;
}

static inline int64_t ndft_blocks(const ndft_host_grid *g)
{
    const int64_t rest = g->cells[0] - ndft_last_start(g);
    if (g->n[0] < 2 || rest <= 0) return ndft_first_blocks(g);
    return ndft_first_blocks(g) + (rest + NDFT_LINES - 1) / NDFT_LINES;
}

static inline int64_t ndft_block_start(const ndft_host_grid *g, int64_t block)
{
    const int64_t first = ndft_first_blocks(g);
    if (block < first) return block * NDFT_LINES;
    return ndft_last_start(g) + (block - first) * NDFT_LINES;
}

/* What the loops of a CPU plan read. Arrays of reals are of the problem's precision. */

enum {
    NDFT_HOST_COLUMNS = 4,      /* the most coils that share weights */
    NDFT_HOST_NOTES = 3 + 4 + 2 /* reals a sample beside weights and values (host_batch.h) */
};

/* The window's weights. Along x each stands twice, for re and im, in a table and once evaluated;
 * zeros up to whole vectors. */
typedef struct ndft_host_window {
    int width, row;        /* cells; reals of a row along x */
    int row_once;          /* reals of a row in which each weight stands once */
    int degree, density;   /* of polynomials, of a table; the other is 0 */
    const void *row_poly;  /* [degree + 1][row_once], highest power first */
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
    const int32_t *order;    /* [samples] by which they are taken; NULL: as they come */
    const int32_t *first[3]; /* [samples] in that order: first cell, place among the cells */
    const void *place[3];
    ndft_sorted sorted;
    ndft_runs runs;
    ndft_cell_rows rows;
    int batch;  /* samples whose weights are evaluated together */
    int strips; /* cells of a strip of the grid by which samples are spread; 0: there are none */
    ndft_turns turns;    /* of those who spread sorted samples */
    ndft_host_grid part; /* where a part of a heavy tile is spread */
    ndft_tasks slices;   /* of the grid, whose rows a thread transforms together */
    ndft_tasks portions; /* of the samples: to be interpolated, or stripes in their turn */
    uint32_t *round;     /* the last one that a team of several began, not 0 */
} ndft_host_nufft;

/* Samples of a portion that is interpolated. */
static inline int64_t ndft_portion_samples(const ndft_host_nufft *plan)
{
    enum { BATCHES = 4 };
    return (int64_t)BATCHES * plan->batch;
}

enum { NDFT_STRIP_MOST = 24 }; /* registers */

/* Vectors of 64 bytes that hold a window's row of cells wherever in a vector it begins. */
static inline int ndft_strip_vectors(int width, ndft_prec prec)
{
    const int cells = 32 / (int)ndft_real_size(prec);
    return (width + 2 * cells - 2) / cells;
}

/* An axis, and what all samples have there. */
typedef struct ndft_host_axis {
    int64_t voxels, cells;
    int width;      /* of the window */
    const void *k;  /* [samples] cycles per field of view */
    int32_t *first; /* [samples] the first of the window's cells, in [0, cells) */
    void *place;    /* [samples] the place among them, in [-1, 1) */
} ndft_host_axis;

/* Fills first and place, element i about sample order[i], or about sample i for NULL. Called by all
 * threads of a team. */
NDFT_LOOP_DECLARE(void, nufft_place,
                  (const ndft_host_axis *, const int32_t *order, int64_t samples));

/* A few columns of one rank term on their way: one team of threads works on them. */
typedef struct ndft_host_job {
    const ndft_host_nufft *plan;
    int term;        /* column of the rank's */
    int coil, coils; /* first coil, their number */
    void *grid;      /* [coils][size] */
    const void *in;  /* the operation's vectors */
    void *out;
    char *work;            /* of the team's threads */
    size_t work_bytes;     /* of one thread */
    void *parts;           /* [parts of heavy tiles][coils][size of one] */
    uint32_t round;        /* in which samples are spread by a team of several */
    ndft_meeting *meeting; /* [threads] */
} ndft_host_job;

/* Loops are called by all threads of a team. */
typedef void ndft_host_loop(const ndft_host_job *);

/*
 * Between the images and the grids. A row is all cells along x of one y and z; lines are
 * NDFT_LINES neighbouring columns of cells along the last axis, in 1D the one, in a buffer side by
 * side, as fft/lanes_fft.h has them.
 */

/* Adds to a row of the period what windows left in the halo. */
NDFT_LOOP_DECLARE(void, nufft_fold_row, (const ndft_host_grid *, void *grid, int64_t y, int64_t z));

/* NDFT_LINES rows to lines side by side, [cells + NDFT_LINES][NDFT_LINES], and back; or of them the
 * blocks that have voxels, with zeros between them on the way to the lines. */
NDFT_LOOP_DECLARE(void, nufft_rows_to_lines,
                  (const ndft_host_grid *, void *const row[], void *lines, bool blocks));
NDFT_LOOP_DECLARE(void, nufft_lines_to_rows,
                  (const ndft_host_grid *, void *const row[], void *lines, bool blocks));

/* Repeats a row of the period in the halo. */
NDFT_LOOP_DECLARE(void, nufft_repeat_row,
                  (const ndft_host_grid *, void *grid, int64_t y, int64_t z));

/* Where a buffer's lines lie: cells x .. x + NDFT_LINES - 1 along x and, of three axes, y. */
typedef struct ndft_host_lines {
    int64_t x, y;
    void *memory;    /* [coils][cells of the last axis][ndft_lines] */
    int part, parts; /* of their cells or voxels, those that are meant */
} ndft_host_lines;

/* Where a part of so many begins; the one behind it where it ends. */
static inline int64_t ndft_part_of(const ndft_host_lines *lines, int64_t count, int next)
{
    return count * (lines->part + next) / lines->parts;
}

/* Copies columns of the grids to lines and back, for who wants the lines' transforms and voxels
 * apart. */
NDFT_LOOP_DECLARE(void, nufft_take_lines, (const ndft_host_job *, const ndft_host_lines *));
NDFT_LOOP_DECLARE(void, nufft_put_lines, (const ndft_host_job *, const ndft_host_lines *));

/* Adjoint: lines to voxels, deapodised, weighted and added up over rank terms. */
NDFT_LOOP_DECLARE(void, nufft_crop, (const ndft_host_job *, const ndft_host_lines *));

/* Forward: voxels to lines, deapodised, weighted, zeros where there are none. */
NDFT_LOOP_DECLARE(void, nufft_pad, (const ndft_host_job *, const ndft_host_lines *));

/* What a plan's stages between samples and grids do, called by all threads of a team. */

/* Sample-driven: windows are added to the grid where they lie. */
NDFT_LOOP_DECLARE(void, nufft_scatter, (const ndft_host_job *));

/* Tiles take all samples that reach into them; every cell is written once. */
NDFT_LOOP_DECLARE(void, nufft_hybrid, (const ndft_host_job *));

/* Padded tiles gather their samples, and are added to the grid. */
NDFT_LOOP_DECLARE(void, nufft_output_driven, (const ndft_host_job *));

/* Samples from the grids, batch after batch, in any order: no two threads write to one sample. */
NDFT_LOOP_DECLARE(void, nufft_interpolate, (const ndft_host_job *));

/* The same, each batch by the rows of cells that its samples read. */
NDFT_LOOP_DECLARE(void, nufft_rows, (const ndft_host_job *));

#endif
