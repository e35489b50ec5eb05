/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"
#include "host_tensor.h"
#include "host_waits.h"

/*
 * Sorensen's forward convolution: who has a batch of samples goes through the rows of cells that
 * these read, reads each row once and adds its part to every sample whose window it crosses. Rows
 * are known from the plan. Of samples along a trajectory many share a row; of scattered ones few
 * do, and rows are as many as there are windows' rows.
 */

enum { MOST_BATCH = 512 };

/* Adds to each sample what it takes of a row, lane by lane. */
NDFT_INLINED void add_row(const ndft_batch *b, ndft_cell_row row, int64_t coil, ndft_vector *sum,
                          const int vectors)
{
    const ndft_host_nufft *plan = b->plan;
    const ndft_host_grid *g = &plan->grid;
    const unsigned width = (unsigned)plan->window.width;
    const ndft_real *cells = (const ndft_real *)b->job->grid +
                             2 * (coil * g->size + row.y * g->step[1] + row.z * g->step[2]);
    for (int j = row.begin; j < row.end; j++) {
        const int x = b->cell[0][j], y = b->cell[1] ? row.y - b->cell[1][j] : 0;
        const int z = b->cell[2] ? row.z - b->cell[2][j] : 0;
        const bool crossed = (unsigned)y < width && (unsigned)z < width;
        if (!crossed || x < row.x || x >= row.x + row.cells) continue;
        const ndft_vector *from = (const ndft_vector *)(cells + (int64_t)2 * x);
        const ndft_sample s = ndft_sample_at(b, coil, j, vectors);
        ndft_vector part = {0};
        for (int v = 0; v < vectors; v++) part += from[v] * s.x[v];
        sum[j] += part * (s.y[y * NDFT_LANES] * s.z[z * NDFT_LANES]);
    }
}

NDFT_INLINED void interpolate(const ndft_batch *b, const int vectors, const int dim)
{
    const ndft_cell_rows *rows = &b->plan->rows;
    const int64_t batch = b->first / b->plan->batch;
    ndft_vector sum[MOST_BATCH];
    (void)dim;
    for (int c = 0; c < b->job->coils; c++) {
        for (int j = 0; j < b->plan->batch; j++) sum[j] = (ndft_vector){0};
        for (int64_t r = rows->start[batch]; r < rows->start[batch + 1]; r++)
            add_row(b, rows->row[r], c, sum, vectors);
        for (int j = 0; j < b->count; j += NDFT_SIDE)
            *(ndft_vector *)ndft_sample_at(b, c, j, vectors).value = ndft_values_of(sum + j);
    }
    ndft_put_values(b);
}

void NDFT_LOOP(nufft_rows)(const ndft_host_job *job)
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t batch = plan->batch, count = (plan->samples + batch - 1) / batch;
    ndft_batch b = ndft_batch_of(job);
    ndft_wait_for_rows(plan, job->round, 0, plan->samples);
#pragma omp for schedule(dynamic) nowait
    for (int64_t i = 0; i < count; i++) {
        ndft_batch_at(&b, i * batch, plan->samples);
        ndft_weigh(&b);
        ndft_with_vectors(&b, interpolate, 0);
    }
}
