/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINES_H
#define NDFT_LINES_H

#include "coords.h"

/*
 * Uniform lines of samples, cut into pieces of at most `tile` samples. About its middle a piece's
 * phase is linear in the sample's number s, a half-integer: with a voxel's coordinates r = (x/N,
 * dw/2pi) it is (middle + s step).r turns.
 */

typedef struct ndft_line {
    double half_step[4]; /* step/2, so that odd integers 2s multiply it: k per axis, then t */
    double middle[4];
    int64_t first;      /* sample */
    int length, before; /* of `tile` places, so many are empty before the first sample */
} ndft_line;

/* Pieces of each line and samples of a piece. */
typedef struct ndft_line_cut {
    int64_t line;
    int tile, pieces, length;
} ndft_line_cut;

static inline ndft_line_cut ndft_cut_lines(int64_t line, int tile)
{
    const int pieces = (int)((line + tile - 1) / tile);
    return (ndft_line_cut){line, tile, pieces, (int)((line + pieces - 1) / pieces)};
}

static inline int64_t ndft_n_lines(const ndft_problem *p, const ndft_line_cut *cut)
{
    const int64_t rest = p->n_samples % cut->line;
    return p->n_samples / cut->line * cut->pieces + (rest + cut->length - 1) / cut->length;
}

/* Piece i of all; sign: of the operator's phase. */
static inline ndft_line ndft_line_at(const ndft_problem *p, const ndft_line_cut *cut, int64_t i,
                                     double sign)
{
    const int64_t start = i / cut->pieces * cut->line, offset = i % cut->pieces * cut->length;
    int64_t end = start + (offset + cut->length < cut->line ? offset + cut->length : cut->line);
    if (end > p->n_samples) end = p->n_samples;
    ndft_line line = {{0}, {0}, start + offset, (int)(end - start - offset), 0};
    line.before = (cut->tile - line.length) / 2;
    const double middle = (cut->tile - 1) / 2.0 - line.before;
    for (int d = 0; d < 4; d++) {
        const void *array = d < 3 ? p->k[d] : p->t;
        if (!array) continue;
        const double at = ndft_real_at(array, p->prec, line.first);
        const double step = line.length > 1 ? ndft_real_at(array, p->prec, line.first + 1) - at : 0;
        line.half_step[d] = sign * step / 2;
        line.middle[d] = sign * (at + middle * step);
    }
    return line;
}

#endif
