/* SPDX-License-Identifier: Apache-2.0 */
#include "host_known.h"
#include "host_tensor.h"
#include "host_waits.h"

#include <string.h>

typedef ndft_real real;

/* Complex cells of a buffer's lines, and of their columns on the grids. */
NDFT_INLINED void copy_lines(const ndft_host_job *job, const ndft_host_lines *lines,
                             const bool back)
{
    const ndft_host_grid *g = &job->plan->grid;
    const int64_t last = g->dim - 1, cells = g->cells[last], count = ndft_lines(g);
    const size_t bytes = (size_t)count * 2 * sizeof(real);
    for (int c = 0; c < job->coils; c++) {
        real *cell = (real *)lines->memory + 2 * c * count * cells;
        real *column = (real *)job->grid + 2 * (c * g->size + lines->x + lines->y * g->step[1]);
        for (int64_t k = ndft_part_of(lines, cells, 0); k < ndft_part_of(lines, cells, 1); k++) {
            real *in = cell + 2 * count * k, *on = column + 2 * g->step[last] * k;
            memcpy(back ? on : in, back ? in : on, bytes);
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
    int64_t begin, end;      /* the voxels that are meant */
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
    s.begin = ndft_part_of(lines, s.voxels, 0);
    s.end = ndft_part_of(lines, s.voxels, 1);
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

/* Cells or voxels of the one line in 1D, each by its own factor. */
static void weigh_along(real *restrict to, const real *restrict from, const real *factor,
                        int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        to[2 * i] = from[2 * i] * factor[i];
        to[2 * i + 1] = from[2 * i + 1] * factor[i];
    }
}

/* The voxels of one coil's line, those of either half in one piece. */
static void weigh_line(const line_set *s, real *line, real *image, const real *factor, bool to_line)
{
    const int64_t low = s->voxels / 2, first[] = {0, low}, last[] = {low, s->voxels};
    for (int i = 0; i < 2; i++) {
        const int64_t begin = s->begin > first[i] ? s->begin : first[i];
        const int64_t end = s->end < last[i] ? s->end : last[i];
        real *cell = line + 2 * (begin + (i ? 0 : s->cells) - low), *voxel = image + 2 * begin;
        weigh_along(to_line ? cell : voxel, to_line ? voxel : cell, factor + begin, end - begin);
    }
}

/* Voxels beside each other, to or from the lines. */
NDFT_INLINED void weigh_beside(const ndft_host_job *job, const line_set *s, real *lines,
                               const bool to_lines, const int count)
{
    const ndft_host_nufft *plan = job->plan;
    const real *along = plan->deapodise[s->axis];
    for (int c = 0; count == 1 && c < job->coils; c++) {
        real *image = to_lines ? (real *)job->in : (real *)job->out;
        weigh_line(s, lines + 2 * c * s->cells, image + 2 * (job->coil + c) * plan->voxel_coil,
                   along, to_lines);
    }
    for (int64_t voxel = s->begin; count > 1 && voxel < s->end; voxel++) {
        const int64_t at = 2 * (s->at[0] + voxel * s->step);
        real *cell = lines + 2 * count * ndft_cell_of_voxel(&plan->grid, s->axis, voxel);
        real factor[2 * NDFT_LINES];
        for (int i = 0; i < 2 * count; i++) factor[i] = s->factor[i / 2] * along[voxel];
        for (int c = job->coil; c < job->coil + job->coils; c++, cell += 2 * count * s->cells) {
            real *image =
                (to_lines ? (real *)job->in : (real *)job->out) + 2 * c * plan->voxel_coil;
            const real *restrict from = to_lines ? image + at : cell;
            real *restrict to = to_lines ? cell : image + at;
            for (int i = 0; i < 2 * count; i++) to[i] = from[i] * factor[i];
        }
    }
}

/* Zeros the lines' cells that have no voxel. */
static void clear_between(const ndft_host_job *job, const line_set *s, const ndft_host_lines *lines,
                          int count)
{
    const int64_t high = ndft_high_voxels(&job->plan->grid, s->axis), none = s->cells - s->voxels;
    const int64_t begin = ndft_part_of(lines, none, 0), end = ndft_part_of(lines, none, 1);
    for (int c = 0; c < job->coils; c++)
        memset((real *)lines->memory + 2 * count * (c * s->cells + high + begin), 0,
               (size_t)((end - begin) * count) * 2 * sizeof(real));
}

NDFT_INLINED void crop(const ndft_host_job *job, const ndft_host_lines *lines, const int count)
{
    const ndft_host_nufft *plan = job->plan;
    const line_set s = lines_of(plan, lines, count);
    if (are_beside(plan, &s, count)) {
        weigh_beside(job, &s, lines->memory, false, count);
        return;
    }
    for (int64_t voxel = s.begin; voxel < s.end; voxel++) {
        const voxel_row row = row_at(plan, &s, job->term, voxel, count);
        const real *cell =
            (real *)lines->memory + 2 * count * ndft_cell_of_voxel(&plan->grid, s.axis, voxel);
        for (int c = job->coil; c < job->coil + job->coils;
             c++, cell += 2 * count * (s.cells - 1)) {
            real *image = (real *)job->out + 2 * c * plan->voxel_coil;
            for (int i = 0; i < count; i++, cell += 2) {
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
    clear_between(job, &s, lines, count);
    if (are_beside(plan, &s, count)) {
        weigh_beside(job, &s, lines->memory, true, count);
        return;
    }
    for (int64_t voxel = s.begin; voxel < s.end; voxel++) {
        const voxel_row row = row_at(plan, &s, job->term, voxel, count);
        real *cell =
            (real *)lines->memory + 2 * count * ndft_cell_of_voxel(&plan->grid, s.axis, voxel);
        for (int c = job->coil; c < job->coil + job->coils;
             c++, cell += 2 * count * (s.cells - 1)) {
            const real *image = (const real *)job->in + 2 * c * plan->voxel_coil;
            for (int i = 0; i < count; i++, cell += 2) {
                cell[0] = cell[1] = 0;
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

static void interpolate(const ndft_batch *b)
{
    ndft_fetch_values(b, true);
    ndft_weigh(b);
    if (!ndft_sum_narrow(b)) ndft_with_dim(b, ndft_sum_from_grids);
    ndft_put_values(b);
}

void NDFT_LOOP(nufft_interpolate)(const ndft_host_job *job)
{
    const int64_t samples = job->plan->samples, portion = ndft_portion_samples(job->plan);
    ndft_batch b = ndft_batch_of(job);
    ndft_begin_rows(&b);
    for (int64_t at = 0, i; (i = ndft_take_task(&job->plan->portions, &at)) >= 0;) {
        const int64_t end = (i + 1) * portion < samples ? (i + 1) * portion : samples;
        ndft_wait_for_rows(job->plan, job->round, i * portion, end);
        ndft_in_batches(&b, i * portion, end, interpolate);
    }
}
