/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"
#include "host_waits.h"

#include <omp.h>
#include <string.h>

static ndft_row_loop *const fold_loops[3][2] = NDFT_LOOP_TABLE(nufft_fold_row);
static ndft_row_loop *const repeat_loops[3][2] = NDFT_LOOP_TABLE(nufft_repeat_row);
static ndft_turn_loop *const to_lines_loops[3][2] = NDFT_LOOP_TABLE(nufft_rows_to_lines);
static ndft_turn_loop *const to_rows_loops[3][2] = NDFT_LOOP_TABLE(nufft_lines_to_rows);
static ndft_fft_loop *const transform_loops[3][2] = NDFT_LOOP_TABLE(lanes_fft);
static ndft_down_loop *const down_loops[3][2] = NDFT_LOOP_TABLE(line_fft_down);
static ndft_along_loop *const along_loops[3][2] = NDFT_LOOP_TABLE(line_fft_along);
static ndft_lines_loop *const take_loops[3][2] = NDFT_LOOP_TABLE(nufft_take_lines);
static ndft_lines_loop *const put_loops[3][2] = NDFT_LOOP_TABLE(nufft_put_lines);
static ndft_lines_loop *const crop_loops[3][2] = NDFT_LOOP_TABLE(nufft_crop);
static ndft_lines_loop *const pad_loops[3][2] = NDFT_LOOP_TABLE(nufft_pad);

static ndft_image_loops loops_of(ndft_isa isa, ndft_prec prec)
{
    return (ndft_image_loops){
        fold_loops[isa][prec],    repeat_loops[isa][prec],    to_lines_loops[isa][prec],
        to_rows_loops[isa][prec], transform_loops[isa][prec], take_loops[isa][prec],
        put_loops[isa][prec],     crop_loops[isa][prec],      pad_loops[isa][prec],
        down_loops[isa][prec],    along_loops[isa][prec]};
}

enum { LONG = 1 << 14 }; /* cells of a line that is faster as a matrix */

ndft_status ndft_host_stages_plan(ndft_arena *arena, const ndft_host_nufft *h, ndft_isa isa,
                                  ndft_prec prec, ndft_op op, void *grid, void *work,
                                  ndft_host_stages *s)
{
    const ndft_host_grid *g = &h->grid;
    const int sign = op == NDFT_ADJOINT ? 1 : -1;
    *s = (ndft_host_stages){.loops = loops_of(isa, prec), .complex = 2 * ndft_real_size(prec)};
    for (int d = 0; d < g->dim && g->dim > 1; d++)
        NDFT_TRY(ndft_lanes_fft_plan(arena, prec, sign, g->cells[d], &s->axis[d]));
    if (g->dim > 1) return NDFT_OK;
    s->matrix = isa == NDFT_X86_64_V4 && g->cells[0] >= LONG && ndft_line_fft_rows(g->cells[0]);
    if (s->matrix) return ndft_line_fft_plan(arena, prec, sign, g->cells[0], &s->line);
    const ndft_fft_lines cells = {grid, 1, 1}, buffer = {work, 1, 1};
    return ndft_fft_plan(arena->exec->error, prec, sign, g->cells[0], 1,
                         op == NDFT_ADJOINT ? cells : buffer, op == NDFT_ADJOINT ? buffer : cells,
                         &s->host_line);
}

void ndft_host_stages_destroy(ndft_host_stages *s) { ndft_fft_destroy(&s->host_line); }

static size_t lines_bytes(const ndft_host_grid *g, size_t complex)
{
    return (size_t)ndft_lines(g) * (size_t)g->cells[g->dim - 1] * complex;
}

/* A thread's work begins with what transforms need, then there are lines: of some coils, or the
 * rows' of one. */
static size_t scratch_bytes(const ndft_host_grid *g, size_t complex)
{
    size_t most = g->dim > 1 ? 0 : ndft_line_fft_scratch(g->cells[0], complex);
    for (int d = 0; d < g->dim && g->dim > 1; d++) {
        const size_t one = ndft_lanes_fft_scratch(g->cells[d], complex);
        if (one > most) most = one;
    }
    return most;
}

size_t ndft_host_lines_bytes(const ndft_host_grid *g, ndft_prec prec, int coils)
{
    const size_t complex = 2 * ndft_real_size(prec);
    const size_t columns = (size_t)coils * lines_bytes(g, complex);
    const size_t rows = g->dim > 1 ? (size_t)(g->cells[0] + NDFT_LINES) * NDFT_LINES * complex : 0;
    return scratch_bytes(g, complex) + (columns > rows ? columns : rows);
}

static char *scratch_of(const ndft_host_job *job)
{
    return job->work + (size_t)omp_get_thread_num() * job->work_bytes;
}

static char *lines_memory(const ndft_host_stages *s, const ndft_host_job *job)
{
    return scratch_of(job) + scratch_bytes(&job->plan->grid, s->complex);
}

/* Sizes that all stages go over. */
typedef struct extent {
    const ndft_host_grid *grid;
    size_t complex;       /* bytes */
    int64_t sets, blocks; /* of rows of one slice, of one row */
    int64_t planes;       /* voxels along y, of three axes */
} extent;

static extent extent_of(const ndft_host_stages *s, const ndft_host_job *job)
{
    const ndft_host_grid *g = &job->plan->grid;
    return (extent){.grid = g,
                    .complex = s->complex,
                    .sets = g->dim > 2 ? (g->cells[1] + NDFT_LINES - 1) / NDFT_LINES : 1,
                    .blocks = g->dim > 1 ? ndft_blocks(g) : 1,
                    .planes = g->dim > 2 ? g->n[1] : 1};
}

static char *grid_of(const extent *e, const ndft_host_job *job, int64_t coil)
{
    return (char *)job->grid + (size_t)(coil * e->grid->size) * e->complex;
}

static char *cell_of(const extent *e, char *grid, int64_t x, int64_t y, int64_t z)
{
    return grid + (size_t)(x + y * e->grid->step[1] + z * e->grid->step[2]) * e->complex;
}

/* NDFT_LINES rows, at a plane's end fewer, of which the last stands for what is missing. */
typedef struct row_set {
    int64_t y, z, count;
    char *grid;
    void *row[NDFT_LINES];
} row_set;

/* Set number i of a slice of one grid. */
static row_set rows_of(const extent *e, char *grid, int64_t slice, int64_t i)
{
    const bool plane = e->grid->dim > 2;
    row_set r = {.y = (plane ? i : slice) * NDFT_LINES, .z = plane ? slice : 0, .grid = grid};
    const int64_t left = e->grid->cells[1] - r.y;
    r.count = left < NDFT_LINES ? left : NDFT_LINES;
    for (int k = 0; k < NDFT_LINES; k++)
        r.row[k] = cell_of(e, grid, 0, r.y + (k < r.count ? k : r.count - 1), r.z);
    return r;
}

static void over_rows(const extent *e, const row_set *r, ndft_row_loop *loop)
{
    for (int64_t y = r->y; y < r->y + r->count; y++) loop(e->grid, r->grid, y, r->z);
}

/* From grids only the cells are written that have voxels, from images only these are read. */
static void transform_rows(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                           const row_set *r, bool from_image)
{
    void *memory = lines_memory(s, job);
    const ndft_lanes lines = {memory, 2 * NDFT_LINES};
    s->loops.to_lines(e->grid, r->row, memory, from_image);
    s->loops.transform(&s->axis[0], lines, lines, scratch_of(job));
    s->loops.to_rows(e->grid, r->row, memory, !from_image);
}

/* Columns along the last axis: number i of all blocks and y that have voxels. */
static ndft_host_lines lines_of(const ndft_host_stages *s, const ndft_host_job *job,
                                const extent *e, int64_t i)
{
    const ndft_host_grid *g = e->grid;
    ndft_host_lines lines = {.memory = lines_memory(s, job), .parts = 1};
    if (g->dim > 1) lines.x = ndft_block_start(g, i % e->blocks);
    if (g->dim > 2) lines.y = ndft_cell_of_voxel(g, 1, i / e->blocks);
    return lines;
}

/* Of three axes columns along the second, all of one grid's plane; from an image there is nothing
 * yet between those of their cells that have voxels. */
static void transform_middle(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                             char *grid, int64_t plane, bool from_image)
{
    const ndft_host_grid *g = e->grid;
    for (int64_t i = 0; g->dim > 2 && i < e->blocks; i++) {
        char *columns = cell_of(e, grid, ndft_block_start(g, i), 0, plane);
        const ndft_lanes lanes = {columns, 2 * g->step[1]};
        const int64_t end = from_image ? g->cells[1] - g->n[1] / 2 : 0;
        for (int64_t y = ndft_high_voxels(g, 1); y < end; y++)
            memset(cell_of(e, columns, 0, y, 0), 0, NDFT_LINES * e->complex);
        s->loops.transform(&s->axis[1], lanes, lanes, scratch_of(job));
    }
}

/* All rows, and columns along the second of three axes. */
static void transform_slices(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                             bool halo)
{
    for (int64_t at = 0, slice; (slice = ndft_take_task(&job->plan->slices, &at)) >= 0;) {
        ndft_wait_for_stripes(job->plan, job->round, slice);
        for (int c = 0; c < job->coils; c++) {
            char *grid = grid_of(e, job, c);
            for (int64_t i = 0; i < e->sets; i++) {
                const row_set r = rows_of(e, grid, slice, i);
                if (halo) over_rows(e, &r, s->loops.fold);
                if (e->grid->dim > 1) transform_rows(s, job, e, &r, false);
            }
            transform_middle(s, job, e, grid, slice, false);
        }
    }
    ndft_meet(job->meeting);
}

static void transform_lines(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                            const ndft_host_lines *lines, bool to_grid)
{
    const int last = e->grid->dim - 1;
    for (int c = 0; c < job->coils; c++) {
        const ndft_lanes columns = {cell_of(e, grid_of(e, job, c), lines->x, lines->y, 0),
                                    2 * e->grid->step[last]};
        const ndft_lanes buffer = {
            (char *)lines->memory + (size_t)c * lines_bytes(e->grid, e->complex), 2 * NDFT_LINES};
        const ndft_lanes from = to_grid ? buffer : columns, to = to_grid ? columns : buffer;
        if (last > 0)
            s->loops.transform(&s->axis[last], from, to, scratch_of(job));
        else
            ndft_fft_run(&s->host_line, from.cells, to.cells);
    }
}

/* Some coils of a job's. */
static ndft_host_job job_of(const ndft_host_job *job, const extent *e, int coil, int coils)
{
    ndft_host_job some = *job;
    some.coil += coil;
    some.coils = coils;
    some.grid = grid_of(e, job, coil);
    return some;
}

/* Whose lines go together: what weighs voxels is found once for all coils, but long lines in 1D are
 * to stay in the cache from one step to the next. */
static int coils_of_lines(const ndft_host_job *job)
{
    return job->plan->grid.dim == 1 ? 1 : job->coils;
}

/* The one line of a coil in 1D, by all threads of the team. */
static void transform_line(const ndft_host_stages *s, const ndft_host_job *job, void *from,
                           void *to)
{
    const int64_t rows = s->line.down.cells, columns = s->line.along.cells;
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < columns / NDFT_FFT_LANES; i++)
        s->loops.down(&s->line, from, i, scratch_of(job));
    ndft_meet(job->meeting);
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < rows / NDFT_FFT_LANES; i++)
        s->loops.along(&s->line, from, to, i, scratch_of(job));
    ndft_meet(job->meeting);
}

enum { LINE_PARTS = 64 };

static void over_parts(const ndft_host_job *job, const ndft_host_lines *lines,
                       ndft_lines_loop *loop)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < LINE_PARTS; i++) {
        ndft_host_lines own = *lines;
        own.part = i;
        loop(job, &own);
    }
    ndft_meet(job->meeting);
}

/* In 1D each coil's line, between its grid and the first thread's buffer: what there is to do
 * before the transform, itself, and after it. */
static void go_by_line(const ndft_host_stages *s, const ndft_host_job *job, ndft_host_parts parts,
                       ndft_lines_loop *before, ndft_lines_loop *after, bool to_grid)
{
    const extent e = extent_of(s, job);
    const ndft_host_lines lines = {.memory = job->work + scratch_bytes(e.grid, s->complex),
                                   .parts = LINE_PARTS};
    const bool transforms = parts & NDFT_HOST_TRANSFORM;
    for (int c = 0; c < job->coils; c++) {
        const ndft_host_job one = job_of(job, &e, c, 1);
        if (to_grid || !transforms) over_parts(&one, &lines, before);
        if (transforms)
            transform_line(s, job, to_grid ? lines.memory : one.grid,
                           to_grid ? one.grid : lines.memory);
        if (!to_grid || !transforms) over_parts(&one, &lines, after);
    }
}

void ndft_host_grids_to_images(const ndft_host_stages *s, const ndft_host_job *job,
                               ndft_host_parts parts, bool halo)
{
    const extent e = extent_of(s, job);
    const int coils = coils_of_lines(job);
    if (parts & NDFT_HOST_TRANSFORM) transform_slices(s, job, &e, halo);
    if (s->matrix) {
        go_by_line(s, job, parts, s->loops.take,
                   parts & NDFT_HOST_IMAGE ? s->loops.crop : s->loops.put, false);
        return;
    }
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < e.planes * e.blocks; i++) {
        const ndft_host_lines lines = lines_of(s, job, &e, i);
        for (int c = 0; c < job->coils; c += coils) {
            const ndft_host_job some = job_of(job, &e, c, coils);
            if (parts & NDFT_HOST_TRANSFORM)
                transform_lines(s, &some, &e, &lines, false);
            else
                s->loops.take(&some, &lines);
            (parts & NDFT_HOST_IMAGE ? s->loops.crop : s->loops.put)(&some, &lines);
        }
    }
}

/* Columns along the second of three axes, and all rows. */
static void fill_slices(const ndft_host_stages *s, const ndft_host_job *job, const extent *e)
{
    for (int64_t at = 0, slice; (slice = ndft_take_task(&job->plan->slices, &at)) >= 0;) {
        for (int c = 0; c < job->coils; c++) {
            char *grid = grid_of(e, job, c);
            transform_middle(s, job, e, grid, slice, true);
            for (int64_t i = 0; i < e->sets; i++) {
                const row_set r = rows_of(e, grid, slice, i);
                if (e->grid->dim > 1) transform_rows(s, job, e, &r, true);
                over_rows(e, &r, s->loops.repeat);
            }
        }
        ndft_task_is_done(&job->plan->slices, slice, job->round);
    }
}

void ndft_host_images_to_grids(const ndft_host_stages *s, const ndft_host_job *job,
                               ndft_host_parts parts)
{
    const extent e = extent_of(s, job);
    const int coils = coils_of_lines(job);
    if (s->matrix)
        go_by_line(s, job, parts, parts & NDFT_HOST_IMAGE ? s->loops.pad : s->loops.take,
                   s->loops.put, true);
#pragma omp for schedule(static) nowait
    for (int64_t i = 0; i < (s->matrix ? 0 : e.planes * e.blocks); i++) {
        const ndft_host_lines lines = lines_of(s, job, &e, i);
        for (int c = 0; c < job->coils; c += coils) {
            const ndft_host_job some = job_of(job, &e, c, coils);
            (parts & NDFT_HOST_IMAGE ? s->loops.pad : s->loops.take)(&some, &lines);
            if (parts & NDFT_HOST_TRANSFORM)
                transform_lines(s, &some, &e, &lines, true);
            else
                s->loops.put(&some, &lines);
        }
    }
    ndft_meet(job->meeting);
    if (parts & NDFT_HOST_TRANSFORM) fill_slices(s, job, &e);
}
