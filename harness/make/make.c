/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include "base/bounds.h"
#include "base/digest.h"
#include "coil_maps.h"
#include "harness.h"
#include "higher.h"
#include "maps.h"
#include "positions.h"
#include "trajectory.h"
#include "vectors.h"

#include <math.h>

/*
 * Everything is generated in double in `scratch` and rounded once into `own`, to which the problem
 * points; what the problem says of itself (largest values, structure, hash) is found from the
 * rounded arrays.
 */
typedef struct making {
    const ndft_case *problem;
    ndft_problem *p;
    ndft_arena *own, scratch;
    ndft_error *err;
} making;

static ndft_status check(const ndft_case *c, ndft_error *err)
{
    int64_t size = 1;
    for (int d = 0; d < 3; d++) {
        if (c->n[d] < 1 || (d >= c->dim && c->n[d] != 1) ||
            __builtin_mul_overflow(size, c->n[d], &size) || size > INT32_MAX)
            return ndft_fail(err, NDFT_EINVAL,
                             "n=%lldx%lldx%lld: sizes are at least 1, with %d voxels at most",
                             (long long)c->n[0], (long long)c->n[1], (long long)c->n[2], INT32_MAX);
    }
    if (c->dim < 1 || c->dim > 3) return ndft_fail(err, NDFT_EINVAL, "%dd: 1 to 3", c->dim);
    if (c->m < 1) return ndft_fail(err, NDFT_EINVAL, "m=%lld: at least 1", (long long)c->m);
    if (!(c->t >= 0)) return ndft_fail(err, NDFT_EINVAL, "t=%g: at least 0", c->t);
    if (c->coils >= 1 && c->coils <= NDFT_MAX_COILS) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "coils=%d: 1 to %d", c->coils, NDFT_MAX_COILS);
}

/* Rounds values, picked by voxel where that is given, into an array of the problem. */
static ndft_status keep(making *mk, const char *what, const double *values, const int32_t *voxel,
                        int64_t count, const void **array)
{
    ndft_prec prec = mk->p->prec;
    *array = NULL;
    if (!values) return NDFT_OK;
    void *out = ndft_arena_alloc(mk->own, what, count, ndft_real_size(prec), mk->err);
    if (!out) return NDFT_ENOMEM;
    double worst = 0;
#pragma omp parallel for reduction(max : worst)
    for (int64_t i = 0; i < count; i++) {
        double value = values[voxel ? voxel[i] : i];
        worst = fmax(worst, fabs(value));
        ndft_put_real(out, prec, i, value);
    }
    if (prec == NDFT_F32 && isinf((float)worst))
        return ndft_fail(mk->err, NDFT_EINVAL, "%s: %g is beyond float; prec=f64 holds it", what,
                         worst);
    *array = out;
    return NDFT_OK;
}

/* Positions of a file, unless they are the grid's own. */
static ndft_status make_positions(making *mk)
{
    ndft_problem *p = mk->p;
    double *x[3];
    NDFT_TRY(ndft_grid_make(mk->problem, &mk->scratch, x, mk->err));
    const void *const given[3] = {x[0], x[1], x[2]};
    if (!x[0] || ndft_positions_are_grid(p, NDFT_F64, given)) return NDFT_OK;
    for (int d = 0; d < p->dim; d++)
        NDFT_TRY(keep(mk, "voxel positions", x[d], p->voxel, p->n_voxels, &p->x[d]));
    return NDFT_OK;
}

static ndft_status make_voxels(making *mk)
{
    const ndft_case *c = mk->problem;
    ndft_problem *p = mk->p;
    int32_t *voxel;
    double *dw, *rate, *g[3];
    NDFT_TRY(ndft_mask_make(c, mk->own, &voxel, &p->n_voxels, mk->err));
    p->voxel = voxel;
    NDFT_TRY(make_positions(mk));
    NDFT_TRY(ndft_field_make(c, &mk->scratch, &dw, mk->err));
    NDFT_TRY(ndft_decay_make(c, &mk->scratch, &rate, mk->err));
    NDFT_TRY(ndft_gradient_make(c, dw, &mk->scratch, g, mk->err));
    NDFT_TRY(keep(mk, "field map", dw, voxel, p->n_voxels, &p->dw));
    NDFT_TRY(keep(mk, "decay map", rate, voxel, p->n_voxels, &p->decay));
    for (int d = 0; d < 3; d++)
        NDFT_TRY(keep(mk, "gradient map", g[d], voxel, p->n_voxels, &p->g[d]));
    return ndft_coil_maps_make(c, p, mk->own, &mk->scratch, &p->maps, mk->err);
}

/* Decay would be growth before the clock's zero. */
static ndft_status check_times(const making *mk, const double *t)
{
    const int64_t m = mk->p->n_samples, at = ndft_first_negative(t, NDFT_F64, m);
    if (!mk->p->decay || at == m) return NDFT_OK;
    return ndft_fail(mk->err, NDFT_EINVAL,
                     "times=file:%s: %.10g s at [%lld]; with decay= times are at least 0",
                     mk->problem->times.path, t[at], (long long)at);
}

/* Its terms stand one behind the other, as in descriptions. */
static ndft_status make_higher(making *mk, const ndft_trajectory *traj)
{
    ndft_problem *p = mk->p;
    ndft_higher_phase *h = &p->higher;
    ndft_higher_made made;
    const int64_t m = p->n_samples, voxels = p->n_voxels, grid = ndft_grid_size(mk->problem);
    NDFT_TRY(ndft_higher_make(mk->problem, traj, &mk->scratch, &made, mk->err));
    for (int l = 0; p->voxel && l < made.terms; l++)
        for (int64_t v = 0; v < voxels; v++)
            made.b[l * voxels + v] = made.b[l * grid + p->voxel[v]];
    NDFT_TRY(keep(mk, "phase coefficients", made.c, NULL, made.terms * m, &h->c[0]));
    NDFT_TRY(keep(mk, "phase maps", made.b, NULL, made.terms * voxels, &h->b[0]));
    h->terms = made.terms;
    for (int l = 1; l < h->terms; l++) {
        h->c[l] = (const char *)h->c[0] + (size_t)(l * m) * ndft_real_size(p->prec);
        h->b[l] = (const char *)h->b[0] + (size_t)(l * voxels) * ndft_real_size(p->prec);
    }
    return NDFT_OK;
}

static ndft_status make_samples(making *mk)
{
    ndft_problem *p = mk->p;
    ndft_trajectory traj;
    NDFT_TRY(ndft_trajectory_make(mk->problem, &mk->scratch, &traj, mk->err));
    NDFT_TRY(check_times(mk, traj.t));
    NDFT_TRY(keep(mk, "readout times", traj.t, NULL, p->n_samples, &p->t));
    for (int d = 0; d < 3; d++)
        NDFT_TRY(keep(mk, "trajectory", traj.k[d], NULL, p->n_samples, &p->k[d]));
    return make_higher(mk, &traj);
}

static void add_array(ndft_digest *digest, const void *array, size_t size)
{
    ndft_digest_add(digest, array, array ? size : 0);
}

static void hash(ndft_made *made)
{
    const ndft_problem *p = &made->problem;
    size_t real = ndft_real_size(p->prec);
    size_t samples = (size_t)p->n_samples * real, voxels = (size_t)p->n_voxels * real;
    int64_t head[] = {p->dim,  p->prec, p->layout,   p->coils,    p->n[0],
                      p->n[1], p->n[2], p->n_voxels, p->n_samples};
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, head, sizeof head);
    add_array(&digest, p->voxel, (size_t)p->n_voxels * sizeof *p->voxel);
    add_array(&digest, p->t, samples);
    add_array(&digest, p->dw, voxels);
    if (p->decay) ndft_digest_add(&digest, p->decay, voxels);
    for (int d = 0; ndft_is_off_grid(p) && d < p->dim; d++)
        ndft_digest_add(&digest, p->x[d], voxels);
    if (p->maps) ndft_digest_add(&digest, p->maps, ndft_vector_bytes(p, p->n_voxels));
    for (int l = 0; l < p->higher.terms; l++) {
        ndft_digest_add(&digest, p->higher.c[l], samples);
        ndft_digest_add(&digest, p->higher.b[l], voxels);
    }
    for (int d = 0; d < 3; d++) {
        add_array(&digest, p->k[d], samples);
        add_array(&digest, p->g[d], voxels);
    }
    ndft_digest_add(&digest, made->image, ndft_input_bytes(p, NDFT_FORWARD));
    ndft_digest_add(&digest, made->kspace, ndft_output_bytes(p, NDFT_FORWARD));
    ndft_digest_finish(&digest, made->hash);
}

static ndft_status make(making *mk, ndft_made *made)
{
    const ndft_case *c = mk->problem;
    made->problem = (ndft_problem){.dim = c->dim,
                                   .prec = c->prec,
                                   .layout = c->layout,
                                   .coils = c->coils,
                                   .tol = c->tol,
                                   .tol_kind = c->tol_kind,
                                   .n = {c->n[0], c->n[1], c->n[2]},
                                   .n_samples = c->m};
    NDFT_TRY(make_voxels(mk));
    NDFT_TRY(make_samples(mk));
    NDFT_TRY(ndft_problem_derive(&made->problem, mk->err));
    if (c->data.kind == NDFT_SOURCE_NONE) return NDFT_OK; /* nothing will be executed */
    for (int side = NDFT_SIDE_IMAGE; side <= NDFT_SIDE_KSPACE; side++) {
        void **vector = side == NDFT_SIDE_IMAGE ? &made->image : &made->kspace;
        *vector = ndft_vector_make(c, &made->problem, side, mk->own, &mk->scratch, mk->err);
        if (!*vector) return mk->err->status;
    }
    hash(made);
    return NDFT_OK;
}

ndft_status ndft_make(const ndft_case *c, ndft_made *made, ndft_error *err)
{
    *made = (ndft_made){.image = NULL};
    NDFT_TRY(check(c, err));
    making mk = {.problem = c, .p = &made->problem, .own = &made->own, .err = err};
    ndft_status status = make(&mk, made);
    ndft_arena_free(&mk.scratch);
    if (status != NDFT_OK) ndft_made_free(made);
    return status;
}

void ndft_made_free(ndft_made *made)
{
    ndft_problem_destroy(made->handle);
    ndft_arena_free(&made->own);
    *made = (ndft_made){.image = NULL};
}
