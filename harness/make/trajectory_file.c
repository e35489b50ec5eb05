/* SPDX-License-Identifier: Apache-2.0 */
#include "files/arrays.h"
#include "files/cfl.h"
#include "trajectory.h"

/*
 * Positions from a file, as they are. The clock runs through all samples of an .npy file; where a
 * .cfl file has shots, it starts anew in each of them.
 */
ndft_status ndft_trajectory_file(ndft_trajectory *traj, ndft_error *err)
{
    const ndft_case *c = traj->problem;
    int columns = ndft_is_cfl(c->traj.path) ? 3 : c->dim; /* BART always has three */
    ndft_array a;
    NDFT_TRY(ndft_array_read(c->traj.path, &ndft_role_traj, (int64_t[]){c->m, columns}, 2,
                             traj->scratch, &a, err));
    for (int64_t j = 0; j < c->m; j++) {
        for (int d = 0; d < columns; d++) {
            double z[2];
            ndft_array_at(&a, j * columns + d, z);
            if (d < c->dim)
                traj->k[d][j] = z[0];
            else if (z[0] != 0)
                return ndft_fail(err, NDFT_EINVAL,
                                 "traj=file:%s: sample %lld leaves the %dd k-space: k_%c = %g",
                                 c->traj.path, (long long)j, c->dim, "xyz"[d], z[0]);
        }
    }
    if (!a.shot_length) return NDFT_OK;
    traj->shots = c->m / a.shot_length;
    ndft_trajectory_clock(traj, a.shot_length);
    return NDFT_OK;
}

ndft_status ndft_times_file(ndft_trajectory *traj, ndft_error *err)
{
    const ndft_case *c = traj->problem;
    return ndft_reals_read(c->times.path, &ndft_role_times, (int64_t[]){c->m}, 1, traj->scratch,
                           traj->t, err);
}
