/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm/gemm_tile.h"
#include "phase/sincos_poly.h"
#include "uniform/line_plan.h"

#include <omp.h>

ndft_line_loop NDFT_LOOP(uniform_tiled), NDFT_LOOP(uniform_sincos_table);

/*
 * Lines summed directly: a thread takes a chunk of outputs, one per vector lane, of a group of
 * lines, and takes the inputs in tiles. A tile's phasors lie in cache as a panel of rows, cosines
 * and sines in turn, and meet all lines of the group in one register-blocked product. Where a panel
 * comes from is the variant's matter. Phases are integers n k mod N, by addition with a wrap.
 */

enum {
    LANES = NDFT_DIRECT_BYTES / sizeof(ndft_real), /* the product's block */
    SUMS = 2 * NDFT_DIRECT_LINES * LANES,
};

/* A chunk of outputs of a group of lines. */
typedef struct direct {
    const ndft_line_sum *sum;
    int64_t first, line; /* of the outputs, of the lines */
    int lines;
    int32_t step[LANES];  /* k mod N */
    int32_t index[LANES]; /* n k mod N of the panel's next row */
    ndft_real *panel;     /* [tile][cosine, sine][lanes] */
    ndft_real *staged;    /* [lines][re, im][tile][what meets cosine, sine]; reals: [lines][tile] */
    ndft_real *part, *total; /* [lines][re, im][lanes] */
} direct;

static direct direct_of(const ndft_line_sum *s, int64_t item, int64_t groups)
{
    direct d = {
        .sum = s, .first = item / groups * LANES, .line = item % groups * NDFT_DIRECT_LINES};
    const int64_t left = s->pass.lines - d.line;
    d.lines = left < NDFT_DIRECT_LINES ? (int)left : NDFT_DIRECT_LINES;
    d.part = (ndft_real *)s->work + (size_t)omp_get_thread_num() * s->work_reals;
    d.total = d.part + SUMS;
    d.panel = d.total + SUMS;
    d.staged = d.panel + 2 * s->tile * LANES;
    for (int l = 0; l < LANES; l++) {
        d.step[l] = (int32_t)((d.first + l) % s->pass.length);
        d.index[l] = 0;
    }
    return d;
}

static void clear_sums(const direct *d, ndft_real *sums)
{
    for (int i = 0; i < 2 * d->lines * LANES; i++) sums[i] = 0;
}

/* index += step mod N */
static void advance(const direct *d, int32_t *restrict index, const int32_t *restrict step)
{
    const int32_t n = (int32_t)d->sum->pass.length;
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const int32_t next = index[l] + step[l];
        index[l] = next >= n ? next - n : next;
    }
}

/* A row of cosines and one of sines, signed, of all lanes at these indices. */
typedef void phasor_row(const ndft_line_sum *, const int32_t *index, ndft_real *c, ndft_real *s);

static void fill_panel(direct *d, phasor_row *row)
{
    for (int j = 0; j < d->sum->tile; j++) {
        ndft_real *c = d->panel + 2 * j * LANES;
        row(d->sum, d->index, c, c + LANES);
        advance(d, d->index, d->step);
    }
}

static int tile_terms(const direct *d, int64_t n)
{
    const int64_t left = d->sum->pass.in.count - n;
    return left < d->sum->tile ? (int)left : d->sum->tile;
}

static void stage_reals(const direct *d, int64_t n, int terms, const ndft_real *at,
                        ndft_real *restrict to)
{
    const int64_t stride = d->sum->pass.in.stride;
    for (int j = 0; j < terms; j++) to[j] = at[(n + j) * stride];
}

static void stage_line(const direct *d, int64_t n, int terms, const ndft_real *at,
                       ndft_real *restrict to)
{
    const ndft_pass *p = &d->sum->pass;
    const int64_t stride = 2 * p->in.stride;
    ndft_real *restrict im = to + 2 * d->sum->tile;
    at += n * stride;
    for (int j = 0; j < terms; j++, at += stride) {
        const ndft_real weight = (ndft_real)ndft_line_weight(p, n + j);
        to[2 * j] = im[2 * j + 1] = weight * at[0];
        im[2 * j] = weight * at[1];
        to[2 * j + 1] = -im[2 * j];
    }
}

/* sums += the tile of inputs from n on times the panel. */
static void add_tile(const direct *d, int64_t n, const ndft_real *in, ndft_real *sums)
{
    const ndft_pass *p = &d->sum->pass;
    const int terms = tile_terms(d, n), tile = d->sum->tile;
    for (int i = 0; i < d->lines; i++) {
        const int64_t at = ndft_line_at(p, &p->in, d->line + i);
        if (p->in.real)
            stage_reals(d, n, terms, in + at, d->staged + i * tile);
        else
            stage_line(d, n, terms, in + 2 * at, d->staged + 4 * i * tile);
    }
    ndft_gemm product = {.lanes = LANES,
                         .columns = 2 * d->lines,
                         .terms = 2 * terms,
                         .a = d->panel,
                         .b = d->staged,
                         .a_stride = LANES,
                         .b_stride = 2 * tile,
                         .c_stride = LANES};
    product.c = sums;
    if (p->in.real) { /* the real parts of sums by cosines, the imaginary ones by sines */
        product.columns = d->lines;
        product.terms = terms;
        product.a_stride = product.c_stride = 2 * LANES;
        product.b_stride = tile;
        ndft_gemm_add(&product);
        product.a += LANES;
        product.c += LANES;
    }
    ndft_gemm_add(&product);
}

static void store_lines(const direct *d, ndft_real *out)
{
    const ndft_line_side *side = &d->sum->pass.out;
    const int64_t left = side->count - d->first;
    const int outputs = left < LANES ? (int)left : LANES;
    for (int i = 0; i < d->lines; i++) {
        const ndft_real *re = d->total + 2 * i * LANES, *im = re + LANES;
        const int64_t at = ndft_line_at(&d->sum->pass, side, d->line + i);
        for (int l = 0; l < outputs; l++) {
            const int64_t to = at + (d->first + l) * side->stride;
            out[side->real ? to : 2 * to] = re[l];
            if (!side->real) out[2 * to + 1] = im[l];
        }
    }
}

/* Makes the totals of one chunk and group. */
typedef void sum_group(direct *, const ndft_real *in);

static void sum_lines(const ndft_line_sum *s, const ndft_real *in, ndft_real *out, sum_group *sum)
{
    const int64_t groups = (s->pass.lines + NDFT_DIRECT_LINES - 1) / NDFT_DIRECT_LINES;
    const int64_t chunks = (s->pass.out.count + LANES - 1) / LANES;
#pragma omp parallel for num_threads(s->threads) schedule(dynamic)
    for (int64_t item = 0; item < chunks * groups; item++) {
        direct d = direct_of(s, item, groups);
        clear_sums(&d, d.total);
        sum(&d, in);
        store_lines(&d, out);
    }
}

/* One panel serves all tiles, since exp(i (n0 + j) k) = exp(i n0 k) exp(i j k): the second factor
 * is the panel's, the first turns the tile's sums. Both come from exact integers. */

static void turn_row(const ndft_line_sum *sum, const int32_t *restrict index, ndft_real *restrict c,
                     ndft_real *restrict s)
{
    const int32_t n = (int32_t)sum->pass.length;
    const ndft_real sign = (ndft_real)sum->pass.sign, per_half = (ndft_real)2 / (ndft_real)n;
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        const int32_t near = index[l] > n / 2 ? index[l] - n : index[l];
        const ndft_real half_turns = (ndft_real)near * per_half;
        ndft_sincospi(half_turns, &s[l], &c[l]);
        s[l] *= sign;
    }
}

/* total += turn part, a phasor per lane */
static void join_turned(const direct *d, const ndft_real *restrict c, const ndft_real *restrict s)
{
    for (int i = 0; i < d->lines; i++) {
        const ndft_real *restrict pr = d->part + 2 * i * LANES;
        const ndft_real *restrict pi = pr + LANES;
        ndft_real *restrict re = d->total + 2 * i * LANES;
        ndft_real *restrict im = re + LANES;
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            re[l] += c[l] * pr[l] - s[l] * pi[l];
            im[l] += s[l] * pr[l] + c[l] * pi[l];
        }
    }
}

static void sum_tiles(direct *d, const ndft_real *in)
{
    ndft_real c[LANES], s[LANES];
    int32_t turn[LANES] = {0};
    fill_panel(d, turn_row); /* leaves tile k mod N in index */
    for (int64_t n = 0; n < d->sum->pass.in.count; n += d->sum->tile) {
        clear_sums(d, d->part);
        add_tile(d, n, in, d->part);
        turn_row(d->sum, turn, c, s);
        join_turned(d, c, s);
        advance(d, turn, d->index);
    }
}

void NDFT_LOOP(uniform_tiled)(const ndft_line_sum *s, const void *in, void *out)
{
    sum_lines(s, in, out, sum_tiles);
}

/* Every tile's panel is looked up among the N roots of unity. */

static void look_up(const ndft_line_sum *sum, const int32_t *restrict index, ndft_real *restrict c,
                    ndft_real *restrict s)
{
    const ndft_real *restrict cosine = sum->table, *restrict sine = cosine + sum->pass.length;
#pragma omp simd
    for (int l = 0; l < LANES; l++) {
        c[l] = cosine[index[l]];
        s[l] = sine[index[l]];
    }
}

static void sum_looked_up(direct *d, const ndft_real *in)
{
    for (int64_t n = 0; n < d->sum->pass.in.count; n += d->sum->tile) {
        fill_panel(d, look_up);
        add_tile(d, n, in, d->total);
    }
}

void NDFT_LOOP(uniform_sincos_table)(const ndft_line_sum *s, const void *in, void *out)
{
    sum_lines(s, in, out, sum_looked_up);
}
