/* SPDX-License-Identifier: Apache-2.0 */
#include "host_heavy.h"
#include "host_strip.h"
#include "host_turns.h"

/* Sample-driven: windows are added to the grid where they lie. */

static void spread(const ndft_batch *b)
{
    ndft_fetch_values(b, false);
    ndft_weigh(b);
    ndft_take_values(b);
    if (b->plan->strips)
        ndft_add_in_strips(b);
    else
        ndft_with_dim(b, ndft_add_to_grids);
}

/* A stripe's samples, where it has heavy tiles but for theirs. */
static void add_stripe(ndft_batch *b, int64_t stripe)
{
    const ndft_sorted *s = &b->plan->sorted;
    const ndft_turns *t = &b->plan->turns;
    int64_t begin = s->start[stripe * s->per_stripe];
    ndft_begin_rows(b);
    for (int64_t i = t->first_part[stripe]; i < t->first_part[stripe + 1]; i++) {
        ndft_in_batches(b, begin, t->part[i].begin, spread);
        begin = t->part[i].end;
        ndft_add_heavy(b, i);
    }
    ndft_in_batches(b, begin, s->start[(stripe + 1) * s->per_stripe], spread);
}

void NDFT_LOOP(nufft_scatter)(const ndft_host_job *job)
{
    ndft_batch b = ndft_batch_of(job);
    ndft_begin_rows(&b);
    if (job->plan->turns.parts) {
#pragma omp for schedule(dynamic) nowait
        for (int64_t i = 0; i < job->plan->turns.parts; i++) ndft_spread_heavy(&b, i, spread);
        ndft_meet(job->meeting);
    }
    ndft_in_stripes(job, add_stripe);
}
