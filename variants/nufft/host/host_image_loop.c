/* SPDX-License-Identifier: Apache-2.0 */
#include "host_tensor.h"

#include <string.h>

typedef ndft_real real;

static real *row_of(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    return (real *)grid + 2 * (y * g->step[1] + z * g->step[2]);
}

void NDFT_LOOP(nufft_fold_row)(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    real *restrict to = row_of(g, grid, y, z);
    const int64_t reals = 2 * g->held[0], period = 2 * g->cells[0];
    for (int64_t iz = z; iz < g->held[2]; iz += g->cells[2]) {
        for (int64_t iy = y; iy < g->held[1]; iy += g->cells[1]) {
            const real *restrict from = row_of(g, grid, iy, iz);
            if (iy == y && iz == z) continue;
#pragma omp simd
            for (int64_t i = 0; i < reals; i++) to[i] += from[i];
        }
    }
    for (int64_t i = period; i < reals; i++) to[i % period] += to[i];
}

void NDFT_LOOP(nufft_clear_row)(const ndft_host_grid *g, void *row)
{
    const int64_t high = ndft_high_voxels(g, 0), low = g->cells[0] - g->n[0] / 2;
    memset((real *)row + 2 * high, 0, (size_t)(low - high) * 2 * sizeof(real));
}

void NDFT_LOOP(nufft_repeat_row)(const ndft_host_grid *g, void *grid, int64_t y, int64_t z)
{
    real *row = row_of(g, grid, y, z);
    const int64_t reals = 2 * g->held[0], period = 2 * g->cells[0];
    for (int64_t i = period; i < reals; i++) row[i] = row[i - period];
    for (int64_t iz = z; iz < g->held[2]; iz += g->cells[2])
        for (int64_t iy = y; iy < g->held[1]; iy += g->cells[1])
            if (iy != y || iz != z)
                memcpy(row_of(g, grid, iy, iz), row, (size_t)reals * sizeof(real));
}

/* Complex cells of a buffer's lines, and of their columns on the grids. */
NDFT_INLINED void copy_lines(const ndft_host_job *job, const ndft_host_lines *lines,
                             const bool back)
{
    const ndft_host_grid *g = &job->plan->grid;
    const int64_t last = g->dim - 1, cells = g->cells[last], count = ndft_lines(g);
    for (int c = 0; c < job->coils; c++) {
        real *line = (real *)lines->memory + 2 * c * count * cells;
        real *column = row_of(g, job->grid, lines->y, 0) + 2 * (c * g->size + lines->x);
        for (int64_t k = 0; k < cells; k++, column += 2 * g->step[last]) {
            for (int64_t i = 0; i < 2 * count; i++) {
                real *cell = line + 2 * (i / 2 * cells + k) + i % 2;
                if (back)
                    column[i] = *cell;
                else
                    *cell = column[i];
            }
        }
    }
}

void NDFT_LOOP(nufft_take_lines)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    copy_lines(job, lines, false);
}

void NDFT_LOOP(nufft_put_lines)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    copy_lines(job, lines, true);
}

/* The lines of a buffer: what they share along the last axis, and where each begins. */
typedef struct line_set {
    int axis;                /* the last */
    int64_t cells, voxels;   /* along it */
    int64_t step;            /* voxels of the image from one voxel of a line to the next */
    int64_t at[NDFT_LINES];  /* a line's first voxel of the image, -1: it has none */
    real factor[NDFT_LINES]; /* deapodisation along the other axes */
} line_set;

NDFT_INLINED line_set lines_of(const ndft_host_nufft *plan, const ndft_host_lines *lines,
                               const int count)
{
    const ndft_host_grid *g = &plan->grid;
    const int last = g->dim - 1;
    line_set s = {.axis = last, .cells = g->cells[last], .voxels = g->n[last], .step = 1};
    for (int d = 0; d < last; d++) s.step *= g->n[d];
    for (int i = 0; i < count; i++) {
        const int64_t x = last > 0 ? ndft_voxel_of_cell(g, 0, lines->x + i) : 0;
        const int64_t y = last > 1 ? ndft_voxel_of_cell(g, 1, lines->y) : 0;
        s.at[i] = x < 0 ? -1 : x + y * g->n[0];
        s.factor[i] = 1;
        if (x >= 0 && last > 0) s.factor[i] = ((const real *)plan->deapodise[0])[x];
        if (last > 1) s.factor[i] *= ((const real *)plan->deapodise[1])[y];
    }
    return s;
}

/* Voxels across the lines: elements of the image, -1 where there is none, and weights. */
typedef struct voxel_row {
    int64_t element[NDFT_LINES];
    real re[NDFT_LINES], im[NDFT_LINES];
} voxel_row;

/* Multiplies by the weights that voxels have in the sum over terms. */
NDFT_INLINED void weigh_term(const ndft_host_nufft *plan, int term, voxel_row *row, const int count)
{
    for (int i = 0; i < count; i++) {
        if (row->element[i] < 0) continue;
        real weight[2];
        ndft_rank_voxel(&plan->rank, plan->voxels, row->element[i], term, row->re[i], weight);
        row->re[i] = weight[0];
        row->im[i] = weight[1];
    }
}

NDFT_INLINED voxel_row row_at(const ndft_host_nufft *plan, const line_set *s, int term,
                              int64_t voxel, const int count)
{
    voxel_row row;
    const real factor = ((const real *)plan->deapodise[s->axis])[voxel];
    for (int i = 0; i < count; i++) {
        row.element[i] = s->at[i] < 0 ? -1 : s->at[i] + voxel * s->step;
        if (plan->voxel && s->at[i] >= 0) row.element[i] = plan->voxel[row.element[i]];
        row.re[i] = s->factor[i] * factor;
        row.im[i] = 0;
    }
    if (!plan->rank.plain) weigh_term(plan, term, &row, count);
    return row;
}

/* Whether voxels across the lines lie side by side in the image, and nothing but deapodisation
 * weighs them. */
NDFT_INLINED bool are_beside(const ndft_host_nufft *plan, const line_set *s, const int count)
{
    bool beside = plan->rank.plain && !plan->voxel && plan->element == 1 && s->at[0] >= 0;
    for (int i = 1; i < count; i++) beside = beside && s->at[i] == s->at[0] + i;
    return beside;
}

/* One voxel of each line, side by side in the image, to or from the lines' cells. */
NDFT_INLINED void weigh_across(const line_set *s, real *cell, real *image, const real *factor,
                               const bool to_lines, const int count)
{
    for (int i = 0; i < 2 * count; i++) {
        real *of_line = cell + 2 * (i / 2 * s->cells) + i % 2;
        if (to_lines)
            *of_line = image[i] * factor[i];
        else
            image[i] = *of_line * factor[i];
    }
}

/* Voxels beside each other, to or from the lines. */
NDFT_INLINED void weigh_beside(const ndft_host_job *job, const line_set *s, real *lines,
                               const bool to_lines, const int count)
{
    const ndft_host_nufft *plan = job->plan;
    const real *along = plan->deapodise[s->axis];
    for (int64_t voxel = 0; voxel < s->voxels; voxel++) {
        const int64_t at = 2 * (s->at[0] + voxel * s->step);
        real *cell = lines + 2 * ndft_cell_of_voxel(&plan->grid, s->axis, voxel);
        real factor[2 * NDFT_LINES];
        for (int i = 0; i < count; i++)
            factor[2 * i] = factor[2 * i + 1] = s->factor[i] * along[voxel];
        for (int c = job->coil; c < job->coil + job->coils; c++, cell += 2 * count * s->cells) {
            real *image = to_lines ? (real *)job->in : (real *)job->out;
            weigh_across(s, cell, image + 2 * c * plan->voxel_coil + at, factor, to_lines, count);
        }
    }
}

/* Zeros the lines' cells that have no voxel. */
static void clear_between(const ndft_host_job *job, const line_set *s, real *lines, int count)
{
    const ndft_host_grid *g = &job->plan->grid;
    const int64_t high = ndft_high_voxels(g, s->axis), end = s->cells - s->voxels / 2;
    for (int i = 0; i < job->coils * count; i++)
        memset(lines + 2 * (i * s->cells + high), 0, (size_t)(end - high) * 2 * sizeof(real));
}

NDFT_INLINED void crop(const ndft_host_job *job, const ndft_host_lines *lines, const int count)
{
    const ndft_host_nufft *plan = job->plan;
    const line_set s = lines_of(plan, lines, count);
    if (are_beside(plan, &s, count)) {
        weigh_beside(job, &s, lines->memory, false, count);
        return;
    }
    for (int64_t voxel = 0; voxel < s.voxels; voxel++) {
        const voxel_row row = row_at(plan, &s, job->term, voxel, count);
        const real *cell =
            (real *)lines->memory + 2 * ndft_cell_of_voxel(&plan->grid, s.axis, voxel);
        for (int c = job->coil; c < job->coil + job->coils; c++) {
            real *image = (real *)job->out + 2 * c * plan->voxel_coil;
            for (int i = 0; i < count; i++, cell += 2 * s.cells) {
                if (row.element[i] < 0) continue;
                real *to = image + 2 * row.element[i] * plan->element;
                const real re = cell[0] * row.re[i] + cell[1] * row.im[i];
                const real im = cell[1] * row.re[i] - cell[0] * row.im[i];
                to[0] = job->term ? to[0] + re : re;
                to[1] = job->term ? to[1] + im : im;
            }
        }
    }
}

void NDFT_LOOP(nufft_crop)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    if (job->plan->grid.dim > 1)
        crop(job, lines, NDFT_LINES);
    else
        crop(job, lines, 1);
}

NDFT_INLINED void pad(const ndft_host_job *job, const ndft_host_lines *lines, const int count)
{
    const ndft_host_nufft *plan = job->plan;
    const line_set s = lines_of(plan, lines, count);
    if (are_beside(plan, &s, count)) {
        clear_between(job, &s, lines->memory, count);
        weigh_beside(job, &s, lines->memory, true, count);
        return;
    }
    memset(lines->memory, 0, (size_t)(job->coils * count * s.cells) * 2 * sizeof(real));
    for (int64_t voxel = 0; voxel < s.voxels; voxel++) {
        const voxel_row row = row_at(plan, &s, job->term, voxel, count);
        real *cell = (real *)lines->memory + 2 * ndft_cell_of_voxel(&plan->grid, s.axis, voxel);
        for (int c = job->coil; c < job->coil + job->coils; c++) {
            const real *image = (const real *)job->in + 2 * c * plan->voxel_coil;
            for (int i = 0; i < count; i++, cell += 2 * s.cells) {
                if (row.element[i] < 0) continue;
                const real *from = image + 2 * row.element[i] * plan->element;
                cell[0] = from[0] * row.re[i] - from[1] * row.im[i];
                cell[1] = from[0] * row.im[i] + from[1] * row.re[i];
            }
        }
    }
}

void NDFT_LOOP(nufft_pad)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    if (job->plan->grid.dim > 1)
        pad(job, lines, NDFT_LINES);
    else
        pad(job, lines, 1);
}

NDFT_INLINED void interpolate(const ndft_batch *b, const int vectors)
{
    ndft_weigh(b, vectors);
    ndft_inner_loop_grid(b, ndft_sum_sample, vectors);
    ndft_put_values(b);
}

void NDFT_LOOP(nufft_interpolate)(const ndft_host_job *job)
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t batch = plan->batch, count = (plan->samples + batch - 1) / batch;
    ndft_batch b = ndft_batch_of(job);
    b.ahead = ndft_cells_ahead(plan);
#pragma omp for schedule(dynamic)
    for (int64_t i = 0; i < count; i++) {
        const int64_t end = (i + 1) * batch;
        ndft_in_batches(&b, i * batch, end < plan->samples ? end : plan->samples, interpolate);
    }
}
