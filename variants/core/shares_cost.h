/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHARES_COST_H
#define NDFT_SHARES_COST_H

#include "base/variant.h"

#include <math.h>

/* Declared cost of sums shared evenly by one wave of blocks (shares.cuh). */

/* Costs know no device: the multiprocessors of the one whose counters they agree with. */
enum { NDFT_COUNTED_UNITS = 132 };

/* Outputs of a block, as ndft_block_threads makes them where there are registers for them all. */
static inline double ndft_even_block(double length, double outputs, double threads)
{
    const double count = ceil(length / outputs), blocks = ceil(count / threads);
    return 32 * ceil(ceil(count / blocks) / 32) * outputs;
}

/* How the sums of a wave of blocks are cut: segments of all of them, and those that are joined. The
 * last step of a sum may be a part of one. */
typedef struct ndft_cuts {
    double segments, parts;
} ndft_cuts;

static inline ndft_cuts ndft_cuts_of(double sums, double steps, double wave)
{
    const double units = sums * fmax(1, ceil(steps)), blocks = fmin(wave, units);
    const double cuts = fmod(sums, blocks) == 0 ? 0 : blocks - 1;
    const ndft_cuts made = {fmin(sums + cuts, units), fmin(cuts + fmin(cuts, sums), units)};
    return made;
}

/* Parts of some bytes each are written, and read again by the join, one more launch. */
static inline void ndft_join_cost(ndft_cuts cuts, double bytes, ndft_cost *cost)
{
    cost->l2_bytes += 2 * cuts.parts * bytes;
    cost->dram_bytes += cuts.parts * bytes;
    cost->launches += cuts.parts > 0;
}

#endif
