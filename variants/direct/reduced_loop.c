/* SPDX-License-Identifier: Apache-2.0 */
#include "phases.h"
#include "sum.h"

ndft_direction_loop NDFT_LOOP(fast_math), NDFT_LOOP(sincos_table);

/* All inputs in their order, every product of the phase reduced before it is added. Phasors are
 * made of the block's phases by polynomials, or are the table's nearest, turned by the angle that
 * is left. */

#ifdef NDFT_LOOP_f32
typedef uint32_t bits_of_real;
static const ndft_real magic = 0x1.8p23f; /* adding it rounds to an integer, in the low bits */
#else
typedef uint64_t bits_of_real;
static const ndft_real magic = 0x1.8p52;
#endif

enum { STEP = 16 }; /* lanes come in multiples of it */

/* Looks up entries[2 i] one by one: as fast as it gets, since a gather is no faster and entries
 * come in pairs. */
static void look_up(const ndft_real *table, const bits_of_real *entry, ndft_real *entries)
{
    for (int i = 0; i < STEP; i++) memcpy(entries + 2 * i, table + 2 * entry[i], 2 * sizeof *table);
}

/* STEP lanes of one row. */
static inline void turn_step(const ndft_sum *sum, ndft_real *restrict c, ndft_real *restrict s)
{
    const ndft_real per_half = (ndft_real)sum->table_size / 2, back = -1 / per_half;
    const bits_of_real mask = (bits_of_real)sum->table_size - 1;
    bits_of_real entry[STEP];
    ndft_real near[2 * STEP];
#pragma omp simd
    for (int i = 0; i < STEP; i++) {
        const ndft_real shifted = fma(c[i], per_half, magic);
        memcpy(&entry[i], &shifted, sizeof shifted);
        entry[i] &= mask;
        s[i] = fma(shifted - magic, back, c[i]);
    }
    look_up(sum->table, entry, near);
#pragma omp simd
    for (int i = 0; i < STEP; i++) {
        const ndft_real angle = (ndft_real)3.14159265358979323846 * s[i], w = angle * angle;
        const ndft_real sine = angle * (1 - w * (ndft_real)(1. / 6));
        const ndft_real cosine = 1 - w * ((ndft_real)0.5 - w * (ndft_real)(1. / 24));
        c[i] = near[2 * i] * cosine - near[2 * i + 1] * sine;
        s[i] = near[2 * i + 1] * cosine + near[2 * i] * sine;
    }
}

static void turn_table(const ndft_chunk *k)
{
    for (int b = 0; b < NDFT_ROWS; b++) {
        const int row = b * NDFT_STRIDE;
        for (int l = 0; l < k->sum->lanes; l += STEP)
            turn_step(k->sum, k->c + row + l, k->s + row + l);
    }
}

static inline void add_tile(const ndft_chunk *k, int64_t t, ndft_turn *turn)
{
    ndft_add_blocks(k, t, ndft_tile_values(k->sum, t), ndft_reduced_phases, turn, ndft_accumulate);
    ndft_join(k);
}

static void add_poly(const ndft_chunk *k, int64_t t) { add_tile(k, t, ndft_turn_poly); }

static void add_table(const ndft_chunk *k, int64_t t) { add_tile(k, t, turn_table); }

void NDFT_LOOP(fast_math)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_poly);
}

void NDFT_LOOP(sincos_table)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_table);
}
