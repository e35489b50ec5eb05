/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_PAIRS_H
#define NDFT_CONVOLVE_BLUESTEIN_PAIRS_H

#include "bluestein_job.h"
#include "real_pair.h"

#include <string.h>

/*
 * The hooks of Bluestein's convolution where two real lines are one complex line (real_pair.h):
 * pair i has lines 2i and 2i + 1, and the last of an odd number zeros beside it. The factors with
 * which lines come out of a pair stay behind its cells until it is stored; load and store functions
 * work on elements that lie there, too, for a moment: they have a line's elements at once.
 */

/* Of so many cells behind the line's own: both lines of a pair, one after the other. */
static inline ndft_pair_line ndft_pair_aside(const ndft_bluestein_axis *a,
                                             const ndft_line_side *side, int which,
                                             ndft_real *cells)
{
    const int reals = side->real ? 1 : 2;
    ndft_real *at = cells + 2 * a->pass.length + which * reals * side->count;
    return (ndft_pair_line){.at = at, .step = reals};
}

static inline ndft_pair_line ndft_pair_in_memory(const ndft_bluestein_axis *a,
                                                 const ndft_line_side *side, int64_t number,
                                                 const ndft_real *data)
{
    const int reals = side->real ? 1 : 2;
    return (ndft_pair_line){.at = (ndft_real *)(uintptr_t)data +
                                  reals * ndft_line_at(&a->pass, side, number),
                            .step = reals * side->stride};
}

/* The factors behind a line's cells: convolve_batch_fftw.c leaves room for eight. */
static inline ndft_real *ndft_pair_factors(const ndft_bluestein_axis *a, ndft_real *cells)
{
    return cells + 2 * (a->convolve.pitch - 1);
}

/* f with the steps of elements that lie one after the other as constants. */
#define NDFT_PAIR_STEPS(reals, f)                                                                  \
    if (x.step == (reals) && y.step == (reals)) {                                                  \
        x.step = y.step = (reals);                                                                 \
        f;                                                                                         \
    } else {                                                                                       \
        f;                                                                                         \
    }

static inline void ndft_pair_load(const ndft_bluestein_axis *a, const ndft_pair_line pair[2],
                                  int64_t begin, int64_t end, ndft_real *cells)
{
    const ndft_real *factor = a->before;
    const int64_t n = a->pass.length, inner = (n + 1) / 2;
    ndft_pair_line x = pair[0], y = pair[1];
    if (a->pass.in.real) {
        NDFT_PAIR_STEPS(1, ndft_pair_load_reals(x, y, begin, end, factor, cells));
        return;
    }
    if (begin == 0) ndft_pair_load_end(x, y, 0, factor, cells);
    if (2 * (end - 1) == n) ndft_pair_load_end(x, y, end - 1, factor, cells);
    begin = begin > 0 ? begin : 1;
    end = end < inner ? end : inner;
    NDFT_PAIR_STEPS(2, ndft_pair_load_inner(x, y, begin, end, n, factor, cells));
}

static inline void ndft_pair_store(const ndft_bluestein_axis *a, const ndft_real *cells,
                                   int64_t begin, int64_t end, const ndft_pair_line pair[2])
{
    const ndft_real *factor = a->after;
    const int64_t n = a->pass.length, inner = (n + 1) / 2;
    ndft_pair_line x = pair[0], y = pair[1];
    if (a->pass.out.real) {
        NDFT_PAIR_STEPS(1, ndft_pair_store_reals(cells, factor, begin, end, x, y));
        return;
    }
    if (begin == 0) ndft_pair_store_end(cells, factor, 0, x, y);
    if (2 * (end - 1) == n) ndft_pair_store_end(cells, factor, end - 1, x, y);
    begin = begin > 0 ? begin : 1;
    end = end < inner ? end : inner;
    NDFT_PAIR_STEPS(2, ndft_pair_store_inner(cells, factor, begin, end, n, x, y));
}

/* Where a line of a pair is read. */
static inline ndft_pair_line ndft_pair_from(const ndft_bluestein_job *job, int64_t number,
                                            ndft_real *cells)
{
    const ndft_bluestein_axis *a = job->axis;
    if (number >= a->pass.lines) return ndft_pair_zeros(0);
    if (!a->loads) return ndft_pair_in_memory(a, &a->pass.in, number, job->from);
    const ndft_pair_line aside = ndft_pair_aside(a, &a->pass.in, (int)(number % 2), cells);
    ndft_call_load(a, number, job->from, (int)aside.step, aside.at);
    return aside;
}

/* Weighs the lines of so many pairs. */
static inline void ndft_pairs_weigh(const ndft_bluestein_axis *a, int count,
                                    ndft_pair_line pair[][2])
{
    const ndft_line_side *side = &a->pass.in;
    double size[NDFT_BATCH_LANES][2] = {{0}};
    for (int64_t begin = 0, end; begin < side->count; begin = end) {
        end = ndft_block_end(begin, side->count, count);
        for (int i = 0; i < 2 * count; i++) {
            const ndft_pair_line *line = &pair[i / 2][i % 2];
            size[i / 2][i % 2] += ndft_pair_size(line, side->real ? 1 : 2, begin, end);
        }
    }
    for (int i = 0; i < 2 * count; i++) ndft_pair_weigh(size[i / 2][i % 2], &pair[i / 2][i % 2]);
}

static inline void ndft_pairs_load(const ndft_bluestein_job *job, int64_t first, int count,
                                   ndft_real *to)
{
    const ndft_bluestein_axis *a = job->axis;
    const int64_t elements = a->pass.in.count, n = a->pass.length, pitch = a->convolve.pitch;
    ndft_pair_line pair[NDFT_BATCH_LANES][2];
    for (int i = 0; i < 2 * count; i++)
        pair[i / 2][i % 2] = ndft_pair_from(job, 2 * first + i, to + 2 * (i / 2) * pitch);
    ndft_pairs_weigh(a, count, pair);
    for (int64_t begin = 0, end; begin < elements; begin = end) {
        end = ndft_block_end(begin, elements, count);
        for (int l = 0; l < count; l++) ndft_pair_load(a, pair[l], begin, end, to + 2 * l * pitch);
    }
    for (int l = 0; l < count; l++) {
        ndft_real *cells = to + 2 * l * pitch;
        for (int h = 0; h < 2; h++) ndft_pair_factors(a, cells)[h] = pair[l][h].out_of;
        memset(cells + 2 * n, 0, (size_t)(a->convolve.cells - n) * 2 * sizeof *cells);
    }
}

/* Where a line of a pair is written; one that is none, where it does not matter. */
static inline ndft_pair_line ndft_pair_to(const ndft_bluestein_job *job, int64_t number,
                                          ndft_real *cells)
{
    const ndft_bluestein_axis *a = job->axis;
    const ndft_line_side *side = &a->pass.out;
    ndft_pair_line line = a->stores || number >= a->pass.lines
                              ? ndft_pair_aside(a, side, (int)(number % 2), cells)
                              : ndft_pair_in_memory(a, side, number, job->to);
    line.out_of = ndft_pair_factors(a, cells)[number % 2];
    return line;
}

static inline void ndft_pairs_store(const ndft_bluestein_job *job, int64_t first, int count,
                                    ndft_real *from)
{
    const ndft_bluestein_axis *a = job->axis;
    const int64_t elements = a->pass.out.count, pitch = a->convolve.pitch;
    ndft_pair_line pair[NDFT_BATCH_LANES][2];
    for (int i = 0; i < 2 * count; i++)
        pair[i / 2][i % 2] = ndft_pair_to(job, 2 * first + i, from + 2 * (i / 2) * pitch);
    for (int64_t begin = 0, end; begin < elements; begin = end) {
        end = ndft_block_end(begin, elements, count);
        for (int l = 0; l < count; l++)
            ndft_pair_store(a, from + 2 * l * pitch, begin, end, pair[l]);
    }
    for (int i = 0; i < 2 * count && a->stores; i++)
        if (2 * first + i < a->pass.lines)
            ndft_call_store(a, 2 * first + i, pair[i / 2][i % 2].at, (int)pair[i / 2][i % 2].step,
                            job->to);
}

#endif
