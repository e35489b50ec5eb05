/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_no_mac_loop.h"
#include "tiled_tile.h"

/* part += value of input i of the tile times the first of the block's phasors. */
static void add_first(const ndft_chunk *k, const ndft_real *values, int i)
{
    const int lanes = k->sum->lanes;
    for (int coil = 0; coil < k->sum->coils; coil++) {
        const ndft_real *value = values + 2 * coil * k->sum->tile + i;
        const ndft_real ur = value[0], ui = value[k->sum->tile];
        const ndft_real *restrict c = k->c, *restrict s = k->s;
        ndft_real *restrict re = k->part + 2 * coil * lanes, *restrict im = re + lanes;
#pragma omp simd
        for (int l = 0; l < lanes; l++) {
            re[l] += c[l] * ur - s[l] * ui;
            im[l] += s[l] * ur + c[l] * ui;
        }
    }
}

static void add_tile(const ndft_chunk *k, int64_t t)
{
    ndft_tiled_tile(k, t, ndft_turn_poly, add_first);
}

void NDFT_LOOP(tiled_no_mac)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_tile);
}
