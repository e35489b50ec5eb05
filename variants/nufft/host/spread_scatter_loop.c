/* SPDX-License-Identifier: Apache-2.0 */
#include "host_nufft.h"
#include "host_strip.h"

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

static void add_stripe(ndft_batch *b, int64_t stripe)
{
    const ndft_sorted *s = &b->plan->sorted;
    ndft_begin_rows(b);
    ndft_in_batches(b, s->start[stripe * s->per_stripe], s->start[(stripe + 1) * s->per_stripe],
                    spread);
}

void NDFT_LOOP(nufft_scatter)(const ndft_host_job *job) { ndft_in_stripes(job, add_stripe); }
