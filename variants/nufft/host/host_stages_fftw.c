/* SPDX-License-Identifier: Apache-2.0 */
#include "host_plan.h"

#include <omp.h>
#include <string.h>

static ndft_row_loop *const fold_loops[3][2] = NDFT_LOOP_TABLE(nufft_fold_row);
static ndft_row_loop *const repeat_loops[3][2] = NDFT_LOOP_TABLE(nufft_repeat_row);
static void (*const clear_loops[3][2])(const ndft_host_grid *,
                                       void *) = NDFT_LOOP_TABLE(nufft_clear_row);
static ndft_lines_loop *const take_loops[3][2] = NDFT_LOOP_TABLE(nufft_take_lines);
static ndft_lines_loop *const put_loops[3][2] = NDFT_LOOP_TABLE(nufft_put_lines);
static ndft_lines_loop *const crop_loops[3][2] = NDFT_LOOP_TABLE(nufft_crop);
static ndft_lines_loop *const pad_loops[3][2] = NDFT_LOOP_TABLE(nufft_pad);

ndft_status ndft_host_stages_plan(ndft_error *error, const ndft_host_nufft *h, ndft_isa isa,
                                  ndft_prec prec, ndft_op op, void *grid, void *work,
                                  ndft_host_stages *s)
{
    const ndft_host_grid *g = &h->grid;
    const int last = g->dim - 1, sign = op == NDFT_ADJOINT ? 1 : -1;
    const ndft_fft_lines row = {grid, 1, g->held[0]}, middle = {grid, g->step[1], 1};
    const ndft_fft_lines columns = {grid, g->step[last], 1}, buffer = {work, 1, g->cells[last]};
    *s = (ndft_host_stages){.loops = {fold_loops[isa][prec], repeat_loops[isa][prec],
                                      clear_loops[isa][prec], take_loops[isa][prec],
                                      put_loops[isa][prec], crop_loops[isa][prec],
                                      pad_loops[isa][prec]}};
    if (last > 0)
        NDFT_TRY(ndft_fft_plan(error, prec, sign, g->cells[0], 1, row, row, &s->fft[NDFT_FFT_ROW]));
    if (last > 1)
        NDFT_TRY(ndft_fft_plan(error, prec, sign, g->cells[1], NDFT_LINES, middle, middle,
                               &s->fft[NDFT_FFT_MIDDLE]));
    return ndft_fft_plan(error, prec, sign, g->cells[last], ndft_lines(g),
                         op == NDFT_ADJOINT ? columns : buffer,
                         op == NDFT_ADJOINT ? buffer : columns, &s->fft[NDFT_FFT_LAST]);
}

void ndft_host_stages_destroy(ndft_host_stages *s)
{
    for (int i = 0; i < NDFT_FFTS; i++) ndft_fft_destroy(&s->fft[i]);
}

static size_t lines_bytes(const ndft_host_grid *g, size_t complex)
{
    return (size_t)ndft_lines(g) * (size_t)g->cells[g->dim - 1] * complex;
}

size_t ndft_host_lines_bytes(const ndft_host_grid *g, ndft_prec prec, int coils)
{
    return (size_t)coils * lines_bytes(g, 2 * ndft_real_size(prec));
}

/* Sizes that all stages go over. */
typedef struct extent {
    const ndft_host_grid *grid;
    size_t complex;       /* bytes */
    int64_t rows, blocks; /* of one grid, of one row */
    int64_t planes;       /* voxels along y, of three axes */
} extent;

static extent extent_of(const ndft_host_stages *s, const ndft_host_job *job)
{
    const ndft_host_grid *g = &job->plan->grid;
    return (extent){.grid = g,
                    .complex = 2 * ndft_real_size(s->fft[NDFT_FFT_LAST].prec),
                    .rows = g->cells[1] * g->cells[2],
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

/* Row i of all coils' grids. */
static void transform_row(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                          int64_t i, bool halo)
{
    const ndft_host_grid *g = e->grid;
    const int64_t y = i % e->rows % g->cells[1], z = i % e->rows / g->cells[1];
    char *grid = grid_of(e, job, i / e->rows), *row = cell_of(e, grid, 0, y, z);
    if (halo) s->loops.fold(g, grid, y, z);
    if (g->dim > 1) ndft_fft_run(&s->fft[NDFT_FFT_ROW], row, row);
}

/* NDFT_LINES columns along y, one block of one z of one coil. */
static char *middle_of(const ndft_host_job *job, const extent *e, int64_t i)
{
    const int64_t block = i % e->blocks, z = i / e->blocks % e->grid->cells[2];
    char *grid = grid_of(e, job, i / e->blocks / e->grid->cells[2]);
    return cell_of(e, grid, ndft_block_start(e->grid, block), 0, z);
}

/* Columns along the last axis: number i of all blocks and y that have voxels. */
static ndft_host_lines lines_of(const ndft_host_job *job, const extent *e, int64_t i)
{
    const ndft_host_grid *g = e->grid;
    ndft_host_lines lines = {.memory = job->work + (size_t)omp_get_thread_num() * job->work_bytes};
    if (g->dim > 1) lines.x = ndft_block_start(g, i % e->blocks);
    if (g->dim > 2) lines.y = ndft_cell_of_voxel(g, 1, i / e->blocks);
    return lines;
}

/* All rows, then columns along the second of three axes. */
static void transform_planes(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                             bool halo)
{
#pragma omp for schedule(static)
    for (int64_t i = 0; i < job->coils * e->rows; i++) transform_row(s, job, e, i, halo);
    if (e->grid->dim < 3) return;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < job->coils * e->grid->cells[2] * e->blocks; i++) {
        char *columns = middle_of(job, e, i);
        ndft_fft_run(&s->fft[NDFT_FFT_MIDDLE], columns, columns);
    }
}

static void transform_lines(const ndft_host_stages *s, const ndft_host_job *job, const extent *e,
                            const ndft_host_lines *lines, bool to_grid)
{
    for (int c = 0; c < job->coils; c++) {
        char *columns = cell_of(e, grid_of(e, job, c), lines->x, lines->y, 0);
        char *buffer = (char *)lines->memory + (size_t)c * lines_bytes(e->grid, e->complex);
        ndft_fft_run(&s->fft[NDFT_FFT_LAST], to_grid ? buffer : columns,
                     to_grid ? columns : buffer);
    }
}

void ndft_host_grids_to_images(const ndft_host_stages *s, const ndft_host_job *job,
                               ndft_host_parts parts, bool halo)
{
    const extent e = extent_of(s, job);
    if (parts & NDFT_HOST_TRANSFORM) transform_planes(s, job, &e, halo);
#pragma omp for schedule(static)
    for (int64_t i = 0; i < e.planes * e.blocks; i++) {
        const ndft_host_lines lines = lines_of(job, &e, i);
        if (parts & NDFT_HOST_TRANSFORM)
            transform_lines(s, job, &e, &lines, false);
        else
            s->loops.take(job, &lines);
        (parts & NDFT_HOST_IMAGE ? s->loops.crop : s->loops.put)(job, &lines);
    }
}

/* Zeros the columns' cells between those that have voxels, then transforms them. */
static void transform_middle(const ndft_host_stages *s, const extent *e, char *columns)
{
    const ndft_host_grid *g = e->grid;
    for (int64_t y = ndft_high_voxels(g, 1); y < g->cells[1] - g->n[1] / 2; y++)
        memset(cell_of(e, columns, 0, y, 0), 0, NDFT_LINES * e->complex);
    ndft_fft_run(&s->fft[NDFT_FFT_MIDDLE], columns, columns);
}

/* Columns along the second of three axes, then all rows. */
static void transform_rest(const ndft_host_stages *s, const ndft_host_job *job, const extent *e)
{
    const ndft_host_grid *g = e->grid;
    if (g->dim > 2) {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < job->coils * g->cells[2] * e->blocks; i++)
            transform_middle(s, e, middle_of(job, e, i));
    }
#pragma omp for schedule(static)
    for (int64_t i = 0; i < job->coils * e->rows; i++) {
        const int64_t y = i % e->rows % g->cells[1], z = i % e->rows / g->cells[1];
        char *grid = grid_of(e, job, i / e->rows);
        if (g->dim > 1) s->loops.clear(g, cell_of(e, grid, 0, y, z));
        transform_row(s, job, e, i, false);
        s->loops.repeat(g, grid, y, z);
    }
}

void ndft_host_images_to_grids(const ndft_host_stages *s, const ndft_host_job *job,
                               ndft_host_parts parts)
{
    const extent e = extent_of(s, job);
#pragma omp for schedule(static)
    for (int64_t i = 0; i < e.planes * e.blocks; i++) {
        const ndft_host_lines lines = lines_of(job, &e, i);
        (parts & NDFT_HOST_IMAGE ? s->loops.pad : s->loops.take)(job, &lines);
        if (parts & NDFT_HOST_TRANSFORM)
            transform_lines(s, job, &e, &lines, true);
        else
            s->loops.put(job, &lines);
    }
    if (parts & NDFT_HOST_TRANSFORM) transform_rest(s, job, &e);
}
