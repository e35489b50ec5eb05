/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_loop.h"
#include "tiled_tile.h"

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

static void add_poly(const ndft_chunk *k, int64_t t)
{
    ndft_tiled_tile(k, t, ndft_turn_poly, ndft_accumulate);
}

static void add_libm(const ndft_chunk *k, int64_t t)
{
    ndft_tiled_tile(k, t, turn_libm, ndft_accumulate);
}

void NDFT_LOOP(tiled_poly)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_poly);
}

void NDFT_LOOP(tiled_libm)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_libm);
}
