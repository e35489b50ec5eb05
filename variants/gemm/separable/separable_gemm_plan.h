/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_GEMM_PLAN_H
#define NDFT_SEPARABLE_GEMM_PLAN_H

#include "phase/points.h"
#include "phase/scaled.h"
#include "separable_gemm_loop.h"

#include <stdlib.h>

/* The arrays of separable_gemm: samples sorted into groups of one time, the grid as planes. */

enum {
    NDFT_SEPARABLE_SUMS = 512
}; /* samples times coils whose sums stay in the second-level cache */

/* Sizes that follow from the problem and the largest group of samples alone. */
static inline ndft_separable ndft_separable_shape(const ndft_problem *p, int64_t most)
{
    const int64_t chunk = NDFT_SEPARABLE_CHUNK_BYTES / (int64_t)ndft_real_size(p->prec);
    ndft_separable s = {.axes = p->dim, .coils = p->coils, .voxel = p->voxel, .plane = 1};
    for (int d = 0; d < p->dim - 1; d++) s.plane *= p->n[d];
    s.width = ndft_whole(s.plane, chunk) * chunk;
    s.planes = (int)p->n[p->dim - 1];
    s.pairs = (s.planes + 1) / 2;
    s.rows = (int)ndft_whole(s.pairs, ndft_whole(s.pairs, NDFT_SEPARABLE_ROWS));
    s.most = (int)(ndft_whole(most, NDFT_SEPARABLE_PAD) * NDFT_SEPARABLE_PAD);
    s.groups_of_coils =
        (int)ndft_whole(p->coils, NDFT_SEPARABLE_SUMS > s.most ? NDFT_SEPARABLE_SUMS / s.most : 1);
    s.coils_of_group = (int)ndft_whole(p->coils, s.groups_of_coils);
    return s;
}

typedef struct ndft_timed_sample {
    double t;
    int32_t index;
} ndft_timed_sample;

static inline int ndft_by_time(const void *a, const void *b)
{
    const ndft_timed_sample *x = a, *y = b;
    return x->t != y->t ? (x->t > y->t) - (x->t < y->t) : x->index - y->index;
}

/* Samples in the order of their times; without a field all are of one. */
static inline ndft_timed_sample *ndft_sort_samples(const ndft_problem *p)
{
    ndft_timed_sample *sample = malloc((size_t)p->n_samples * sizeof *sample);
    if (!sample) return NULL;
    for (int64_t j = 0; j < p->n_samples; j++)
        sample[j] = (ndft_timed_sample){p->dw ? ndft_real_at(p->t, p->prec, j) : 0, (int32_t)j};
    qsort(sample, (size_t)p->n_samples, sizeof *sample, ndft_by_time);
    return sample;
}

/* Cuts times into even groups of at most `limit` samples; returns how many, and the largest one.
 * group NULL: only counts. */
static inline int64_t ndft_cut_groups(const ndft_timed_sample *sample, int64_t samples,
                                      int64_t limit, ndft_time_group *group, int64_t *most)
{
    int64_t groups = 0;
    *most = 0;
    for (int64_t first = 0, end; first < samples; first = end) {
        for (end = first + 1; end < samples && sample[end].t == sample[first].t;) end++;
        const int64_t size = ndft_whole(end - first, ndft_whole(end - first, limit));
        if (size > *most) *most = size;
        for (int64_t i = first; i < end; i += size, groups++)
            if (group) group[groups] = (ndft_time_group){i, (int)(end - i < size ? end - i : size)};
    }
    return groups;
}

static inline ndft_status ndft_place_samples(ndft_arena *arena, const ndft_problem *p,
                                             const ndft_timed_sample *sample, double sign,
                                             ndft_separable *s)
{
    const size_t m = (size_t)p->n_samples, real = ndft_real_size(p->prec);
    const int last = p->dim - 1;
    void *order, *point, *high, *rest;
    NDFT_TRY(ndft_reserve(arena, "order of samples", m * sizeof *s->order, &order));
    NDFT_TRY(ndft_reserve(arena, "samples", m * NDFT_SCALED_REALS * real, &point));
    NDFT_TRY(ndft_reserve(arena, "samples", (m + NDFT_SEPARABLE_PAD) * real, &high));
    NDFT_TRY(ndft_reserve(arena, "samples", (m + NDFT_SEPARABLE_PAD) * real, &rest));
    for (int64_t j = 0; j < p->n_samples; j++) {
        double at[4];
        ((int32_t *)order)[j] = sample[j].index;
        ndft_point(p, NDFT_SAMPLES, sample[j].index, at);
        const ndft_centre turns = ndft_centre_of(p, at, sign);
        for (int d = 0; d < p->dim; d++) ndft_put_scaled(p, point, j, d, turns.hi[d], turns.lo[d]);
        ndft_put_real(high, p->prec, j, ndft_real_at(point, p->prec, NDFT_SCALED_REALS * j + last));
        ndft_put_real(rest, p->prec, j,
                      ndft_real_at(point, p->prec, NDFT_SCALED_REALS * j + 4 + last));
    }
    for (int64_t j = p->n_samples; j < p->n_samples + NDFT_SEPARABLE_PAD; j++) {
        ndft_put_real(high, p->prec, j, 0);
        ndft_put_real(rest, p->prec, j, 0);
    }
    s->order = order;
    s->point = point;
    s->high = high;
    s->rest = rest;
    return NDFT_OK;
}

static inline ndft_status ndft_place_groups(ndft_arena *arena, const ndft_problem *p,
                                            const ndft_timed_sample *sample, int64_t limit,
                                            double sign, ndft_separable *s)
{
    int64_t most;
    void *group, *time;
    NDFT_TRY(
        ndft_reserve(arena, "groups of samples", (size_t)s->groups * sizeof *s->group, &group));
    ndft_cut_groups(sample, p->n_samples, limit, group, &most);
    s->group = group;
    if (!p->dw) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arena, "times",
                          (size_t)s->groups * NDFT_SCALED_REALS * ndft_real_size(p->prec), &time));
    for (int64_t i = 0; i < s->groups; i++) {
        const double at[4] = {0, 0, 0, sample[s->group[i].first].t};
        const ndft_centre turns = ndft_centre_of(p, at, sign);
        ndft_put_scaled(p, time, i, 0, turns.hi[3], turns.lo[3]);
    }
    s->time = time;
    return NDFT_OK;
}

/* Coordinates of columns and pairs, all exact. */
static inline ndft_status ndft_place_axes(ndft_arena *arena, const ndft_problem *p,
                                          ndft_separable *s)
{
    const size_t real = ndft_real_size(p->prec);
    const int last = p->dim - 1;
    const double middle = s->planes % 2 ? 0 : -0.5;
    void *to;
    for (int d = 0; d < p->dim; d++) {
        NDFT_TRY(ndft_reserve(arena, "columns", (size_t)s->width * real, &to));
        for (int64_t column = 0; column < s->width; column++) {
            const int64_t index = d == 0 ? column % p->n[0] : column / p->n[0];
            ndft_put_real(to, p->prec, column, d == last ? middle : (double)(index - p->n[d] / 2));
        }
        s->at[d] = to;
    }
    NDFT_TRY(ndft_reserve(arena, "pairs of planes", (size_t)s->pairs * real, &to));
    for (int i = 0; i < s->pairs; i++) ndft_put_real(to, p->prec, i, i - middle);
    s->offset = to;
    return NDFT_OK;
}

/* The first voxel of each plane, and the field on the whole grid. */
static inline ndft_status ndft_place_planes(ndft_arena *arena, const ndft_problem *p,
                                            ndft_separable *s)
{
    const size_t reals = (size_t)s->planes * (size_t)s->width;
    void *first, *field;
    NDFT_TRY(ndft_reserve(arena, "first voxels of planes",
                          ((size_t)s->planes + 1) * sizeof *s->plane_first, &first));
    int64_t *at = first, v = 0;
    for (int plane = 0; plane <= s->planes; plane++) {
        while (v < p->n_voxels && (p->voxel ? p->voxel[v] : v) < plane * s->plane) v++;
        at[plane] = v;
    }
    s->plane_first = at;
    if (!p->dw) return NDFT_OK;
    NDFT_TRY(ndft_reserve(arena, "field", reals * ndft_real_size(p->prec), &field));
    for (size_t i = 0; i < reals; i++) ndft_put_real(field, p->prec, (int64_t)i, 0);
    for (v = 0; v < p->n_voxels; v++) {
        const int64_t i = p->voxel ? p->voxel[v] : v;
        ndft_put_real(field, p->prec, i / s->plane * s->width + i % s->plane,
                      ndft_real_at(p->dw, p->prec, v));
    }
    s->field = field;
    return NDFT_OK;
}

static inline ndft_status ndft_place_images(ndft_arena *arena, const ndft_problem *p, bool adjoint,
                                            ndft_separable *s)
{
    const size_t real = ndft_real_size(p->prec), most = (size_t)s->most;
    const size_t lanes = 2 * NDFT_SEPARABLE_CHUNK_BYTES / real, coils = (size_t)s->coils_of_group;
    const size_t image = 2 * (size_t)s->coils * (size_t)s->planes * (size_t)s->width * real;
    s->work_reals = 2 * (size_t)s->pairs * most + 4 * NDFT_SEPARABLE_ROWS * lanes +
                    coils * most * (lanes + 2) + lanes;
    NDFT_TRY(ndft_reserve(arena, "image", image, &s->image));
    if (adjoint) NDFT_TRY(ndft_reserve(arena, "image of a batch", image, &s->part));
    return ndft_reserve(arena, "workspace", (size_t)s->threads * s->work_reals * real, &s->work);
}

#endif
