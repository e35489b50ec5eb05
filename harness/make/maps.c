/* SPDX-License-Identifier: Apache-2.0 */
#include "files/role.h"

#include "base/bounds.h"
#include "maps.h"
#include "rng.h"

#include <math.h>
#include <string.h>

/*
 * Off-resonance maps of known largest offset F, and maps of R2* of known largest rate F.
 *
 * const:  F everywhere.
 * linear: proportional to r . (1, 1/2, 1/4), F where that is largest in magnitude, at the corner
 *         n = 0 (where it is -F); zero at the centre voxel. R2* falls from F at that corner, where
 *         it is half of what is between F and the offset.
 * smooth: a sum of seeded Gaussians, as air cavities make (the form of the test maps in B. P.
 *         Sutton, D. C. Noll, J. A. Fessler, "Fast, iterative image reconstruction for MRI in the
 *         presence of field inhomogeneities", IEEE Trans. Med. Imaging 22, 2003), scaled to F.
 * Those of R2* are positive. random: uniform in [-F, F] per voxel, of R2* in [0, F]: no structure
 * to exploit.
 */

typedef struct map_of {
    const ndft_case *c;
    double largest;
    ndft_stream stream;
    bool positive;
} map_of;

static void fill_const(const map_of *m, double *map)
{
    for (int64_t at = 0; at < ndft_grid_size(m->c); at++) map[at] = m->largest;
}

static void fill_linear(const map_of *m, double *map)
{
    const ndft_case *c = m->c;
    double slope[3], largest = 0;
    for (int d = 0; d < 3; d++) {
        slope[d] = ldexp(1.0 / (double)c->n[d], -d);
        largest += slope[d] * (double)(c->n[d] / 2);
    }
    double scale = largest > 0 ? m->largest / largest : 0;
#pragma omp parallel for
    for (int64_t at = 0; at < ndft_grid_size(c); at++) {
        int64_t x[3];
        ndft_grid_coord(c, at, x);
        map[at] =
            scale * (slope[0] * (double)x[0] + slope[1] * (double)x[1] + slope[2] * (double)x[2]);
        if (m->positive) map[at] = fmax((m->largest - map[at]) / 2, 0);
    }
}

static void fill_random(const map_of *m, double *map)
{
    const double f = m->largest, low = m->positive ? 0 : -f;
#pragma omp parallel for
    for (int64_t at = 0; at < ndft_grid_size(m->c); at++)
        map[at] = ndft_rng_uniform(m->c->seed, m->stream, (uint64_t)at, low, f);
}

/* Adds one Gaussian; it is a product over the axes, whose factors are tabled first. */
static void add_gaussian(const map_of *m, int which, double *const factor[3], double *map)
{
    const ndft_case *c = m->c;
    uint64_t index = 8 * (uint64_t)which;
    double height = ndft_rng_uniform(c->seed, m->stream, index, m->positive ? 0 : -1, 1);
    double width = ndft_rng_uniform(c->seed, m->stream, index + 1, 0.08, 0.25);
    for (int d = 0; d < 3; d++) {
        double centre = ndft_rng_uniform(c->seed, m->stream, index + 2 + (uint64_t)d, -0.4, 0.4);
        for (int64_t n = 0; n < c->n[d]; n++) {
            double r = (double)(n - c->n[d] / 2) / (double)c->n[d];
            double u = d < c->dim ? (r - centre) / width : 0;
            factor[d][n] = exp(-0.5 * u * u);
        }
    }
#pragma omp parallel for
    for (int64_t row = 0; row < c->n[1] * c->n[2]; row++) {
        double f = height * factor[1][row % c->n[1]] * factor[2][row / c->n[1]];
        for (int64_t x = 0; x < c->n[0]; x++) map[row * c->n[0] + x] += f * factor[0][x];
    }
}

static ndft_status fill_smooth(const map_of *m, ndft_arena *arena, double *map, ndft_error *err)
{
    enum { GAUSSIANS = 8 };
    const ndft_case *c = m->c;
    int64_t size = ndft_grid_size(c);
    double *factor[3], largest = 0;
    for (int d = 0; d < 3; d++) {
        factor[d] = ndft_arena_alloc(arena, "map profile", c->n[d], sizeof(double), err);
        if (!factor[d]) return NDFT_ENOMEM;
    }
    memset(map, 0, (size_t)size * sizeof *map);
    for (int i = 0; i < GAUSSIANS; i++) add_gaussian(m, i, factor, map);
#pragma omp parallel for reduction(max : largest)
    for (int64_t at = 0; at < size; at++) largest = fmax(largest, fabs(map[at]));
    for (int64_t at = 0; at < size; at++) map[at] *= m->largest / largest;
    return NDFT_OK;
}

static ndft_status fill_map(const map_of *m, const ndft_source *from, const ndft_role *role,
                            ndft_arena *arena, double *map, ndft_error *err)
{
    const ndft_case *c = m->c;
    switch (from->kind) {
    case NDFT_FIELD_CONST:
        fill_const(m, map);
        return NDFT_OK;
    case NDFT_FIELD_LINEAR:
        fill_linear(m, map);
        return NDFT_OK;
    case NDFT_FIELD_SMOOTH:
        return fill_smooth(m, arena, map, err);
    case NDFT_SOURCE_RANDOM:
        fill_random(m, map);
        return NDFT_OK;
    case NDFT_SOURCE_FILE:
        return ndft_reals_read(from->path, role, (int64_t[]){c->n[2], c->n[1], c->n[0]}, 3, arena,
                               map, err);
    default:
        return ndft_fail(err, NDFT_EINVAL, "%s: no such map", role->key);
    }
}

ndft_status ndft_field_make(const ndft_case *c, ndft_arena *arena, double **dw, ndft_error *err)
{
    const map_of m = {c, 2 * M_PI * c->field.largest, NDFT_STREAM_FIELD, false};
    *dw = NULL;
    if (c->field.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    *dw = ndft_arena_alloc(arena, "field map", ndft_grid_size(c), sizeof(double), err);
    return *dw ? fill_map(&m, &c->field, &ndft_role_field, arena, *dw, err) : NDFT_ENOMEM;
}

/* A file's map may be anything. */
static ndft_status check_rates(const ndft_case *c, const double *rate, ndft_error *err)
{
    const int64_t size = ndft_grid_size(c), at = ndft_first_negative(rate, NDFT_F64, size);
    if (at == size) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "decay=file:%s: %.10g 1/s at [%lld,%lld,%lld]; R2* is at least 0",
                     c->decay.path, rate[at], (long long)(at / c->n[0] / c->n[1]),
                     (long long)(at / c->n[0] % c->n[1]), (long long)(at % c->n[0]));
}

ndft_status ndft_decay_make(const ndft_case *c, ndft_arena *arena, double **rate, ndft_error *err)
{
    const map_of m = {c, c->decay.largest, NDFT_STREAM_DECAY, true};
    *rate = NULL;
    if (c->decay.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    *rate = ndft_arena_alloc(arena, "decay map", ndft_grid_size(c), sizeof(double), err);
    if (!*rate) return NDFT_ENOMEM;
    NDFT_TRY(fill_map(&m, &c->decay, &ndft_role_decay, arena, *rate, err));
    return check_rates(c, *rate, err);
}

/* Inside the ellipse or ball that the grid's sides touch, sum_d (2 x_d / N_d)^2 <= 1; in one
 * dimension that is everything. */
static int in_disk(const ndft_case *c, int64_t at)
{
    int64_t x[3];
    ndft_grid_coord(c, at, x);
    double square = 0;
    for (int d = 0; d < c->dim; d++) {
        double r = 2 * (double)x[d] / (double)c->n[d];
        square += r * r;
    }
    return square <= 1;
}

ndft_status ndft_mask_make(const ndft_case *c, ndft_arena *arena, int32_t **voxel,
                           int64_t *n_voxels, ndft_error *err)
{
    int64_t size = ndft_grid_size(c);
    ndft_array a;
    *voxel = NULL;
    *n_voxels = size;
    if (c->mask.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    if (c->mask.kind == NDFT_SOURCE_FILE)
        NDFT_TRY(ndft_array_read(c->mask.path, &ndft_role_mask,
                                 (int64_t[]){c->n[2], c->n[1], c->n[0]}, 3, arena, &a, err));
    else if (c->mask.kind != NDFT_MASK_DISK)
        return ndft_fail(err, NDFT_EINVAL, "mask: no such mask");

    *voxel = ndft_arena_alloc(arena, "voxels of the mask", size, sizeof **voxel, err);
    if (!*voxel) return NDFT_ENOMEM;
    *n_voxels = 0;
    for (int64_t at = 0; at < size; at++) {
        double z[2] = {0, 0};
        if (c->mask.kind == NDFT_SOURCE_FILE)
            ndft_array_at(&a, at, z);
        else
            z[0] = in_disk(c, at);
        if (z[0] != 0) (*voxel)[(*n_voxels)++] = (int32_t)at;
    }
    if (*n_voxels) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "mask=file:%s: leaves no voxel; at least 1 is needed",
                     c->mask.path);
}

/*
 * The field's gradient inside a voxel, Hz/voxel, for the intravoxel dephasing of the operator
 * (B. P. Sutton, D. C. Noll, J. A. Fessler, "Compensating for within-voxel susceptibility gradients
 * in BOLD fMRI", ISMRM 2004).
 */

/* Central differences of the map, one-sided at the grid's edges, 0 along an axis of length 1. */
static void difference(const ndft_case *c, const double *dw, int d, double *g)
{
    int64_t n = c->n[d], stride = d == 0 ? 1 : d == 1 ? c->n[0] : c->n[0] * c->n[1];
#pragma omp parallel for
    for (int64_t at = 0; at < ndft_grid_size(c); at++) {
        int64_t x = at / stride % n, back = x > 0, ahead = x < n - 1;
        double span = back + ahead ? 2 * M_PI * (double)(back + ahead) : 1;
        g[at] = (dw[at + ahead * stride] - dw[at - back * stride]) / span;
    }
}

static ndft_status fill(const ndft_case *c, const double *dw, int d, double *g, ndft_error *err)
{
    if (c->grad.kind == NDFT_GRAD_FIELD) {
        if (!dw) return ndft_fail(err, NDFT_EINVAL, "grad=field: field=none has no gradient");
        difference(c, dw, d, g);
        return NDFT_OK;
    }
    if (c->grad.kind != NDFT_SOURCE_RANDOM)
        return ndft_fail(err, NDFT_EINVAL, "grad: no such gradient map");
    double most = c->grad.largest;
#pragma omp parallel for
    for (int64_t at = 0; at < ndft_grid_size(c); at++)
        g[at] = ndft_rng_uniform(c->seed, NDFT_STREAM_GRADIENT + (uint64_t)d, (uint64_t)at, -most,
                                 most);
    return NDFT_OK;
}

ndft_status ndft_gradient_make(const ndft_case *c, const double *dw, ndft_arena *arena,
                               double *g[3], ndft_error *err)
{
    g[0] = g[1] = g[2] = NULL;
    if (c->grad.kind == NDFT_SOURCE_NONE) return NDFT_OK;
    const int64_t size = ndft_grid_size(c);
    double *all = ndft_arena_alloc(arena, "gradient map", c->dim * size, sizeof(double), err);
    if (!all) return NDFT_ENOMEM;
    for (int d = 0; d < c->dim; d++) {
        g[d] = all + d * size;
        if (c->grad.kind != NDFT_SOURCE_FILE) NDFT_TRY(fill(c, dw, d, g[d], err));
    }
    if (c->grad.kind != NDFT_SOURCE_FILE) return NDFT_OK;
    return ndft_reals_read(c->grad.path, &ndft_role_grad,
                           (int64_t[]){c->dim, c->n[2], c->n[1], c->n[0]}, 4, arena, all, err);
}
