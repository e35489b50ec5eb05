/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_SUM_H
#define NDFT_DIRECT_SUM_H

#include "direct_lines.h"
#include "gemm/gemm_tile.h"

#include <omp.h>

/*
 * Lines summed directly: a thread takes a chunk of outputs, one per vector lane, of a group of
 * lines, and walks the inputs in tiles. A tile's phasors lie in cache as a panel of rows, cosines
 * and sines in turn, and meet all lines of the group in one register-blocked product. Where a panel
 * comes from is the variant's matter. Phases are integers n k mod N, by addition with a wrap.
 */

enum {
    NDFT_DIRECT_LANES = NDFT_DIRECT_BYTES / sizeof(ndft_real), /* the product's block */
    NDFT_DIRECT_SUMS = 2 * NDFT_DIRECT_LINES * NDFT_DIRECT_LANES,
};

/* A chunk of outputs of a group of lines. */
typedef struct ndft_direct {
    const ndft_line_sum *sum;
    int64_t first, line; /* of the outputs, of the lines */
    int lines;
    int32_t step[NDFT_DIRECT_LANES];  /* k mod N */
    int32_t index[NDFT_DIRECT_LANES]; /* n k mod N of the panel's next row */
    ndft_real *panel;                 /* [tile][cosine, sine][lanes] */
    ndft_real *staged;                /* [lines][re, im][tile][what meets cosine, sine] */
    ndft_real *part, *total;          /* [lines][re, im][lanes] */
} ndft_direct;

static inline ndft_direct ndft_direct_of(const ndft_line_sum *s, int64_t item, int64_t groups)
{
    ndft_direct d = {.sum = s,
                     .first = item / groups * NDFT_DIRECT_LANES,
                     .line = item % groups * NDFT_DIRECT_LINES};
    const int64_t left = s->pass.lines - d.line;
    d.lines = left < NDFT_DIRECT_LINES ? (int)left : NDFT_DIRECT_LINES;
    d.part = (ndft_real *)s->work + (size_t)omp_get_thread_num() * s->work_reals;
    d.total = d.part + NDFT_DIRECT_SUMS;
    d.panel = d.total + NDFT_DIRECT_SUMS;
    d.staged = d.panel + 2 * s->tile * NDFT_DIRECT_LANES;
    for (int l = 0; l < NDFT_DIRECT_LANES; l++) {
        d.step[l] = (int32_t)((d.first + l) % s->pass.length);
        d.index[l] = 0;
    }
    return d;
}

static inline void ndft_clear_sums(const ndft_direct *d, ndft_real *sums)
{
    for (int i = 0; i < 2 * d->lines * NDFT_DIRECT_LANES; i++) sums[i] = 0;
}

/* index += step mod N */
static inline void ndft_advance(const ndft_direct *d, int32_t *restrict index,
                                const int32_t *restrict step)
{
    const int32_t n = (int32_t)d->sum->pass.length;
#pragma omp simd
    for (int l = 0; l < NDFT_DIRECT_LANES; l++) {
        const int32_t next = index[l] + step[l];
        index[l] = next >= n ? next - n : next;
    }
}

/* A row of cosines and one of sines, signed, of all lanes at these indices. */
typedef void ndft_phasor_row(const ndft_line_sum *, const int32_t *index, ndft_real *c,
                             ndft_real *s);

static inline void ndft_fill_panel(ndft_direct *d, ndft_phasor_row *row)
{
    for (int j = 0; j < d->sum->tile; j++) {
        ndft_real *c = d->panel + 2 * j * NDFT_DIRECT_LANES;
        row(d->sum, d->index, c, c + NDFT_DIRECT_LANES);
        ndft_advance(d, d->index, d->step);
    }
}

static inline int ndft_tile_terms(const ndft_direct *d, int64_t n)
{
    const int64_t left = d->sum->pass.in.count - n;
    return left < d->sum->tile ? (int)left : d->sum->tile;
}

static inline void ndft_stage_line(const ndft_direct *d, int64_t n, int terms, const ndft_real *at,
                                   ndft_real *restrict to)
{
    const ndft_pass *p = &d->sum->pass;
    const int64_t stride = p->in.stride * (p->in.real ? 1 : 2);
    ndft_real *restrict im = to + 2 * d->sum->tile;
    at += n * stride;
    for (int j = 0; j < terms; j++, at += stride) {
        const ndft_real weight = (ndft_real)ndft_line_weight(p, n + j);
        to[2 * j] = im[2 * j + 1] = weight * at[0];
        im[2 * j] = p->in.real ? 0 : weight * at[1];
        to[2 * j + 1] = -im[2 * j];
    }
}

/* sums += the tile of inputs from n on times the panel. */
static inline void ndft_add_tile(const ndft_direct *d, int64_t n, const ndft_real *in,
                                 ndft_real *sums)
{
    const ndft_pass *p = &d->sum->pass;
    const int terms = ndft_tile_terms(d, n), tile = d->sum->tile;
    for (int i = 0; i < d->lines; i++) {
        const int64_t at = ndft_line_at(p, &p->in, d->line + i) * (p->in.real ? 1 : 2);
        ndft_stage_line(d, n, terms, in + at, d->staged + 4 * i * tile);
    }
    ndft_gemm_add(&(ndft_gemm){.lanes = NDFT_DIRECT_LANES,
                               .columns = 2 * d->lines,
                               .terms = 2 * terms,
                               .a = d->panel,
                               .b = d->staged,
                               .c = sums,
                               .a_stride = NDFT_DIRECT_LANES,
                               .b_stride = 2 * tile,
                               .c_stride = NDFT_DIRECT_LANES});
}

static inline void ndft_store_lines(const ndft_direct *d, ndft_real *out)
{
    const ndft_line_side *side = &d->sum->pass.out;
    const int64_t left = side->count - d->first;
    const int outputs = left < NDFT_DIRECT_LANES ? (int)left : NDFT_DIRECT_LANES;
    for (int i = 0; i < d->lines; i++) {
        const ndft_real *re = d->total + 2 * i * NDFT_DIRECT_LANES, *im = re + NDFT_DIRECT_LANES;
        const int64_t at = ndft_line_at(&d->sum->pass, side, d->line + i);
        for (int l = 0; l < outputs; l++) {
            const int64_t to = at + (d->first + l) * side->stride;
            out[side->real ? to : 2 * to] = re[l];
            if (!side->real) out[2 * to + 1] = im[l];
        }
    }
}

/* Makes the totals of one chunk and group. */
typedef void ndft_sum_group(ndft_direct *, const ndft_real *in);

static inline void ndft_direct_sum(const ndft_line_sum *s, const ndft_real *in, ndft_real *out,
                                   ndft_sum_group *sum)
{
    const int64_t groups = (s->pass.lines + NDFT_DIRECT_LINES - 1) / NDFT_DIRECT_LINES;
    const int64_t chunks = (s->pass.out.count + NDFT_DIRECT_LANES - 1) / NDFT_DIRECT_LANES;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic)
    for (int64_t item = 0; item < chunks * groups; item++) {
        ndft_direct d = ndft_direct_of(s, item, groups);
        ndft_clear_sums(&d, d.total);
        sum(&d, in);
        ndft_store_lines(&d, out);
    }
}

#endif
