/* SPDX-License-Identifier: Apache-2.0 */
#include "property_fixture.h"

#include "base/bounds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What properties make at most, besides two packed vectors: vectors, arrays over both sides. */
enum { VECTORS = 11, REALS = 42, ALIGNMENT = 64 };

void *ndft_property_fixture_take(ndft_property_fixture *t, size_t bytes)
{
    void *memory = t->memory + t->used;
    t->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    assert(t->used <= t->size);
    return memory;
}

static size_t capacity(const ndft_shape *s, int64_t longest)
{
    size_t vector = (size_t)longest * (size_t)s->coils * sizeof(ndft_complex) + ALIGNMENT;
    size_t reals = (size_t)longest * sizeof(double) + ALIGNMENT;
    return (VECTORS + 2) * vector + REALS * reals;
}

void *ndft_property_fixture_reals(ndft_property_fixture *t, int64_t count)
{
    return ndft_property_fixture_take(t, (size_t)count * ndft_real_size(t->problem.prec));
}

ndft_complex *ndft_property_fixture_vector(ndft_property_fixture *t)
{
    size_t elements = (size_t)t->longest * (size_t)t->problem.coils;
    return ndft_property_fixture_take(t, elements * sizeof(ndft_complex));
}

void ndft_put(void *array, ndft_prec prec, int64_t i, double value)
{
    if (prec == NDFT_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/* Uniform in [-1, 1). */
static double centred(ndft_random *r) { return 2 * ndft_uniform(r) - 1; }

/* Three quarters of the grid, drawn, and never none. */
static int64_t draw_mask(ndft_random *r, int32_t *voxel, int64_t grid)
{
    int64_t kept = 0;
    for (int64_t v = 0; v < grid; v++)
        if (v == grid / 2 || ndft_uniform(r) < 0.75) voxel[kept++] = (int32_t)v;
    return kept;
}

static const void *draw_k(ndft_property_fixture *t, int d)
{
    const ndft_problem *p = &t->problem;
    double half = (double)p->n[d] / 2;
    void *k = ndft_property_fixture_reals(t, p->n_samples);
    for (int64_t j = 0; j < p->n_samples; j++)
        ndft_put(k, p->prec, j, rint(0x1p8 * half * centred(&t->random)) * 0x1p-8);
    ndft_put(k, p->prec, 0, 0);
    if (p->n_samples > 1) ndft_put(k, p->prec, 1, -half);
    return k;
}

static const void *draw_t(ndft_property_fixture *t)
{
    const ndft_problem *p = &t->problem;
    void *times = ndft_property_fixture_reals(t, p->n_samples);
    for (int64_t j = 0; j < p->n_samples; j++)
        ndft_put(times, p->prec, j, j ? floor(129 * ndft_uniform(&t->random)) * 0x1p-12 : 0);
    return times;
}

static const void *draw_map(ndft_property_fixture *t, double largest)
{
    const ndft_problem *p = &t->problem;
    void *map = ndft_property_fixture_reals(t, p->n_voxels);
    for (int64_t v = 0; v < p->n_voxels; v++)
        ndft_put(map, p->prec, v, largest * centred(&t->random));
    return map;
}

/* Of numbers of its own, so that the others are what they are without. */
static const void *draw_decay(ndft_property_fixture *t, uint64_t seed, double largest)
{
    const ndft_problem *p = &t->problem;
    ndft_random random = {~seed};
    void *map = ndft_property_fixture_reals(t, p->n_voxels);
    for (int64_t v = 0; v < p->n_voxels; v++)
        ndft_put(map, p->prec, v, largest * ndft_uniform(&random));
    return map;
}

static void *draw_side(ndft_property_fixture *t, ndft_random *random, int64_t count, double largest)
{
    void *side = ndft_property_fixture_reals(t, count);
    for (int64_t i = 0; i < count; i++)
        ndft_put(side, t->problem.prec, i, largest * centred(random));
    return side;
}

/* As decay. */
static void draw_higher(ndft_property_fixture *t, uint64_t seed)
{
    enum { TERMS = 3 };
    ndft_random random = {seed + 0x9e3779b97f4a7c15u};
    t->higher = (ndft_higher_phase){.terms = TERMS};
    for (int l = 0; l < TERMS; l++) {
        t->higher.c[l] = draw_side(t, &random, t->problem.n_samples, 40);
        t->higher.b[l] = draw_side(t, &random, t->problem.n_voxels, 0.1);
    }
}

/* As decay: up to a voxel and a half from the grid's places. */
static void draw_positions(ndft_property_fixture *t, uint64_t seed)
{
    const ndft_problem *p = &t->problem;
    ndft_random random = {seed ^ 0x5bd1e995u};
    for (int d = 0; d < p->dim; d++) {
        void *x = ndft_property_fixture_reals(t, p->n_voxels);
        for (int64_t v = 0; v < p->n_voxels; v++) {
            int64_t at[3];
            ndft_voxel_coord(p, v, at);
            ndft_put(x, p->prec, v, (double)at[d] + rint(96 * centred(&random)) * 0x1p-6);
        }
        t->positions[d] = x;
    }
}

static int64_t count_times(const ndft_problem *p)
{
    int64_t distinct = 0;
    for (int64_t j = 0; j < p->n_samples; j++) {
        int64_t earlier = 0;
        while (ndft_real_at(p->t, p->prec, earlier) != ndft_real_at(p->t, p->prec, j)) earlier++;
        distinct += earlier == j;
    }
    return distinct;
}

void ndft_property_fixture_bounds(ndft_problem *p)
{
    ndft_measure_bounds(p, NULL);
    p->structure = (ndft_structure){.line_length = 0, .distinct_times = count_times(p)};
}

static ndft_problem empty_problem(const ndft_shape *s)
{
    return (ndft_problem){.dim = s->dim,
                          .prec = s->prec,
                          .layout = s->layout,
                          .coils = s->coils,
                          .tol = s->tol,
                          .n = {s->n[0], s->n[1], s->n[2]},
                          .n_voxels = s->n[0] * s->n[1] * s->n[2],
                          .n_samples = s->n_samples};
}

static void draw_problem(ndft_property_fixture *t, const ndft_shape *s)
{
    static const double steepest[3] = {40, 19.2, 9.6}; /* Hz/voxel */
    ndft_problem *p = &t->problem;
    if (s->masked) {
        int32_t *voxel = ndft_property_fixture_take(t, (size_t)p->n_voxels * sizeof *voxel);
        p->n_voxels = draw_mask(&t->random, voxel, p->n_voxels);
        p->voxel = voxel;
    }
    p->t = draw_t(t);
    p->dw = draw_map(t, 2 * M_PI * 100);
    for (int d = 0; d < p->dim; d++) {
        p->k[d] = draw_k(t, d);
        t->gradients[d] = draw_map(t, steepest[d]);
        if (s->gradients) p->g[d] = t->gradients[d];
    }
    t->decay = draw_decay(t, s->seed, 80);
    if (s->decays) p->decay = t->decay;
    draw_higher(t, s->seed);
    if (s->higher) p->higher = t->higher;
    draw_positions(t, s->seed);
    if (s->off_grid) memcpy(p->x, t->positions, sizeof p->x);
    ndft_property_fixture_bounds(p);
}

ndft_status ndft_property_fixture_open(ndft_property_fixture *t, const ndft_operator *operation,
                                       const ndft_shape *s, ndft_error *error)
{
    *t = (ndft_property_fixture){
        .operation = operation, .problem = empty_problem(s), .error = error};
    t->random.state = s->seed;
    t->longest = t->problem.n_voxels;
    if (t->longest < s->n_samples) t->longest = s->n_samples;
    t->size = capacity(s, t->longest);
    t->memory = calloc(1, t->size);
    if (!t->memory) return ndft_fail(error, NDFT_ENOMEM, "a property needs %zu bytes", t->size);
    draw_problem(t, s);
    return NDFT_OK;
}

void ndft_property_fixture_close(ndft_property_fixture *t) { free(t->memory); }

const double ndft_slope[3] = {2.5, -1.75, 1.25};

void ndft_property_fixture_linear(ndft_property_fixture *t, ndft_problem *field,
                                  ndft_problem *shifted)
{
    void *dw = ndft_property_fixture_reals(t, field->n_voxels);
    for (int64_t v = 0; v < field->n_voxels; v++) {
        double x[3], sum = 0;
        ndft_voxel_at(field, v, x);
        for (int d = 0; d < field->dim; d++) sum += ndft_slope[d] * x[d];
        ndft_put(dw, field->prec, v, 2 * M_PI * sum);
    }
    field->dw = dw;
    ndft_property_fixture_bounds(field);
    *shifted = *field;
    shifted->dw = NULL;
    for (int d = 0; d < field->dim; d++) {
        void *k = ndft_property_fixture_reals(t, field->n_samples);
        double cycles_per_s = ndft_slope[d] * (double)field->n[d];
        for (int64_t j = 0; j < field->n_samples; j++)
            ndft_put(k, field->prec, j,
                     ndft_real_at(field->k[d], field->prec, j) +
                         cycles_per_s * ndft_real_at(field->t, field->prec, j));
        shifted->k[d] = k;
    }
    ndft_property_fixture_bounds(shifted);
}
