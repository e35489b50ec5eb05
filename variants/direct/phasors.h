/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHASORS_H
#define NDFT_PHASORS_H

#include "chunk.h"
#include "phase/sincos_poly.h"

/*
 * The block's phases in c become phasors in c and s, and these are dephased by the sincs. Each step
 * is one pass over the block.
 */

static inline void ndft_sincospi(ndft_real x, ndft_real *s, ndft_real *c)
{
#ifdef NDFT_LOOP_f32
    ndft_sincospi_poly_f32(x, s, c);
#else
    ndft_sincospi_poly_f64(x, s, c);
#endif
}

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

/* Multiplies the block's phasors by the sincs of inputs i... */
static inline void ndft_dephase(const ndft_chunk *k, int64_t i)
{
    for (int b = 0; b < NDFT_ROWS; b++) ndft_dephase_input(k, i, b);
}

#endif
