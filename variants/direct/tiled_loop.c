/* SPDX-License-Identifier: Apache-2.0 */
#include "phases.h"
#include "sum.h"

ndft_direction_loop NDFT_LOOP(tiled_poly), NDFT_LOOP(tiled_libm), NDFT_LOOP(tiled_no_trig),
    NDFT_LOOP(tiled_no_mac);

/* The tile's offsets give small phases; its centre turns the tile's sum, once per output. */
static inline __attribute__((always_inline)) void add_tile(const ndft_chunk *k, int64_t t,
                                                           ndft_turn *turn, ndft_add_inputs *add)
{
    ndft_add_blocks(k, t, ndft_tile_values(k->sum, t), ndft_phases, turn, add);
    ndft_join_tile(k, t);
}

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

/* Without trigonometry: a phase of the block is both parts of its phasor. */
static void turn_nothing(const ndft_chunk *k)
{
    for (int b = 0; b < NDFT_ROWS; b++) {
        const ndft_real *restrict c = k->c + b * NDFT_STRIDE;
        ndft_real *restrict s = k->s + b * NDFT_STRIDE;
#pragma omp simd
        for (int l = 0; l < k->sum->lanes; l++) s[l] = c[l];
    }
}

/* Without most multiply-adds: part += value of input i of the tile times the first of the block's
 * phasors. */
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

static void add_poly(const ndft_chunk *k, int64_t t)
{
    add_tile(k, t, ndft_turn_poly, ndft_accumulate);
}

static void add_libm(const ndft_chunk *k, int64_t t) { add_tile(k, t, turn_libm, ndft_accumulate); }

static void add_no_trig(const ndft_chunk *k, int64_t t)
{
    add_tile(k, t, turn_nothing, ndft_accumulate);
}

static void add_no_mac(const ndft_chunk *k, int64_t t)
{
    add_tile(k, t, ndft_turn_poly, add_first);
}

void NDFT_LOOP(tiled_poly)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_poly);
}

void NDFT_LOOP(tiled_libm)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_libm);
}

void NDFT_LOOP(tiled_no_trig)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_no_trig);
}

void NDFT_LOOP(tiled_no_mac)(const void *sum, const void *in, void *out)
{
    ndft_sum_chunks(sum, in, out, add_no_mac);
}
