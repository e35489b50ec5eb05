/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm/gemm_tile.h"
#include "line_gemm_work.h"

ndft_direction_loop NDFT_LOOP(line_forward), NDFT_LOOP(line_adjoint);

/*
 * Baby steps are a voxel's phasors from a block's middle to its samples on one side; giant steps
 * its phasors at the blocks' middles. The samples on the other side have conjugate baby steps:
 * cosines and sines are multiplied apart and give both sides, half the work of a complex product.
 */

enum { HALF = NDFT_LINE_HALF, BLOCK = NDFT_LINE_BLOCK };
enum { TILE = NDFT_LINE_TILE, SPAN = NDFT_LINE_SPAN_TILES * TILE };

static void add(ndft_real *restrict to, const ndft_real *restrict from, size_t count)
{
#pragma omp simd
    for (size_t i = 0; i < count; i++) to[i] += from[i];
}

/* Forward: a voxel's row is its baby steps, cosines then sines. */
static void rows_of_voxels(const ndft_line_work *w, const ndft_real *odd)
{
    const ndft_real *const at[4] = {odd};
    for (int l = 0; l < TILE; l++) {
        const ndft_scaled step = {.high = {w->high[l]}, .rest = {w->rest[l]}};
        ndft_real *row = w->baby + l * BLOCK;
        ndft_phasors_of(at, 0, HALF, &step, row, row + HALF, 1);
    }
}

/* Forward: two columns a block and coil, the voxels' values times giant steps. */
static void columns_of_voxels(const ndft_line_work *w, int64_t voxel, int64_t piece, int blocks)
{
    const ndft_lines *s = w->lines;
    ndft_real *restrict to = w->giant;
    const ndft_real *restrict c = w->c, *restrict sine = w->s;
    for (int block = 0; block < blocks; block++) {
        ndft_giant_steps(w, voxel, piece, block);
        for (int coil = w->coil; coil < w->coil + w->coils; coil++, to += 2 * TILE) {
            const ndft_real *restrict re =
                (const ndft_real *)s->values + 2 * coil * s->padded + voxel;
            const ndft_real *restrict im = re + s->padded;
#pragma omp simd
            for (int l = 0; l < TILE; l++) {
                to[l] = c[l] * re[l] - sine[l] * im[l];
                to[TILE + l] = sine[l] * re[l] + c[l] * im[l];
            }
        }
    }
}

/* total: the piece's samples, [block][coil][re, im][even, odd of HALF]. */
static void sum_piece(const ndft_line_work *w, int64_t piece, const ndft_real *odd)
{
    const ndft_lines *s = w->lines;
    const int blocks = ndft_line_blocks(&s->piece[piece]), columns = 2 * blocks * w->coils;
    const size_t reals = (size_t)columns * BLOCK;
    const ndft_gemm product = {.lanes = BLOCK,
                               .columns = columns,
                               .terms = TILE,
                               .a = w->baby,
                               .b = w->giant,
                               .c = w->part,
                               .a_stride = BLOCK,
                               .b_stride = TILE,
                               .c_stride = BLOCK};
    ndft_clear(w->total, reals);
    for (int64_t span = 0; span < s->padded; span += SPAN) {
        ndft_clear(w->part, reals);
        for (int64_t voxel = span; voxel < span + SPAN && voxel < s->voxels; voxel += TILE) {
            ndft_half_steps(w, voxel, &s->piece[piece].half_step);
            rows_of_voxels(w, odd);
            columns_of_voxels(w, voxel, piece, blocks);
            ndft_gemm_add(&product);
        }
        add(w->total, w->part, reals);
    }
}

/* Even and odd sums give the samples after a block's middle and before it. */
static void store_piece(const ndft_line_work *w, int64_t piece, ndft_real *out)
{
    const ndft_lines *s = w->lines;
    const ndft_line_piece *of = &s->piece[piece];
    const ndft_real *re = w->total;
    for (int block = 0; block < ndft_line_blocks(of); block++) {
        for (int coil = w->coil; coil < w->coil + w->coils; coil++, re += 2 * BLOCK) {
            const ndft_real *im = re + BLOCK;
            ndft_real *line = out + 2 * (coil * s->out_coil + of->first * s->element);
            for (int p = 0; p < HALF; p++) {
                const int after = block * BLOCK + HALF + p, before = block * BLOCK + HALF - 1 - p;
                if (after < of->count)
                    ndft_put_complex(line + 2 * after * s->element, re[p] - im[HALF + p],
                                     im[p] + re[HALF + p]);
                if (before < of->count)
                    ndft_put_complex(line + 2 * before * s->element, re[p] + im[HALF + p],
                                     im[p] - re[HALF + p]);
            }
        }
    }
}

/* Voxels' values, planar and padded with zeros. */
static void stage_voxels(const ndft_lines *s, int64_t coil, const ndft_real *in)
{
    ndft_real *re = (ndft_real *)s->values + 2 * coil * s->padded, *im = re + s->padded;
    for (int64_t v = 0; v < s->padded; v++) {
        const ndft_real *z = in + 2 * (coil * s->in_coil + v * s->element);
        re[v] = v < s->voxels ? z[0] : 0;
        im[v] = v < s->voxels ? z[1] : 0;
    }
}

void NDFT_LOOP(line_forward)(const void *lines, const void *in, void *out)
{
    const ndft_lines *s = lines;
    ndft_real odd[HALF];
    for (int p = 0; p < HALF; p++) odd[p] = (ndft_real)(2 * p + 1);
#pragma omp parallel num_threads(s->threads)
    {
        ndft_line_work w = ndft_line_work_of(s, omp_get_thread_num());
#pragma omp for schedule(static)
        for (int64_t coil = 0; coil < s->coils; coil++) stage_voxels(s, coil, in);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->pieces * s->groups; item++) {
            ndft_line_take_group(&w, item % s->groups);
            sum_piece(&w, item / s->groups, odd);
            store_piece(&w, item / s->groups, out);
        }
    }
}

/* Adjoint: rows are baby steps, cosines then sines, of the tile's voxels. */
static void rows_of_samples(const ndft_line_work *w)
{
    for (int p = 0; p < HALF; p++)
        ndft_phasors_scaled((ndft_real)(2 * p + 1), w->high, w->rest, TILE, w->baby + p * TILE,
                            w->baby + (HALF + p) * TILE);
}

static ndft_real *folded(const ndft_lines *s, int64_t piece, int coil)
{
    return (ndft_real *)s->values + (piece * s->coils + coil) * (int64_t)ndft_line_fold_reals(s);
}

/* A sample of the piece; those beyond its end are zero. */
static void take(const ndft_lines *s, const ndft_line_piece *of, const ndft_real *line, int q,
                 ndft_real z[2])
{
    const ndft_real *from = line + 2 * q * s->element;
    z[0] = q < of->count ? from[0] : 0;
    z[1] = q < of->count ? from[1] : 0;
}

/* Two columns a block: what multiplies cosines and sines for the real and the imaginary part. */
static void fold_piece(const ndft_lines *s, int64_t piece, int coil, const ndft_real *in)
{
    const ndft_line_piece *of = &s->piece[piece];
    const ndft_real *line = in + 2 * (coil * s->in_coil + of->first * s->element);
    ndft_real *re = folded(s, piece, coil);
    for (int block = 0; block < ndft_line_blocks(of); block++, re += 2 * BLOCK) {
        ndft_real *im = re + BLOCK;
        for (int p = 0; p < HALF; p++) {
            ndft_real after[2], before[2];
            take(s, of, line, block * BLOCK + HALF + p, after);
            take(s, of, line, block * BLOCK + HALF - 1 - p, before);
            re[p] = after[0] + before[0];
            im[p] = after[1] + before[1];
            re[HALF + p] = before[1] - after[1];
            im[HALF + p] = after[0] - before[0];
        }
    }
}

/* part: sums over the blocks of one coil, each turned by its giant steps; giant holds the sums. */
static void add_block(const ndft_line_work *w, int block, int blocks)
{
    const ndft_real *restrict c = w->c, *restrict sine = w->s;
    for (int coil = 0; coil < w->coils; coil++) {
        const ndft_real *restrict re = w->giant + 2 * (coil * blocks + block) * TILE;
        const ndft_real *restrict im = re + TILE;
        ndft_real *restrict to = w->part + 2 * coil * TILE;
#pragma omp simd
        for (int l = 0; l < TILE; l++) {
            to[l] += c[l] * re[l] - sine[l] * im[l];
            to[TILE + l] += sine[l] * re[l] + c[l] * im[l];
        }
    }
}

/* Adds one piece to the totals of the tile's voxels. */
static void add_piece(const ndft_line_work *w, int64_t voxel, int64_t piece)
{
    const ndft_lines *s = w->lines;
    const int blocks = ndft_line_blocks(&s->piece[piece]);
    const size_t reals = 2 * (size_t)w->coils * TILE;
    ndft_half_steps(w, voxel, &s->piece[piece].half_step);
    rows_of_samples(w);
    ndft_clear(w->giant, reals * (size_t)blocks);
    for (int coil = 0; coil < w->coils; coil++) {
        const ndft_gemm product = {.lanes = TILE,
                                   .columns = 2 * blocks,
                                   .terms = BLOCK,
                                   .a = w->baby,
                                   .b = folded(s, piece, w->coil + coil),
                                   .c = w->giant + 2 * coil * blocks * TILE,
                                   .a_stride = TILE,
                                   .b_stride = BLOCK,
                                   .c_stride = TILE};
        ndft_gemm_add(&product);
    }
    ndft_clear(w->part, reals);
    for (int block = 0; block < blocks; block++) {
        ndft_giant_steps(w, voxel, piece, block);
        add_block(w, block, blocks);
    }
    add(w->total, w->part, reals);
}

static void store_voxels(const ndft_line_work *w, int64_t voxel, ndft_real *out)
{
    const ndft_lines *s = w->lines;
    for (int coil = 0; coil < w->coils; coil++) {
        const ndft_real *re = w->total + 2 * coil * TILE;
        for (int l = 0; l < TILE && voxel + l < s->voxels; l++)
            ndft_put_complex(out + 2 * ((w->coil + coil) * s->out_coil + (voxel + l) * s->element),
                             re[l], re[TILE + l]);
    }
}

void NDFT_LOOP(line_adjoint)(const void *lines, const void *in, void *out)
{
    const ndft_lines *s = lines;
    const int64_t tiles = (s->voxels + TILE - 1) / TILE;
#pragma omp parallel num_threads(s->threads)
    {
        ndft_line_work w = ndft_line_work_of(s, omp_get_thread_num());
#pragma omp for schedule(static)
        for (int64_t piece = 0; piece < s->pieces; piece++)
            for (int coil = 0; coil < s->coils; coil++) fold_piece(s, piece, coil, in);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < tiles * s->groups; item++) {
            ndft_line_take_group(&w, item % s->groups);
            ndft_clear(w.total, 2 * (size_t)w.coils * TILE);
            for (int64_t piece = 0; piece < s->pieces; piece++)
                add_piece(&w, item / s->groups * TILE, piece);
            store_voxels(&w, item / s->groups * TILE, out);
        }
    }
}
