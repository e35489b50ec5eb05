/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"
#include "host_tensor.h"

/* Hybrid: a tile takes of all windows that reach into it what is its own; cells are written once.
 */

NDFT_INLINED void add_to_tile(const ndft_batch *b, const int vectors, const int dim)
{
    (void)dim;
    ndft_inner_loop_tile(b, true, vectors);
}

static void spread(const ndft_batch *b)
{
    ndft_take_values(b);
    ndft_weigh(b);
    ndft_with_vectors(b, add_to_tile, 0);
}

static void write_to_grid(const ndft_batch *b, int c)
{
    const ndft_cache_tile *t = &b->tile;
    const ndft_host_grid *g = &b->plan->grid;
    int64_t origin = c * g->size;
    for (int d = 0; d < g->dim; d++) origin += t->origin[d] * g->step[d];
    for (int64_t z = 0; z < t->extent[2]; z++)
        for (int64_t y = 0; y < t->extent[1]; y++)
            memcpy((ndft_real *)b->job->grid + 2 * (origin + y * g->step[1] + z * g->step[2]),
                   t->cells + 2 * (c * t->size + t->before + y * t->step[1] + z * t->step[2]),
                   (size_t)t->extent[0] * 2 * sizeof(ndft_real));
}

/* All windows that reach into tile number i, gathered from its runs into whole batches. */
static void add_runs(ndft_batch *b, int64_t i)
{
    const ndft_host_nufft *plan = b->plan;
    b->count = 0;
    for (int64_t r = plan->runs.start[i]; r < plan->runs.start[i + 1]; r++) {
        const ndft_run run = plan->runs.run[r];
        for (int64_t j = run.first; j < run.first + run.count; j++) {
            ndft_batch_gather(b, j);
            if (b->count < plan->batch) continue;
            spread(b);
            b->count = 0;
        }
    }
    if (b->count) spread(b);
}

void NDFT_LOOP(nufft_hybrid)(const ndft_host_job *job)
{
    const ndft_host_nufft *plan = job->plan;
    const int64_t tiles = ndft_tile_number(&plan->sorted);
    ndft_batch b = ndft_batch_of(job);
#pragma omp for schedule(dynamic) nowait
    for (int64_t i = 0; i < tiles; i++) {
        ndft_open_tile(&b, i, plan->window.width - 1, 0);
        add_runs(&b, i);
        for (int c = 0; c < job->coils; c++) write_to_grid(&b, c);
    }
    ndft_meet(job->meeting);
}
