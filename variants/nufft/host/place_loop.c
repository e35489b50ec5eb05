/* SPDX-License-Identifier: Apache-2.0 */
#ifndef __clang__
#pragma GCC optimize("no-trapping-math") /* else GCC has no vectors of roundings */
#endif
#include "host_nufft.h"

/*
 * Where samples lie along an axis (window.h). Computed in double from the problem's k and rounded
 * once, s keeps its accuracy in f32 however large the grid is, and never rounds to 1.
 */

static inline void put(const ndft_host_axis *a, int64_t i, ndft_real k)
{
    const double below_one = sizeof(ndft_real) == 4 ? 1 - 0x1p-24 : 1 - 0x1p-53;
    const ndft_grid_position at = ndft_grid_place(k, a->voxels, a->cells, a->width);
    a->first[i] = at.first;
    ((ndft_real *)a->place)[i] = (ndft_real)(at.s < below_one ? at.s : below_one);
}

void NDFT_LOOP(nufft_place)(const ndft_host_axis *axis, const int32_t *order, int64_t samples)
{
    const ndft_host_axis a = *axis;
    const ndft_real *k = a.k;
    if (order) {
#pragma omp for simd schedule(static)
        for (int64_t i = 0; i < samples; i++) put(&a, i, k[order[i]]);
    } else {
#pragma omp for simd schedule(static)
        for (int64_t i = 0; i < samples; i++) put(&a, i, k[i]);
    }
}
