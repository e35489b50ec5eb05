/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_fused_loop.h"

#include "chirp_filter.h"

static ndft_bluestein_job job_of(const ndft_bluestein_part *p)
{
    return (ndft_bluestein_job){p->axis, p->from, p->to};
}

void NDFT_LOOP(bluestein_filter)(const ndft_bluestein_part *p)
{
    const ndft_convolve_batch *c = &p->axis->convolve;
    ndft_bluestein_filter(p->axis, c->spectrum);
    ndft_fft_run(&c->fft[0], c->spectrum, c->spectrum);
}

void NDFT_LOOP(bluestein_forward)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = job_of(p);
    ndft_convolve_forward(&p->axis->convolve, p->first, p->end, ndft_bluestein_load, &job, p->kept);
}

void NDFT_LOOP(bluestein_back)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = job_of(p);
    ndft_convolve_back(&p->axis->convolve, p->first, p->end, ndft_bluestein_store, &job, p->kept);
}
