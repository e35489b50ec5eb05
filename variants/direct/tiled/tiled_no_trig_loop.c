/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_no_trig_loop.h"
#include "tiled_tile.h"

/* A phase of the block is both parts of its phasor. */
static void turn(const ndft_chunk *k)
{
    for (int b = 0; b < NDFT_ROWS; b++) {
        const ndft_real *restrict c = k->c + b * NDFT_STRIDE;
        ndft_real *restrict s = k->s + b * NDFT_STRIDE;
#pragma omp simd
        for (int l = 0; l < k->sum->lanes; l++) s[l] = c[l];
    }
}

static void add_tile(const ndft_chunk *k, int64_t t)
{
    ndft_tiled_tile(k, t, turn, ndft_accumulate);
}

void NDFT_LOOP(tiled_no_trig)(const ndft_sum *s, const void *in, void *out)
{
    ndft_sum_chunks(s, in, out, add_tile);
}
