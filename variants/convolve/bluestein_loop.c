/* SPDX-License-Identifier: Apache-2.0 */
#include "bluestein_hooks.h"
#include "convolve_batch_fftw.h"

void NDFT_LOOP(bluestein_whole)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = {p->axis, p->from, p->to};
    ndft_convolve_lines(&p->axis->convolve, 0, p->end, ndft_bluestein_load, ndft_bluestein_store,
                        &job, NULL);
}
