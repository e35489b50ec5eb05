/* SPDX-License-Identifier: Apache-2.0 */
#include "direct/phases.h"
#include "direct/sum.h"
#include "gemm/gemm_tile.h"

ndft_direction_loop NDFT_LOOP(coil_gemm);

/* The phasors of a few inputs times all lanes are generated once, then multiplied with all coils;
 * the tile's centre turns the tile's sums. */

enum { ROWS = NDFT_COIL_GEMM_ROWS };

/* Phasors of inputs i..: cosines of ROWS inputs, then their sines, a row of lanes each. */
static void generate(const ndft_chunk *k, int64_t i)
{
    const ndft_sum *s = k->sum;
    for (int r = 0; r < ROWS; r++) {
        ndft_chunk row = *k;
        row.c = k->c + r * s->lanes;
        row.s = row.c + ROWS * s->lanes;
        ndft_phase_row(&row, i + r, row.c);
        ndft_turn_poly_row(row.c, row.s, s->lanes);
        ndft_dephase_input(&row, i + r, 0);
        if (s->in_decay) ndft_decay_row(&row, i + r, 0);
    }
}

/* Two columns a coil, for its real and its imaginary part: what multiplies cosines, then sines. */
static void place_columns(const ndft_chunk *k, const ndft_real *values)
{
    const int tile = k->sum->tile;
    ndft_real *restrict to = k->rotated;
    for (int coil = 0; coil < k->sum->coils; coil++, to += 4 * ROWS) {
        const ndft_real *restrict re = values + 2 * coil * tile, *restrict im = re + tile;
#pragma omp simd
        for (int r = 0; r < ROWS; r++) {
            to[r] = re[r];
            to[ROWS + r] = -im[r];
            to[2 * ROWS + r] = im[r];
            to[3 * ROWS + r] = re[r];
        }
    }
}

static void add_tile(const ndft_chunk *k, int64_t t)
{
    const ndft_sum *s = k->sum;
    const ndft_real *values = ndft_tile_values(s, t);
    const ndft_gemm product = {.lanes = s->lanes,
                               .columns = 2 * s->coils,
                               .terms = 2 * ROWS,
                               .a = k->c,
                               .b = k->rotated,
                               .c = k->part,
                               .a_stride = s->lanes,
                               .b_stride = 2 * ROWS,
                               .c_stride = s->lanes};
    const int count = ndft_tile_count(s, t);
    for (int i = 0; i < count; i += ROWS) {
        generate(k, t * s->tile + i);
        place_columns(k, values + i);
        ndft_gemm_add(&product);
    }
    ndft_join_tile(k, t);
}

void NDFT_LOOP(coil_gemm)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_tile);
}
