/* SPDX-License-Identifier: Apache-2.0 */
#include "fast_math_loop.h"
#include "phases.h"

/* All inputs in their order, every product of the phase reduced before it is added. */

static void add_tile(const ndft_chunk *k, int64_t t)
{
    const ndft_sum *s = k->sum;
    const ndft_real *values = ndft_tile_values(s, t);
    const int count = ndft_tile_count(s, t);
    for (int i = 0; i < count; i += NDFT_ROWS) {
        ndft_reduced_phases(k, t * s->tile + i);
        ndft_turn_poly(k);
        ndft_dephase(k, t * s->tile + i);
        ndft_accumulate(k, values, i);
    }
    ndft_join(k);
}

void NDFT_LOOP(fast_math)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_tile);
}
