/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_GEMM_WORK_H
#define NDFT_LINE_GEMM_WORK_H

#include "line_gemm_loop.h"
#include "phasor_rows.h"

/* What a thread of line_gemm works with in both directions: its operands and their phasors. */

enum { HALF = NDFT_LINE_HALF, BLOCK = 2 * HALF };
enum { TILE = NDFT_LINE_TILE_BYTES / sizeof(ndft_real), SPAN = NDFT_LINE_SPAN_TILES * TILE };

/* One thread's operands: of one piece or voxel tile, and the group of coils from `coil` on. */
typedef struct line_work {
    const ndft_lines *lines;
    int coil, coils;
    ndft_real *baby;         /* forward [TILE][cos, sin of HALF]; adjoint [cos, sin][HALF][TILE] */
    ndft_real *giant;        /* forward: columns [TILE]; adjoint: their sums [TILE] */
    ndft_real *part, *total; /* sums of a span (a piece), of all so far */
    ndft_real *high, *rest;  /* [TILE] voxels' phases over half a step */
    ndft_real *c, *s;        /* [TILE] phasors */
} line_work;

static inline line_work work_of(const ndft_lines *s, int thread)
{
    const size_t columns = 2 * (size_t)s->blocks * (size_t)s->group;
    line_work w = {.lines = s, .baby = (ndft_real *)s->work + (size_t)thread * s->work_reals};
    w.giant = w.baby + TILE * BLOCK;
    w.part = w.giant + columns * TILE;
    w.total = w.part + columns * BLOCK;
    w.high = w.total + columns * BLOCK;
    w.rest = w.high + TILE;
    w.c = w.rest + TILE;
    w.s = w.c + TILE;
    return w;
}

static inline void take_group(line_work *w, int64_t group)
{
    const int left = w->lines->coils - (int)group * w->lines->group;
    w->coil = (int)group * w->lines->group;
    w->coils = left < w->lines->group ? left : w->lines->group;
}

static inline int blocks_of(const ndft_line_piece *piece)
{
    return (piece->count + BLOCK - 1) / BLOCK;
}

static inline void at_voxels(const ndft_lines *s, const ndft_real *at[4])
{
    for (int a = 0; a < s->axes; a++) at[a] = (const ndft_real *)s->voxel_at[a];
}

/* Phases over half a step of the tile's voxels, of which baby steps are odd multiples, so that
 * whole turns can be left out. */
static inline __attribute__((always_inline)) void
half_steps_of(const line_work *w, int64_t voxel, const ndft_centre *half_step, const int axes)
{
    const ndft_real *at[4] = {NULL};
    at_voxels(w->lines, at);
    const ndft_real *restrict a0 = at[0] + voxel, *restrict a1 = axes > 1 ? at[1] + voxel : a0;
    const ndft_real *restrict a2 = axes > 2 ? at[2] + voxel : a0;
    const ndft_real *restrict a3 = axes > 3 ? at[3] + voxel : a0;
    ndft_real *restrict high = w->high, *restrict rest = w->rest;
    const ndft_centre by = *half_step;
#pragma omp simd
    for (int l = 0; l < TILE; l++) {
        double turns = ndft_turn_fraction((double)a0[l], by.hi[0], by.lo[0]);
        if (axes > 1) turns += ndft_turn_fraction((double)a1[l], by.hi[1], by.lo[1]);
        if (axes > 2) turns += ndft_turn_fraction((double)a2[l], by.hi[2], by.lo[2]);
        if (axes > 3) turns += ndft_turn_fraction((double)a3[l], by.hi[3], by.lo[3]);
        high[l] = (ndft_real)(2 * turns);
        rest[l] = (ndft_real)(2 * turns - (double)high[l]);
    }
}

static inline void half_steps(const line_work *w, int64_t voxel, const ndft_centre *half_step)
{
    switch (w->lines->axes) {
    case 1:
        half_steps_of(w, voxel, half_step, 1);
        break;
    case 2:
        half_steps_of(w, voxel, half_step, 2);
        break;
    case 3:
        half_steps_of(w, voxel, half_step, 3);
        break;
    default:
        half_steps_of(w, voxel, half_step, 4);
    }
}

/* c, s: giant steps of the tile's voxels to the middle of one block. */
static inline void giant_steps(const line_work *w, int64_t voxel, int64_t piece, int block)
{
    const ndft_lines *s = w->lines;
    const ndft_real *at[4] = {NULL};
    at_voxels(s, at);
    ndft_phasors(s->axes, at, voxel, TILE,
                 (const ndft_scaled *)s->middle + piece * s->blocks + block, w->c, w->s);
}

static inline void add(ndft_real *restrict to, const ndft_real *restrict from, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) to[i] += from[i];
}

static inline void put(ndft_real *z, ndft_real re, ndft_real im)
{
    z[0] = re;
    z[1] = im;
}

#endif
