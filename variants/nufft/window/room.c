/* SPDX-License-Identifier: Apache-2.0 */
#include "room.h"

#include "picks.h"

#include <math.h>

/* Where not all samples are picked tiles are so large that those with samples are seen. */
static double count_room(const ndft_problem *p, int width, const int64_t grid[3])
{
    enum { SEEN = 4 };
    const bool all_seen = p->n_samples <= NDFT_PICKED;
    const double most = all_seen ? NDFT_MOST_TILES : NDFT_PICKED / SEEN;
    const ndft_tally t = ndft_tally_of(p, width, grid, most, 1.2);
    double cells = 1;
    for (int d = 0; d < p->dim; d++) cells *= (double)grid[d];
    return t.picked ? t.occupied / t.tiles * cells / (double)p->n_samples : 0;
}

double ndft_nufft_room(const ndft_problem *p, int width, const int64_t grid[3])
{
    return ndft_counted_once(p, "room", count_room, width, grid);
}

/* Of some samples, whether the next one lies within so many cells along all axes. */
static double count_apart(const ndft_problem *p, int width, const int64_t grid[3])
{
    (void)width;
    enum { ASKED = 1024, NEXT = 2 };
    const int64_t pairs = p->n_samples - 1, asked = pairs < ASKED ? pairs : ASKED;
    double apart = 0;
    if (!ndft_has_positions(p) || asked < 1) return 1;
    for (int64_t i = 0; i < asked; i++) {
        const int64_t j = i * pairs / asked;
        double most = 0;
        for (int d = 0; d < p->dim; d++) {
            const double step =
                ndft_real_at(p->k[d], p->prec, j + 1) - ndft_real_at(p->k[d], p->prec, j);
            most = fmax(most, fabs(step) * (double)grid[d] / (double)p->n[d]);
        }
        apart += most > NEXT;
    }
    return apart / (double)asked;
}

double ndft_nufft_apart(const ndft_problem *p, const int64_t grid[3])
{
    return ndft_counted_once(p, "apart", count_apart, 0, grid);
}
