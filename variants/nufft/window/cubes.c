/* SPDX-License-Identifier: Apache-2.0 */
#include "cubes.h"

#include "picks.h"

#include <math.h>

/* Of those that are picked a few must lie in each tile that has samples, or some are not seen: then
 * cubes are as many as larger tiles, each twice the one before, less by how these grow from there:
 * along a stack's planes as an area, not as a volume. */
static double count_cubes(const ndft_problem *p, int edge, const int64_t grid[3])
{
    enum { SCALES = 6, FEW = 4 };
    const double any = 1e18, samples = (double)p->n_samples;
    ndft_tally tally = ndft_tally_of(p, edge, grid, any, 2);
    int s = 0;
    if (!(tally.picked > 0)) return 1;
    while (s < SCALES && tally.picked < samples && tally.picked < FEW * tally.occupied)
        tally = ndft_tally_of(p, edge << ++s, grid, any, 2);
    if (s == 0) return tally.occupied / samples;
    const ndft_tally next = ndft_tally_of(p, edge << (s + 1), grid, any, 2);
    const double grows = fmin(p->dim, fmax(1, log2(tally.occupied / next.occupied)));
    const double cubes = tally.occupied * pow(2, grows * s);
    return cubes / samples * (1 - exp(-samples / cubes));
}

double ndft_nufft_cubes(const ndft_problem *p, int edge, const int64_t grid[3])
{
    return ndft_counted_once(p, "cubes", count_cubes, edge, grid);
}
