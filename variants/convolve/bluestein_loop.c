/* SPDX-License-Identifier: Apache-2.0 */
#include "convolve_batch_fftw.h"

#include "bluestein_hooks.h"

void NDFT_LOOP(bluestein_whole)(const ndft_bluestein_part *p)
{
    const ndft_bluestein_job job = {p->axis, p->from, p->to};
    ndft_convolve_lines(&p->axis->convolve, p->end, ndft_bluestein_load, ndft_bluestein_store,
                        &job);
}
