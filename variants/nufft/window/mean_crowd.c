/* SPDX-License-Identifier: Apache-2.0 */
#include "picks.h"
#include "window.h"

#include <math.h>

/* With how many others a sample shares a cell of the grid, in the mean. */
static double count_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    const double of = (double)p->n_samples;
    const ndft_tally t = ndft_tally_of(p, width, grid, NDFT_MOST_TILES, 2);
    return t.picked ? fmin(of, 1 + (t.squares / t.picked - 1) * of / t.picked) : of;
}

double ndft_nufft_mean_crowd(const ndft_problem *p, int width, const int64_t grid[3])
{
    return ndft_counted_once(p, "mean crowd", count_mean_crowd, width, grid);
}
