/* SPDX-License-Identifier: Apache-2.0 */
#include "shots.h"

#include <math.h>

double ndft_dwell(double t, int64_t length)
{
    double ticks = round(t / (double)length * 0x1p27);
    return ticks > 0 ? ticks * 0x1p-27 : t / (double)length;
}

int64_t ndft_shot_first(const ndft_trajectory *traj, int64_t shot)
{
    int64_t m = traj->problem->m;
    return shot > m / traj->length ? m : shot * traj->length < m ? shot * traj->length : m;
}

int64_t ndft_shot_samples(const ndft_trajectory *traj, int64_t shot)
{
    return ndft_shot_first(traj, shot + 1) - ndft_shot_first(traj, shot);
}

double ndft_snap(double k, int64_t n)
{
    double grid = 0x1p-15;
    while ((double)n / 2 > grid * 0x1p24) grid *= 2;
    return trunc(k / grid) * grid;
}

void ndft_trajectory_diameter(ndft_trajectory *traj, int64_t first, int64_t count, int64_t length,
                              const double *direction, int axes)
{
    for (int d = 0; d < axes; d++) {
        int64_t n = traj->problem->n[d];
        double step = ndft_snap(direction[d] * (double)n / (double)length, n);
        for (int64_t i = 0; i < count; i++) traj->k[d][first + i] = step * (double)(i - length / 2);
    }
}

void ndft_trajectory_clock(ndft_trajectory *traj)
{
#pragma omp parallel for
    for (int64_t j = 0; j < traj->problem->m; j++)
        traj->t[j] = (double)(j % traj->length) * traj->dwell;
}
