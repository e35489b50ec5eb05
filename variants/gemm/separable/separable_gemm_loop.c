/* SPDX-License-Identifier: Apache-2.0 */
#include "gemm/gemm_tile.h"
#include "separable_gemm_work.h"

ndft_direction_loop NDFT_LOOP(separable_forward), NDFT_LOOP(separable_adjoint);

/*
 * Lanes are columns of a plane, real parts then imaginary ones. Over the folded axis the sum is a
 * product of the pairs' even and odd parts with cosines and sines, half the work of a complex one;
 * over the plane it is one phasor a column and sample. The field turns every voxel once a group.
 */

enum { CHUNK = NDFT_SEPARABLE_CHUNK, LANES = NDFT_SEPARABLE_LANES };

/* z: a chunk of a plane, turned by the field. */
static inline void turned(const ndft_separable_work *w, const ndft_real *restrict re,
                          const ndft_real *restrict turn, ndft_real *restrict z)
{
    const ndft_separable *s = w->of;
    const ndft_real *restrict im = re + s->planes * s->width;
    if (!s->field) {
        memcpy(z, re, CHUNK * sizeof *z);
        memcpy(z + CHUNK, im, CHUNK * sizeof *z);
        return;
    }
#pragma omp simd
    for (int l = 0; l < CHUNK; l++) {
        z[l] = turn[l] * re[l] - turn[CHUNK + l] * im[l];
        z[CHUNK + l] = turn[CHUNK + l] * re[l] + turn[l] * im[l];
    }
}

/* Forward: even and odd parts of the block of pairs from i on; odd ones times the imaginary unit. A
 * middle plane comes first, alone: its sine is 0. */
static void fold_rows(const ndft_separable_work *w, int coil, int i, int64_t column)
{
    const ndft_separable *s = w->of;
    const int rows = ndft_separable_rows(s, i);
    ndft_real p[LANES], q[LANES] = {0};
    for (int r = 0; r < rows; r++) {
        const ndft_real *turn = w->turn + 2 * r * LANES;
        ndft_real *restrict even = w->folded + r * LANES, *restrict odd = even + rows * LANES;
        turned(w, ndft_separable_plane(s, s->image, coil, ndft_plane_after(s, i + r)) + column,
               turn, p);
        if (ndft_plane_after(s, i + r) != ndft_plane_before(s, i + r))
            turned(w, ndft_separable_plane(s, s->image, coil, ndft_plane_before(s, i + r)) + column,
                   turn + LANES, q);
#pragma omp simd
        for (int l = 0; l < CHUNK; l++) {
            even[l] = p[l] + q[l];
            even[CHUNK + l] = p[CHUNK + l] + q[CHUNK + l];
            odd[l] = q[CHUNK + l] - p[CHUNK + l];
            odd[CHUNK + l] = p[l] - q[l];
        }
    }
}

/* Forward: each sample's cosines and sines over the folded axis, block by block. */
static void tabulate_samples(const ndft_separable_work *w, const ndft_time_group *g)
{
    const ndft_separable *s = w->of;
    const ndft_real *const offset[4] = {s->offset};
    for (int j = 0; j < g->count; j++) {
        const ndft_scaled k = {.high = {((const ndft_real *)s->high)[g->first + j]},
                               .rest = {((const ndft_real *)s->rest)[g->first + j]}};
        ndft_real *to = w->table + 2 * (int64_t)j * s->pairs;
        for (int i = 0; i < s->pairs; i += s->rows) {
            const int rows = ndft_separable_rows(s, i);
            ndft_phasors_of(offset, i, rows, &k, to + 2 * i, to + 2 * i + rows, 1);
        }
    }
}

/* Forward: adds the columns from `column` on to the samples. */
static void join_columns(const ndft_separable_work *w, const ndft_time_group *g, int64_t column)
{
    const ndft_separable *s = w->of;
    const ndft_real *at[4] = {NULL};
    for (int a = 0; a < s->axes; a++) at[a] = s->at[a];
    const ndft_real *restrict c = w->c, *restrict sine = w->s;
    for (int j = 0; j < g->count; j++) {
        ndft_phasors(s->axes, at, column, CHUNK, (const ndft_scaled *)s->point + g->first + j, w->c,
                     w->s);
        for (int coil = 0; coil < w->coils; coil++) {
            const ndft_real *restrict re = w->sums + (int64_t)(coil * s->most + j) * LANES;
            const ndft_real *restrict im = re + CHUNK;
            ndft_real sum_re = 0, sum_im = 0;
#pragma omp simd reduction(+ : sum_re, sum_im)
            for (int l = 0; l < CHUNK; l++) {
                sum_re += c[l] * re[l] - sine[l] * im[l];
                sum_im += sine[l] * re[l] + c[l] * im[l];
            }
            w->sample[2 * (coil * s->most + j)] += sum_re;
            w->sample[2 * (coil * s->most + j) + 1] += sum_im;
        }
    }
}

/* Forward: sums over the folded axis of all samples of the group, for one chunk of columns. */
static void sum_columns(const ndft_separable_work *w, int64_t group, int64_t column)
{
    const ndft_separable *s = w->of;
    for (int coil = 0; coil < w->coils; coil++)
        ndft_clear(w->sums + (int64_t)coil * s->most * LANES,
                   (size_t)s->group[group].count * LANES);
    for (int i = 0; i < s->pairs; i += s->rows) {
        ndft_turn_rows(w, group, i, column);
        for (int coil = 0; coil < w->coils; coil++) {
            fold_rows(w, w->coil + coil, i, column);
            const ndft_gemm product = {.lanes = LANES,
                                       .columns = s->group[group].count,
                                       .terms = 2 * ndft_separable_rows(s, i),
                                       .a = w->folded,
                                       .b = w->table + 2 * i,
                                       .c = w->sums + (int64_t)coil * s->most * LANES,
                                       .a_stride = LANES,
                                       .b_stride = 2 * s->pairs,
                                       .c_stride = LANES};
            ndft_gemm_add(&product);
        }
    }
}

static void sum_group(const ndft_separable_work *w, int64_t group, ndft_real *out)
{
    const ndft_separable *s = w->of;
    const ndft_time_group *g = &s->group[group];
    tabulate_samples(w, g);
    ndft_clear(w->sample, 2 * (size_t)w->coils * (size_t)s->most);
    for (int64_t column = 0; column < s->width; column += CHUNK) {
        sum_columns(w, group, column);
        join_columns(w, g, column);
    }
    for (int coil = 0; coil < w->coils; coil++) {
        const ndft_real *z = w->sample + 2 * coil * s->most;
        ndft_real *to = out + 2 * (w->coil + coil) * s->out_coil;
        for (int j = 0; j < g->count; j++, z += 2)
            ndft_put_complex(to + 2 * s->order[g->first + j] * s->element, z[0], z[1]);
    }
}

void NDFT_LOOP(separable_forward)(const void *separable, const void *in, void *out)
{
    const ndft_separable *s = separable;
    const int64_t planes = (int64_t)s->coils * s->planes;
#pragma omp parallel num_threads(s->threads)
    {
        ndft_separable_work w = ndft_separable_work_of(s, omp_get_thread_num());
#pragma omp for schedule(static)
        for (int64_t i = 0; i < planes; i++)
            ndft_separable_load(s, (int)(i / s->planes), i % s->planes, in);
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->groups * s->groups_of_coils; item++) {
            ndft_separable_take_coils(&w, item % s->groups_of_coils);
            sum_group(&w, item / s->groups_of_coils, out);
        }
    }
}

/* Adjoint: cosines and sines of each pair of planes, block by block, over the group's samples. */
static void tabulate_pairs(const ndft_separable_work *w, const ndft_time_group *g)
{
    const ndft_separable *s = w->of;
    const ndft_real *high = (const ndft_real *)s->high + g->first;
    const ndft_real *rest = (const ndft_real *)s->rest + g->first;
    const int count = (g->count + NDFT_SEPARABLE_PAD - 1) / NDFT_SEPARABLE_PAD * NDFT_SEPARABLE_PAD;
    for (int i = 0; i < s->pairs; i += s->rows) {
        const int rows = ndft_separable_rows(s, i);
        for (int r = 0; r < rows; r++) {
            ndft_real *to = w->table + (int64_t)(2 * i + r) * s->most;
            ndft_phasors_scaled(((const ndft_real *)s->offset)[i + r], high, rest, count, to,
                                to + (int64_t)rows * s->most);
        }
    }
}

/* Adjoint: every sample's value times its phasors over a chunk of columns. */
static void spread_columns(const ndft_separable_work *w, const ndft_time_group *g, int64_t column,
                           const ndft_real *in)
{
    const ndft_separable *s = w->of;
    const ndft_real *at[4] = {NULL};
    for (int a = 0; a < s->axes; a++) at[a] = s->at[a];
    const ndft_real *restrict c = w->c, *restrict sine = w->s;
    for (int j = 0; j < g->count; j++) {
        ndft_phasors(s->axes, at, column, CHUNK, (const ndft_scaled *)s->point + g->first + j, w->c,
                     w->s);
        for (int coil = 0; coil < w->coils; coil++) {
            const ndft_real *d =
                in + 2 * ((w->coil + coil) * s->in_coil + s->order[g->first + j] * s->element);
            const ndft_real re = d[0], im = d[1];
            ndft_real *restrict to = w->sums + (int64_t)(coil * s->most + j) * LANES;
#pragma omp simd
            for (int l = 0; l < CHUNK; l++) {
                to[l] = c[l] * re - sine[l] * im;
                to[CHUNK + l] = sine[l] * re + c[l] * im;
            }
        }
    }
}

/* to += z, turned by the field; to is a chunk of a plane of the batch's image. */
static inline void add_turned(const ndft_separable_work *w, const ndft_real *restrict z,
                              const ndft_real *restrict turn, ndft_real *restrict re)
{
    const ndft_separable *s = w->of;
    ndft_real *restrict im = re + s->planes * s->width;
    if (!s->field) {
#pragma omp simd
        for (int l = 0; l < CHUNK; l++) {
            re[l] += z[l];
            im[l] += z[CHUNK + l];
        }
        return;
    }
#pragma omp simd
    for (int l = 0; l < CHUNK; l++) {
        re[l] += turn[l] * z[l] - turn[CHUNK + l] * z[CHUNK + l];
        im[l] += turn[CHUNK + l] * z[l] + turn[l] * z[CHUNK + l];
    }
}

/* Adjoint: even and odd sums become pairs of planes. */
static void unfold_rows(const ndft_separable_work *w, int coil, int i, int64_t column)
{
    const ndft_separable *s = w->of;
    const int rows = ndft_separable_rows(s, i);
    ndft_real p[LANES], q[LANES];
    for (int r = 0; r < rows; r++) {
        const ndft_real *restrict even = w->folded + r * LANES, *restrict odd = even + rows * LANES;
#pragma omp simd
        for (int l = 0; l < CHUNK; l++) {
            p[l] = even[l] - odd[CHUNK + l];
            p[CHUNK + l] = even[CHUNK + l] + odd[l];
            q[l] = even[l] + odd[CHUNK + l];
            q[CHUNK + l] = even[CHUNK + l] - odd[l];
        }
        const ndft_real *turn = w->turn + 2 * r * LANES;
        add_turned(w, p, turn,
                   ndft_separable_plane(s, s->part, coil, ndft_plane_after(s, i + r)) + column);
        if (ndft_plane_after(s, i + r) != ndft_plane_before(s, i + r))
            add_turned(w, q, turn + LANES,
                       ndft_separable_plane(s, s->part, coil, ndft_plane_before(s, i + r)) +
                           column);
    }
}

/* Adjoint: adds the group's samples to one chunk of columns. */
static void add_columns(const ndft_separable_work *w, int64_t group, int64_t column)
{
    const ndft_separable *s = w->of;
    for (int i = 0; i < s->pairs; i += s->rows) {
        ndft_turn_rows(w, group, i, column);
        const int columns = 2 * ndft_separable_rows(s, i);
        for (int coil = 0; coil < w->coils; coil++) {
            const ndft_gemm product = {.lanes = LANES,
                                       .columns = columns,
                                       .terms = s->group[group].count,
                                       .a = w->sums + (int64_t)coil * s->most * LANES,
                                       .b = w->table + (int64_t)2 * i * s->most,
                                       .c = w->folded,
                                       .a_stride = LANES,
                                       .b_stride = s->most,
                                       .c_stride = LANES};
            ndft_clear(w->folded, (size_t)columns * LANES);
            ndft_gemm_add(&product);
            unfold_rows(w, w->coil + coil, i, column);
        }
    }
}

/* Columns of all planes of the group's coils: the batch's image joins the total and is cleared. */
static void join_batch(const ndft_separable_work *w, int64_t begin, int64_t end)
{
    const ndft_separable *s = w->of;
    for (int64_t plane = 2 * w->coil * s->planes; plane < 2 * (w->coil + w->coils) * s->planes;
         plane++) {
        ndft_real *restrict total = (ndft_real *)s->image + plane * s->width;
        ndft_real *restrict part = (ndft_real *)s->part + plane * s->width;
#pragma omp simd
        for (int64_t l = begin; l < end; l++) {
            total[l] += part[l];
            part[l] = 0;
        }
    }
}

static void clear_strip(const ndft_separable_work *w, int64_t begin, int64_t end)
{
    const ndft_separable *s = w->of;
    for (int64_t plane = 2 * w->coil * s->planes; plane < 2 * (w->coil + w->coils) * s->planes;
         plane++) {
        ndft_clear((ndft_real *)s->image + plane * s->width + begin, (size_t)(end - begin));
        ndft_clear((ndft_real *)s->part + plane * s->width + begin, (size_t)(end - begin));
    }
}

/* Adjoint: all samples to one strip of columns. */
static void sum_strip(const ndft_separable_work *w, int64_t strip, const ndft_real *in)
{
    const ndft_separable *s = w->of;
    const int64_t begin = strip * s->strip * CHUNK, last = begin + s->strip * CHUNK;
    const int64_t end = last < s->width ? last : s->width;
    clear_strip(w, begin, end);
    for (int64_t group = 0; group < s->groups; group++) {
        tabulate_pairs(w, &s->group[group]);
        for (int64_t column = begin; column < end; column += CHUNK) {
            spread_columns(w, &s->group[group], column, in);
            add_columns(w, group, column);
        }
        if ((group + 1) % NDFT_SEPARABLE_BATCH == 0 || group + 1 == s->groups)
            join_batch(w, begin, end);
    }
}

void NDFT_LOOP(separable_adjoint)(const void *separable, const void *in, void *out)
{
    const ndft_separable *s = separable;
    const int64_t planes = (int64_t)s->coils * s->planes;
#pragma omp parallel num_threads(s->threads)
    {
        ndft_separable_work w = ndft_separable_work_of(s, omp_get_thread_num());
#pragma omp for schedule(dynamic)
        for (int64_t item = 0; item < s->strips * s->groups_of_coils; item++) {
            ndft_separable_take_coils(&w, item % s->groups_of_coils);
            sum_strip(&w, item / s->groups_of_coils, in);
        }
#pragma omp for schedule(static)
        for (int64_t i = 0; i < planes; i++)
            ndft_separable_store(s, (int)(i / s->planes), i % s->planes, out);
    }
}
