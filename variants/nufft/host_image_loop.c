/* SPDX-License-Identifier: Apache-2.0 */
#include "host_image_loop.h"
#include "rank_weights.h"

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

/* What stands along the last axis for one place on the others. */
typedef struct line_set {
    int axis;                /* the last */
    int64_t cells;           /* along it */
    int64_t at[NDFT_LINES];  /* a line's first voxel on the grid, -1: none */
    real factor[NDFT_LINES]; /* deapodisation along the other axes */
    int64_t step;            /* voxels from one cell of a line to the next */
} line_set;

static line_set lines_of(const ndft_host_nufft *plan, const ndft_host_lines *lines)
{
    const ndft_host_grid *g = &plan->grid;
    line_set s = {.axis = g->dim - 1, .cells = g->cells[g->dim - 1], .step = 1};
    for (int d = 0; d < s.axis; d++) s.step *= g->n[d];
    for (int i = 0; i < NDFT_LINES; i++) {
        const int64_t x = s.axis > 0 ? ndft_voxel_of_cell(g, 0, lines->x + i) : i ? -1 : 0;
        const int64_t y = s.axis > 1 ? ndft_voxel_of_cell(g, 1, lines->y) : 0;
        s.at[i] = x < 0 ? -1 : x + y * g->n[0];
        s.factor[i] = 1;
        if (x >= 0 && s.axis > 0) s.factor[i] = ((const real *)plan->deapodise[0])[x];
        if (s.axis > 1) s.factor[i] *= ((const real *)plan->deapodise[1])[y];
    }
    return s;
}

/* Element of the image, -1 where the mask leaves it out. */
static int64_t element_of(const ndft_host_nufft *plan, int64_t voxel)
{
    return plan->voxel ? plan->voxel[voxel] : voxel;
}

/* Calls with each voxel of the lines: its line, cell, element and weight. */
typedef void voxel_body(const ndft_host_job *, real *cell, int64_t element, const real weight[2]);

static inline __attribute__((always_inline)) void
for_voxels(const ndft_host_job *job, const ndft_host_lines *lines, voxel_body *body)
{
    const ndft_host_nufft *plan = job->plan;
    const line_set s = lines_of(plan, lines);
    const real *deapodise = plan->deapodise[s.axis];
    for (int64_t voxel = 0; voxel < plan->grid.n[s.axis]; voxel++) {
        real *cell = (real *)lines->memory + 2 * ndft_cell_of_voxel(&plan->grid, s.axis, voxel);
        for (int i = 0; i < NDFT_LINES; i++, cell += 2 * s.cells) {
            if (s.at[i] < 0) continue;
            const int64_t element = element_of(plan, s.at[i] + voxel * s.step);
            if (element < 0) continue;
            real weight[2] = {s.factor[i] * deapodise[voxel], 0};
            if (!plan->rank.plain)
                ndft_rank_voxel(&plan->rank, plan->voxels, element, job->term, weight[0], weight);
            body(job, cell, element, weight);
        }
    }
}

static int64_t line_reals(const ndft_host_job *job)
{
    const ndft_host_grid *g = &job->plan->grid;
    return 2 * NDFT_LINES * g->cells[g->dim - 1];
}

static inline void put_voxel(const ndft_host_job *job, real *cell, int64_t element, const real w[2])
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t reals = line_reals(job);
    real *to = (real *)job->out + 2 * (job->coil * plan->voxel_coil + element * plan->element);
    for (int c = 0; c < job->coils; c++, cell += reals, to += 2 * plan->voxel_coil) {
        const real re = cell[0] * w[0] + cell[1] * w[1], im = cell[1] * w[0] - cell[0] * w[1];
        to[0] = job->term ? to[0] + re : re;
        to[1] = job->term ? to[1] + im : im;
    }
}

void NDFT_LOOP(nufft_crop)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    for_voxels(job, lines, put_voxel);
}

static inline void take_voxel(const ndft_host_job *job, real *cell, int64_t element,
                              const real w[2])
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t reals = line_reals(job);
    const real *from =
        (const real *)job->in + 2 * (job->coil * plan->voxel_coil + element * plan->element);
    for (int c = 0; c < job->coils; c++, cell += reals, from += 2 * plan->voxel_coil) {
        cell[0] = from[0] * w[0] - from[1] * w[1];
        cell[1] = from[0] * w[1] + from[1] * w[0];
    }
}

void NDFT_LOOP(nufft_pad)(const ndft_host_job *job, const ndft_host_lines *lines)
{
    memset(lines->memory, 0, (size_t)job->coils * (size_t)line_reals(job) * sizeof(real));
    for_voxels(job, lines, take_voxel);
}
