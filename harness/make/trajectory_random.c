/* SPDX-License-Identifier: Apache-2.0 */
#include "rng.h"
#include "trajectory_families.h"

/* Independent uniform positions in [-N/2, N/2) per axis: the worst case for every locality. */
ndft_status ndft_trajectory_random(ndft_trajectory *traj, ndft_error *err)
{
    (void)err;
    const ndft_case *c = traj->problem;
    for (int d = 0; d < c->dim; d++) {
        double reach = (double)c->n[d] / 2;
#pragma omp parallel for
        for (int64_t j = 0; j < c->m; j++)
            traj->k[d][j] =
                ndft_rng_uniform(c->seed, NDFT_STREAM_K + (uint64_t)d, (uint64_t)j, -reach, reach);
    }
    return NDFT_OK;
}
