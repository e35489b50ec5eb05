/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory.h"

#include "trajectory_families.h"

static ndft_status fill(ndft_trajectory *traj, ndft_error *err)
{
    switch (traj->problem->traj.kind) {
    case NDFT_SOURCE_RANDOM:
        return ndft_trajectory_random(traj, err);
    case NDFT_TRAJ_RADIAL:
    case NDFT_TRAJ_GOLDEN:
    case NDFT_TRAJ_SOS:
        return ndft_trajectory_radial(traj, err);
    case NDFT_TRAJ_KOOSHBALL:
        return ndft_trajectory_kooshball(traj, err);
    case NDFT_TRAJ_SPIRAL:
    case NDFT_TRAJ_VDSPIRAL:
        return ndft_trajectory_spiral(traj, err);
    case NDFT_TRAJ_EPI:
        return ndft_trajectory_epi(traj, err);
    case NDFT_SOURCE_FILE:
        return ndft_trajectory_file(traj, err);
    default:
        return ndft_fail(err, NDFT_EINVAL, "traj: no such trajectory");
    }
}

/* 0 when the family serves every dimension. */
static int dimension_of(ndft_source_kind kind)
{
    if (kind == NDFT_SOURCE_RANDOM || kind == NDFT_SOURCE_FILE) return 0;
    return kind == NDFT_TRAJ_SOS || kind == NDFT_TRAJ_KOOSHBALL ? 3 : 2;
}

ndft_status ndft_trajectory_make(const ndft_case *c, ndft_arena *scratch, ndft_trajectory *traj,
                                 ndft_error *err)
{
    int dim = dimension_of(c->traj.kind);
    if (dim && dim != c->dim)
        return ndft_fail(err, NDFT_EINVAL, "traj: this trajectory exists in %dd, the case is %dd",
                         dim, c->dim);
    const int64_t shots = ndft_case_shots(c);
    if (shots < 1 || shots > c->m)
        return ndft_fail(err, NDFT_EINVAL, "traj: %lld shots for m=%lld samples; 1 to m are valid",
                         (long long)shots, (long long)c->m);
    *traj = (ndft_trajectory){.problem = c, .shots = shots, .scratch = scratch};
    traj->length = (c->m - 1) / shots + 1;
    traj->dwell = ndft_dwell(c->t, traj->length);
    for (int d = 0; d < c->dim; d++) {
        traj->k[d] = ndft_arena_alloc(scratch, "trajectory", c->m, sizeof(double), err);
        if (!traj->k[d]) return NDFT_ENOMEM;
    }
    traj->t = ndft_arena_alloc(scratch, "readout times", c->m, sizeof(double), err);
    if (!traj->t) return NDFT_ENOMEM;
    ndft_trajectory_clock(traj);
    NDFT_TRY(fill(traj, err));
    return c->times.kind == NDFT_SOURCE_FILE ? ndft_times_file(traj, err) : NDFT_OK;
}
