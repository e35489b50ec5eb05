/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory_families.h"

#include <math.h>

/*
 * Straight spokes over the full diameter through the centre of k-space.
 *
 * radial: spoke j of S at the angle pi j / S (P. C. Lauterbur, Nature 242, 1973).
 * golden: spoke j at j times 111.246 degrees, pi over the golden ratio (S. Winkelmann et al., "An
 *   optimal radial profile order based on the golden ratio", IEEE Trans. Med. Imaging 26, 2007).
 * sos: a stack of stars: P planes along kz, each with the S spokes of radial, turned by pi p/(S P)
 *   from plane to plane (Z. Zhou et al., "Golden-ratio rotated stack-of-stars acquisition", Magn.
 *   Reson. Med. 78, 2017, turns by the golden angle instead). Plane p of P at
 *   nz (p - floor(P/2)) / P; plane by plane.
 */

static double angle_of(const ndft_source *source, int64_t shot)
{
    const double golden = M_PI * (sqrt(5.0) - 1) / 2;
    double spokes = (double)source->a;
    if (source->kind == NDFT_TRAJ_GOLDEN) return fmod((double)shot * golden, 2 * M_PI);
    if (source->kind == NDFT_TRAJ_RADIAL) return M_PI * (double)shot / spokes;
    double plane = (double)(shot / source->a), spoke = (double)(shot % source->a);
    return M_PI * (spoke + plane / (double)source->b) / spokes;
}

ndft_status ndft_trajectory_radial(ndft_trajectory *traj, ndft_error *err)
{
    (void)err;
    const ndft_source *source = &traj->problem->traj;
#pragma omp parallel for
    for (int64_t shot = 0; shot < traj->shots; shot++) {
        int64_t first = ndft_shot_first(traj, shot), count = ndft_shot_samples(traj, shot);
        double angle = angle_of(source, shot), direction[2] = {cos(angle), sin(angle)};
        ndft_trajectory_diameter(traj, first, count, traj->length, direction, 2);
        if (source->kind != NDFT_TRAJ_SOS) continue;
        int64_t n = traj->problem->n[2], plane = shot / source->a - source->b / 2;
        double kz = ndft_snap((double)n * (double)plane / (double)source->b, n);
        for (int64_t i = 0; i < count; i++) traj->k[2][first + i] = kz;
    }
    return NDFT_OK;
}
