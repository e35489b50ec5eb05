/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUM_H
#define NDFT_SUM_H

#include "core/loop.h"

#include "phase/centre.h"
#include "phase/dephasing.h"

/*
 * One direction of the operator as the vectorised CPU loops see it: outputs in chunks of `lanes`,
 * inputs in tiles of `tile`, taken NDFT_ROWS at a time. Arrays of reals are in the problem's
 * precision, in the order of in_order and out_order, and padded with zeros to whole tiles and
 * chunks. The phase in half turns is sum_p out_at[p][o] in_at[p][i]; the argument of sinc number d
 * is out_slope[d][o] in_slope[d][i] + out_offset[d][o] + in_offset[d][i]. With decay a phasor is
 * multiplied by exp(-out_decay[o] in_decay[i]).
 */

/* A block's rows lie NDFT_STRIDE apart: a constant, so that one register addresses all of them, and
 * no multiple of a page, so that they do not compete for the same lines of the cache. */
enum { NDFT_ROWS = 8, NDFT_LANES_MAX = 1024, NDFT_STRIDE = NDFT_LANES_MAX + 16 };

/* Inputs of one product of coil_gemm, whose tiles are whole numbers of them. */
enum { NDFT_COIL_GEMM_ROWS = 32 };
enum { NDFT_VECTOR_BYTES = 64 };

typedef struct ndft_sum {
    int axes;   /* coordinates of the phase, 1..4 */
    int sincs;  /* 0..3 */
    int phases; /* terms of a phase of higher order, in half turns: out_phase times in_phase */
    ndft_dephasing dephasing;
    int coils, threads, lanes, tile;
    int split;   /* parts of the sum over inputs that are taken apart */
    bool atomic; /* parts are joined by atomic additions, else as a tree */

    int64_t inputs, outputs, tiles, chunks;
    int64_t in_element, in_coil, out_element, out_coil; /* strides in complex elements */
    const int32_t *in_order, *out_order;                /* NULL: as they stand */

    const void *out_at[4], *in_at[4];
    const void *in_rest[4]; /* what rounding took from in_at; without centres only */
    const void *out_slope[3], *out_offset[3], *in_slope[3], *in_offset[3];
    const void *out_phase[NDFT_HIGHER_TERMS], *in_phase[NDFT_HIGHER_TERMS];
    const void *in_phase_rest[NDFT_HIGHER_TERMS]; /* what rounding took from in_phase */
    const void *out_decay, *in_decay;             /* R2* of voxels, t of samples; NULL: no decay */

    /* Of each input tile or output chunk, whichever side is compact, one hi and lo per phase
     * coordinate. NULL: neither is; phases may be large and in_rest is there. */
    const ndft_centre *centre;

    void *values; /* [tiles][coils][re, im][tile] the input, staged */
    void *parts;  /* [chunks][split][coils][re, im][lanes]; NULL when split is 1 */
    void *work;   /* per thread */
    size_t work_reals;

    const void *table; /* sincos_table's phasors, interleaved */
    int table_size;
} ndft_sum;

/* Outputs in so many vectors. */
static inline int ndft_lanes(const ndft_problem *p, int vectors)
{
    return vectors * NDFT_VECTOR_BYTES / (int)ndft_real_size(p->prec);
}

/* Reals of one thread's workspace: see ndft_chunk. */
static inline size_t ndft_work_reals(const ndft_sum *s)
{
    const size_t lanes = (size_t)s->lanes, coils = (size_t)s->coils;
    return 2 * NDFT_ROWS * NDFT_STRIDE + 2 * (lanes > (size_t)s->tile ? lanes : (size_t)s->tile) +
           4 * coils * lanes + 2 * coils * (size_t)s->tile;
}

#endif
