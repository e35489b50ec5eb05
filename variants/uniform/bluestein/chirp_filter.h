/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_CHIRP_FILTER_H
#define NDFT_UNIFORM_CHIRP_FILTER_H

#include "convolve/bluestein_hooks.h"

/* What the lines are convolved with: conj(w_m)/cells, wrapped around. */
static inline void ndft_bluestein_filter(const ndft_bluestein_axis *a, ndft_real *filter)
{
    const int64_t n = a->pass.length, cells = a->convolve.cells;
    const ndft_real *chirp = a->before, factor = 1 / (ndft_real)cells;
    memset(filter + 2 * n, 0, (size_t)(cells - n) * 2 * sizeof *filter);
    for (int64_t m = 0; m < n; m++) {
        const int64_t mirrored = m > 0 ? cells - m : 0;
        filter[2 * m] = filter[2 * mirrored] = factor * chirp[2 * m];
        filter[2 * m + 1] = filter[2 * mirrored + 1] = -factor * chirp[2 * m + 1];
    }
}

#endif
