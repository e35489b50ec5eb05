/* SPDX-License-Identifier: Apache-2.0 */
#include "files/arrays.h"
#include "maps.h"
#include "rng.h"

#include <math.h>

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
    double most = c->grad.hz;
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
