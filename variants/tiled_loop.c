/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_loop.h"
#include "phases.h"

/* The tile's offsets give small phases; its centre turns the tile's sum, once per output. */

/* Phasors of the block's phases by libm, which is scalar. */
static void turn_libm(const ndft_chunk *k)
{
    const ndft_real pi = (ndft_real)3.14159265358979323846;
    for (int b = 0; b < NDFT_ROWS; b++) {
        ndft_real *c = k->c + b * NDFT_STRIDE, *s = k->s + b * NDFT_STRIDE;
        for (int l = 0; l < k->sum->lanes; l++) {
            const ndft_real angle = pi * c[l];
            c[l] = cos(angle);
            s[l] = sin(angle);
        }
    }
}

static inline void add_tile(const ndft_chunk *k, int64_t t, const bool libm)
{
    const ndft_sum *s = k->sum;
    const ndft_real *values = ndft_tile_values(s, t);
    const int count = ndft_tile_count(s, t);
    for (int i = 0; i < count; i += NDFT_ROWS) {
        ndft_phases(k, t * s->tile + i);
        if (libm)
            turn_libm(k);
        else
            ndft_turn_poly(k);
        ndft_dephase(k, t * s->tile + i);
        ndft_accumulate(k, values, i);
    }
    if (!s->centre) {
        ndft_join(k);
        return;
    }
    ndft_turn_centre(k, s->out_at, k->first, s->lanes, &s->centre[t]);
    ndft_join_turned(k);
}

static void add_poly(const ndft_chunk *k, int64_t t) { add_tile(k, t, false); }

static void add_libm(const ndft_chunk *k, int64_t t) { add_tile(k, t, true); }

void NDFT_LOOP(tiled_poly)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_poly);
}

void NDFT_LOOP(tiled_libm)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_libm);
}
