/* SPDX-License-Identifier: Apache-2.0 */
#include "host_samples_loop.h"
#include "host_tensor.h"

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
#pragma omp for schedule(dynamic)
    for (int64_t i = 0; i < count; i++) {
        const int64_t end = (i + 1) * batch;
        ndft_in_batches(&b, i * batch, end < plan->samples ? end : plan->samples, interpolate);
    }
}
