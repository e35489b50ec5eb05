/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_TILE_H
#define NDFT_TILED_TILE_H

#include "direct/phases.h"

/* The tile's offsets give small phases; its centre turns the tile's sum, once per output. */

/* The block's phases in c become phasors in c and s. */
typedef void ndft_turn(const ndft_chunk *);

/* The block's phasors times the values of inputs i... join the tile's sums. */
typedef void ndft_add(const ndft_chunk *, const ndft_real *values, int i);

static inline void ndft_tiled_tile(const ndft_chunk *k, int64_t t, ndft_turn *turn, ndft_add *add)
{
    const ndft_sum *s = k->sum;
    const ndft_real *values = ndft_tile_values(s, t);
    const int count = ndft_tile_count(s, t);
    for (int i = 0; i < count; i += NDFT_ROWS) {
        ndft_phases(k, t * s->tile + i);
        turn(k);
        ndft_dephase(k, t * s->tile + i);
        add(k, values, i);
    }
    if (!s->centre) {
        ndft_join(k);
        return;
    }
    ndft_turn_centre(k, s->out_at, k->first, s->lanes, &s->centre[t]);
    ndft_join_turned(k);
}

#endif
