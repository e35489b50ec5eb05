/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"
#include "host_turns.h"

/* Output-driven: a padded tile in the cache gathers its samples' windows, then goes to the grid. */

NDFT_INLINED void add_to_tile(const ndft_batch *b, const int vectors, const int dim)
{
    (void)dim;
    ndft_inner_loop_tile(b, false, vectors);
}

static void spread(const ndft_batch *b)
{
    ndft_take_values(b);
    ndft_weigh(b);
    ndft_with_vectors(b, add_to_tile, 0);
}

/* Adds the tile, and what surrounds it, to one coil's grid. */
static void add_to_grid(const ndft_batch *b, int c)
{
    const ndft_cache_tile *t = &b->tile;
    const ndft_host_grid *g = &b->plan->grid;
    const int64_t around = b->plan->window.width - 1;
    const int64_t rows_y = g->dim > 1 ? t->extent[1] + around : 1;
    const int64_t rows_z = g->dim > 2 ? t->extent[2] + around : 1;
    const int64_t reals = 2 * (t->extent[0] + around);
    int64_t origin = c * g->size;
    for (int d = 0; d < g->dim; d++) origin += t->origin[d] * g->step[d];
    for (int64_t z = 0; z < rows_z; z++) {
        for (int64_t y = 0; y < rows_y; y++) {
            const ndft_real *restrict from =
                t->cells + 2 * (c * t->size + y * t->step[1] + z * t->step[2]);
            ndft_real *restrict to =
                (ndft_real *)b->job->grid + 2 * (origin + y * g->step[1] + z * g->step[2]);
#pragma omp simd
            for (int64_t i = 0; i < reals; i++) to[i] += from[i];
        }
    }
}

static void add_stripe(ndft_batch *b, int64_t stripe)
{
    const ndft_sorted *s = &b->plan->sorted;
    for (int64_t i = stripe * s->per_stripe; i < (stripe + 1) * s->per_stripe; i++) {
        if (s->start[i] == s->start[i + 1]) continue;
        ndft_open_tile(b, i, 0, b->plan->window.width - 1);
        ndft_in_batches(b, s->start[i], s->start[i + 1], spread);
        for (int c = 0; c < b->job->coils; c++) add_to_grid(b, c);
    }
}

void NDFT_LOOP(nufft_output_driven)(const ndft_host_job *job) { ndft_in_stripes(job, add_stripe); }
