/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_HOST_STRIPES_H
#define NDFT_NUFFT_HOST_STRIPES_H

#include "host_tensor.h"

#include <string.h>

typedef void ndft_stripe_body(ndft_batch *, int64_t stripe);

/*
 * Spreading without atomic additions: threads take stripes of tiles. Windows of one stripe end in
 * the next at most, so even stripes go first and odd ones follow; no two threads add to one cell,
 * and a cell's sum has one order whatever the number of threads.
 */
NDFT_INLINED void ndft_in_stripes(const ndft_host_job *job, ndft_stripe_body *add)
{
    const ndft_host_grid *grid = &job->plan->grid;
    const int64_t stripes = job->plan->sorted.stripes, last = grid->dim - 1;
    const int64_t slabs = grid->held[last] * job->coils;
    const size_t slab = (size_t)grid->step[last] * 2 * sizeof(ndft_real);
    ndft_batch b = ndft_batch_of(job);
#pragma omp for schedule(static)
    for (int64_t i = 0; i < slabs; i++) memset((char *)job->grid + (size_t)i * slab, 0, slab);
    for (int parity = 0; parity < 2; parity++) {
#pragma omp for schedule(dynamic)
        for (int64_t i = parity; i < stripes; i += 2) add(&b, i);
    }
}

#endif
