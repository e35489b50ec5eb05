/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHASES_H
#define NDFT_PHASES_H

#include "chunk.h"
#include "phase/decay.h"
#include "phase/sincos_poly.h"

#include <tgmath.h>

/*
 * Phases, in half turns, of NDFT_ROWS inputs with all lanes, into the block's c; and the phases of
 * centres, which are reduced exactly. The phases in c become phasors in c and s, and these are
 * dephased by the sincs. Each step is one pass over the block.
 */

/* Coordinate rows of the chunk's outputs. */
static inline const ndft_real *ndft_out_row(const ndft_chunk *k, const void *row)
{
    return (const ndft_real *)row + k->first;
}

static inline ndft_real ndft_in(const void *row, int64_t i) { return ((const ndft_real *)row)[i]; }

/* Phases in c become phasors, by polynomials. */
static inline void ndft_turn_poly_row(ndft_real *restrict c, ndft_real *restrict s, int lanes)
{
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
        ndft_real sine, cosine;
        ndft_sincospi(c[l], &sine, &cosine);
        c[l] = cosine;
        s[l] = sine;
    }
}

/* The block's phases in c become phasors in c and s. */
typedef void ndft_turn(const ndft_chunk *);

static inline void ndft_turn_poly(const ndft_chunk *k)
{
    for (int b = 0; b < NDFT_ROWS; b++)
        ndft_turn_poly_row(k->c + b * NDFT_STRIDE, k->s + b * NDFT_STRIDE, k->sum->lanes);
}

static inline ndft_real ndft_sinc(ndft_real u, const ndft_dephasing how)
{
    if (how == NDFT_SINC_POLY) return ndft_sinc_poly((float)(u * u)); /* plans choose it in f32 */
    ndft_real s, c;
    ndft_sincospi(u, &s, &c);
    const ndft_real angle = (ndft_real)3.14159265358979323846 * u;
    return u == 0 ? (ndft_real)1 : s / angle;
}

/* Multiplies the phasors of one input, row b of the block, by sinc number d. */
static inline void ndft_dephase_row(const ndft_chunk *k, int64_t i, int d, int b,
                                    const ndft_dephasing how)
{
    const ndft_sum *s = k->sum;
    const int lanes = s->lanes;
    const ndft_real *restrict slope = ndft_out_row(k, s->out_slope[d]);
    const ndft_real *restrict offset = ndft_out_row(k, s->out_offset[d]);
    const ndft_real in_slope = ndft_in(s->in_slope[d], i + b);
    const ndft_real in_offset = ndft_in(s->in_offset[d], i + b);
    ndft_real *restrict re = k->c + b * NDFT_STRIDE, *restrict im = k->s + b * NDFT_STRIDE;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
        const ndft_real factor = ndft_sinc(slope[l] * in_slope + (offset[l] + in_offset), how);
        re[l] *= factor;
        im[l] *= factor;
    }
}

/* Multiplies the phasors of one input by its sincs. */
static inline void ndft_dephase_input(const ndft_chunk *k, int64_t i, int b)
{
    for (int d = 0; d < k->sum->sincs; d++) {
        if (k->sum->dephasing == NDFT_SINC_POLY)
            ndft_dephase_row(k, i, d, b, NDFT_SINC_POLY);
        else
            ndft_dephase_row(k, i, d, b, NDFT_SINC_EXACT);
    }
}

/* Multiplies the phasors of input i, row b of the block, by what decay leaves. */
static inline void ndft_decay_row(const ndft_chunk *k, int64_t i, int b)
{
    const int lanes = k->sum->lanes;
    const ndft_real *restrict out = ndft_out_row(k, k->sum->out_decay);
    const ndft_real in = ndft_in(k->sum->in_decay, i);
    ndft_real *restrict re = k->c + b * NDFT_STRIDE, *restrict im = k->s + b * NDFT_STRIDE;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
        const ndft_real left = ndft_decay(out[l], in);
        re[l] *= left;
        im[l] *= left;
    }
}

/* Multiplies the block's phasors by the sincs and what decay leaves of inputs i... */
static inline void ndft_dephase(const ndft_chunk *k, int64_t i)
{
    for (int b = 0; b < NDFT_ROWS; b++) ndft_dephase_input(k, i, b);
    if (!k->sum->in_decay) return;
    for (int b = 0; b < NDFT_ROWS; b++) ndft_decay_row(k, i + b, b);
}

#ifdef NDFT_LOOP_f32
static const ndft_real ndft_even_magic = 0x1.8p24f; /* adding it rounds to an even integer */
#else
static const ndft_real ndft_even_magic = 0x1.8p53;
#endif

/* f(..., axes), the number of the phase's coordinates known to the compiler. */
#define NDFT_BY_AXES(axes, f, ...)                                                                 \
    switch (axes) {                                                                                \
    case 1:                                                                                        \
        f(__VA_ARGS__, 1);                                                                         \
        break;                                                                                     \
    case 2:                                                                                        \
        f(__VA_ARGS__, 2);                                                                         \
        break;                                                                                     \
    case 3:                                                                                        \
        f(__VA_ARGS__, 3);                                                                         \
        break;                                                                                     \
    default:                                                                                       \
        f(__VA_ARGS__, 4);                                                                         \
    }

/* sum + a (b + rest), less an even integer: the FMA makes the fraction exact. */
static inline ndft_real ndft_add_fraction(ndft_real sum, ndft_real a, ndft_real b, ndft_real rest)
{
    const ndft_real whole = fma(a, b, ndft_even_magic) - ndft_even_magic;
    return fma(a, rest, sum) + fma(a, b, -whole);
}

/* Phases of one input with every lane: small as they are, because one side is an offset from a
 * centre, or each product reduced before it is added. */
static inline __attribute__((always_inline)) void ndft_row_of_phases(const ndft_chunk *k, int64_t i,
                                                                     ndft_real *restrict phase,
                                                                     const bool small,
                                                                     const int axes)
{
    const ndft_sum *s = k->sum;
    const ndft_real *restrict a[4];
    ndft_real b[4], rest[4];
    for (int p = 0; p < axes; p++) {
        a[p] = ndft_out_row(k, s->out_at[p]);
        b[p] = ndft_in(s->in_at[p], i);
        rest[p] = small ? 0 : ndft_in(s->in_rest[p], i);
    }
    const int lanes = s->lanes;
#pragma omp simd
    for (int l = 0; l < lanes; l++) {
        ndft_real h = small ? a[0][l] * b[0] : ndft_add_fraction(0, a[0][l], b[0], rest[0]);
        for (int p = 1; p < axes; p++)
            h = small ? h + a[p][l] * b[p] : ndft_add_fraction(h, a[p][l], b[p], rest[p]);
        phase[l] = h;
    }
}

/* Adds what a phase of higher order has of input i: fractions of four terms at a time, so that no
 * sum of them is beyond 5 half turns, and of all terms. */
static inline void ndft_add_higher(const ndft_chunk *k, int64_t i, ndft_real *restrict phase)
{
    enum { STEP = NDFT_VECTOR_BYTES / sizeof(ndft_real) }; /* lanes come in multiples of it */
    const ndft_sum *s = k->sum;
    for (int first = 0; first < s->lanes; first += STEP) {
        ndft_real sum[STEP] = {0};
        for (int l = 0; l < s->phases; l++) {
            const ndft_real *restrict a = ndft_out_row(k, s->out_phase[l]) + first;
            const ndft_real b = ndft_in(s->in_phase[l], i), rest = ndft_in(s->in_phase_rest[l], i);
            const bool full = l % 4 == 3;
#pragma omp simd
            for (int x = 0; x < STEP; x++) {
                const ndft_real h = ndft_add_fraction(sum[x], a[x], b, rest);
                sum[x] = full ? h - ((h + ndft_even_magic) - ndft_even_magic) : h;
            }
        }
#pragma omp simd
        for (int x = 0; x < STEP; x++) phase[first + x] += sum[x];
    }
}

/* The same of the block's inputs i.., beside loops that have none of it. */
static __attribute__((noinline, unused)) void ndft_add_higher_rows(const ndft_chunk *k, int64_t i)
{
    for (int b = 0; b < NDFT_ROWS; b++) ndft_add_higher(k, i + b, k->c + b * NDFT_STRIDE);
}

/* Without what is of higher order: each product reduced before it is added. */
static inline void ndft_reduced_phase_row(const ndft_chunk *k, int64_t i, ndft_real *row)
{
    NDFT_BY_AXES(k->sum->axes, ndft_row_of_phases, k, i, row, false)
}

/* Phases of the block's inputs i.., each product reduced before it is added. */
static inline void ndft_reduced_phases(const ndft_chunk *k, int64_t i)
{
    for (int b = 0; b < NDFT_ROWS; b++) ndft_reduced_phase_row(k, i + b, k->c + b * NDFT_STRIDE);
    if (k->sum->phases) ndft_add_higher_rows(k, i);
}

/* Without what is of higher order: as the plan prepared them. */
static inline void ndft_lower_phase_row(const ndft_chunk *k, int64_t i, ndft_real *row)
{
    if (k->sum->centre)
        NDFT_BY_AXES(k->sum->axes, ndft_row_of_phases, k, i, row, true)
    else
        ndft_reduced_phase_row(k, i, row);
}

/* Phases of one input as the plan prepared them. */
static inline void ndft_phase_row(const ndft_chunk *k, int64_t i, ndft_real *row)
{
    ndft_lower_phase_row(k, i, row);
    if (k->sum->phases) ndft_add_higher(k, i, row);
}

/* Phases of the block's inputs i... */
static inline void ndft_phases(const ndft_chunk *k, int64_t i)
{
    for (int b = 0; b < NDFT_ROWS; b++) ndft_lower_phase_row(k, i + b, k->c + b * NDFT_STRIDE);
    if (k->sum->phases) ndft_add_higher_rows(k, i);
}

/* A coordinate times a centre's, in turns, less its whole turns. */
static inline double ndft_turn_fraction(double a, double hi, double lo)
{
    const double magic = 0x1.8p52; /* adding it rounds to an integer */
    const double whole = fma(a, hi, magic) - magic;
    return fma(a, lo, fma(a, hi, -whole));
}

/* The turns of point l, at a[axis][l], with a centre, each product less its whole ones. */
static inline __attribute__((always_inline)) double
ndft_turns_at(const ndft_real *const a[4], int64_t l, const ndft_centre *centre, const int axes)
{
    double turns = ndft_turn_fraction((double)a[0][l], centre->hi[0], centre->lo[0]);
    for (int p = 1; p < axes; p++)
        turns += ndft_turn_fraction((double)a[p][l], centre->hi[p], centre->lo[p]);
    return turns;
}

static inline __attribute__((always_inline)) void
ndft_centre_row(const ndft_real *const from[4], int count, const ndft_centre *centre,
                ndft_real *restrict c, ndft_real *restrict s, const int axes)
{
    const ndft_real *a[4];
    for (int p = 0; p < axes; p++) a[p] = from[p];
    const ndft_centre by = *centre;
#pragma omp simd
    for (int l = 0; l < count; l++) {
        const double turns = ndft_turns_at(a, l, &by, axes);
        ndft_real sine, cosine;
        ndft_sincospi((ndft_real)(2 * turns), &sine, &cosine);
        c[l] = cosine;
        s[l] = sine;
    }
}

/* turn: the centre's phasor for `count` points whose exact coordinates begin at row[p] + first. */
static inline void ndft_turn_centre(const ndft_chunk *k, const void *const row[4], int64_t first,
                                    int count, const ndft_centre *centre)
{
    const int axes = k->sum->axes;
    const ndft_real *a[4] = {NULL};
    for (int p = 0; p < axes; p++) a[p] = (const ndft_real *)row[p] + first;
    ndft_real *c = k->turn, *s = c + count;
    NDFT_BY_AXES(axes, ndft_centre_row, a, count, centre, c, s)
}

/* total += part, turned by the tile's centre where it has one */
static inline void ndft_join_tile(const ndft_chunk *k, int64_t t)
{
    const ndft_sum *s = k->sum;
    if (!s->centre) {
        ndft_join(k);
        return;
    }
    ndft_turn_centre(k, s->out_at, k->first, s->lanes, &s->centre[t]);
    ndft_join_turned(k);
}

/* Phases of the block's inputs i..; values of inputs i.. of a tile times the block's phasors. */
typedef void ndft_block_phases(const ndft_chunk *, int64_t i);
typedef void ndft_add_inputs(const ndft_chunk *, const ndft_real *values, int i);

/* part += a tile's inputs, block after block. */
static inline __attribute__((always_inline)) void
ndft_add_blocks(const ndft_chunk *k, int64_t t, const ndft_real *values, ndft_block_phases *phases,
                ndft_turn *turn, ndft_add_inputs *add)
{
    const int64_t first = t * k->sum->tile;
    const int count = ndft_tile_count(k->sum, t);
    for (int i = 0; i < count; i += NDFT_ROWS) {
        phases(k, first + i);
        turn(k);
        ndft_dephase(k, first + i);
        add(k, values, i);
    }
}

#endif
