/* SPDX-License-Identifier: Apache-2.0 */
#include "trajectory_families.h"

#include <math.h>

/*
 * Diameters through the centre of 3D k-space, their ends on a Fibonacci hemisphere: of S spokes,
 * spoke j at the height (j + 1/2)/S and the azimuth pi (3 - sqrt 5) j (R. Swinbank, R. J. Purser,
 * "Fibonacci grids: a novel approach to global modelling", Q. J. R. Meteorol. Soc. 132, 2006).
 */
ndft_status ndft_trajectory_kooshball(ndft_trajectory *traj, ndft_error *err)
{
    (void)err;
    const double turn = M_PI * (3 - sqrt(5.0));
#pragma omp parallel for
    for (int64_t shot = 0; shot < traj->shots; shot++) {
        double z = ((double)shot + 0.5) / (double)traj->shots, radius = sqrt(1 - z * z);
        double azimuth = fmod(turn * (double)shot, 2 * M_PI);
        double direction[3] = {radius * cos(azimuth), radius * sin(azimuth), z};
        ndft_trajectory_diameter(traj, ndft_shot_first(traj, shot), ndft_shot_samples(traj, shot),
                                 traj->length, direction, 3);
    }
    return NDFT_OK;
}
