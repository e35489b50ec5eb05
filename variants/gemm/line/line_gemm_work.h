/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_GEMM_WORK_H
#define NDFT_LINE_GEMM_WORK_H

#include "direct/phasor_rows.h"
#include "line_gemm_loop.h"

/* What a thread of line_gemm works with in both directions: its operands and their phasors. */

enum { NDFT_LINE_TILE = NDFT_LINE_TILE_BYTES / sizeof(ndft_real) }; /* voxels */

/* One thread's operands: of one piece or voxel tile, and the group of coils from `coil` on. */
typedef struct ndft_line_work {
    const ndft_lines *lines;
    int coil, coils;
    ndft_real *baby;  /* forward [NDFT_LINE_TILE][cos, sin of NDFT_LINE_HALF]; adjoint [cos,
                         sin][NDFT_LINE_HALF][NDFT_LINE_TILE] */
    ndft_real *giant; /* forward: columns [NDFT_LINE_TILE]; adjoint: their sums [NDFT_LINE_TILE] */
    ndft_real *part, *total; /* sums of a span (a piece), of all so far */
    ndft_real *high, *rest;  /* [NDFT_LINE_TILE] voxels' phases over half a step */
    ndft_real *c, *s;        /* [NDFT_LINE_TILE] phasors */
} ndft_line_work;

static inline ndft_line_work ndft_line_work_of(const ndft_lines *s, int thread)
{
    const size_t columns = 2 * (size_t)s->blocks * (size_t)s->group;
    ndft_line_work w = {.lines = s, .baby = (ndft_real *)s->work + (size_t)thread * s->work_reals};
    w.giant = w.baby + NDFT_LINE_TILE * NDFT_LINE_BLOCK;
    w.part = w.giant + columns * NDFT_LINE_TILE;
    w.total = w.part + columns * NDFT_LINE_BLOCK;
    w.high = w.total + columns * NDFT_LINE_BLOCK;
    w.rest = w.high + NDFT_LINE_TILE;
    w.c = w.rest + NDFT_LINE_TILE;
    w.s = w.c + NDFT_LINE_TILE;
    return w;
}

static inline void ndft_line_take_group(ndft_line_work *w, int64_t group)
{
    const int left = w->lines->coils - (int)group * w->lines->group;
    w->coil = (int)group * w->lines->group;
    w->coils = left < w->lines->group ? left : w->lines->group;
}

static inline int ndft_line_blocks(const ndft_line_piece *piece)
{
    return (piece->count + NDFT_LINE_BLOCK - 1) / NDFT_LINE_BLOCK;
}

static inline void ndft_line_voxels(const ndft_lines *s, const ndft_real *at[4])
{
    for (int a = 0; a < s->axes; a++) at[a] = (const ndft_real *)s->voxel_at[a];
}

/* Phases over half a step of the tile's voxels, of which baby steps are odd multiples, so that
 * whole turns can be left out. */
static inline __attribute__((always_inline)) void ndft_half_steps_of(const ndft_line_work *w,
                                                                     int64_t voxel,
                                                                     const ndft_centre *half_step,
                                                                     const int axes)
{
    const ndft_real *at[4] = {NULL};
    ndft_line_voxels(w->lines, at);
    for (int a = 0; a < axes; a++) at[a] += voxel;
    ndft_real *restrict high = w->high, *restrict rest = w->rest;
    const ndft_centre by = *half_step;
#pragma omp simd
    for (int l = 0; l < NDFT_LINE_TILE; l++) {
        const double turns = ndft_turns_at(at, l, &by, axes);
        high[l] = (ndft_real)(2 * turns);
        rest[l] = (ndft_real)(2 * turns - (double)high[l]);
    }
}

static inline void ndft_half_steps(const ndft_line_work *w, int64_t voxel,
                                   const ndft_centre *half_step)
{
    NDFT_BY_AXES(w->lines->axes, ndft_half_steps_of, w, voxel, half_step)
}

/* c, s: giant steps of the tile's voxels to the middle of one block. */
static inline void ndft_giant_steps(const ndft_line_work *w, int64_t voxel, int64_t piece,
                                    int block)
{
    const ndft_lines *s = w->lines;
    const ndft_real *at[4] = {NULL};
    ndft_line_voxels(s, at);
    ndft_phasors(s->axes, at, voxel, NDFT_LINE_TILE,
                 (const ndft_scaled *)s->middle + piece * s->blocks + block, w->c, w->s);
}

#endif
