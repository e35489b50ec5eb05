/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "objects.h"
#include "structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_COILS = 256 };

static const double most_cycles = 0x1p31, least_tol = 1e-13;

ndft_status ndft_check_tol(double tol, ndft_tol_kind kind)
{
    ndft_error *err = ndft_thread_error();
    if (kind != NDFT_TOL_TYPICAL && kind != NDFT_TOL_ANY)
        return ndft_fail(err, NDFT_EINVAL, "tol_kind=%d; NDFT_TOL_TYPICAL or NDFT_TOL_ANY",
                         (int)kind);
    if (tol != 0 && !(tol >= least_tol && tol <= 1))
        return ndft_fail(err, NDFT_EINVAL, "tol=%g; %g to 1", tol, least_tol);
    return NDFT_OK;
}

double ndft_tol_or_usual(double tol, ndft_prec prec)
{
    return tol != 0 ? tol : prec == NDFT_F32 ? 1e-4 : 1e-9;
}

static ndft_status check_numbers(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->dim < 1 || d->dim > 3) return ndft_fail(err, NDFT_EINVAL, "dim=%d; 1 to 3", d->dim);
    int64_t size = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = d->n[axis];
        if (axis >= d->dim && (n == 0 || n == 1)) continue;
        if (axis >= d->dim)
            return ndft_fail(err, NDFT_EINVAL, "n[%d]=%lld with dim=%d; 1", axis, (long long)n,
                             d->dim);
        if (n < 1 || __builtin_mul_overflow(size, n, &size) || size > INT32_MAX)
            return ndft_fail(err, NDFT_EINVAL,
                             "n[%d]=%lld: sizes are at least 1, with %d voxels at most", axis,
                             (long long)n, INT32_MAX);
    }
    if (d->prec != NDFT_F32 && d->prec != NDFT_F64)
        return ndft_fail(err, NDFT_EINVAL, "prec=%d; NDFT_F32 or NDFT_F64", (int)d->prec);
    if (d->layout != NDFT_PLANAR && d->layout != NDFT_INTERLEAVED)
        return ndft_fail(err, NDFT_EINVAL, "layout=%d; NDFT_PLANAR or NDFT_INTERLEAVED",
                         (int)d->layout);
    if (d->coils < 0 || d->coils > MOST_COILS)
        return ndft_fail(err, NDFT_EINVAL, "coils=%d; 1 to %d", d->coils, MOST_COILS);
    if (d->n_samples < 1 || d->n_samples > INT32_MAX)
        return ndft_fail(err, NDFT_EINVAL, "n_samples=%lld; 1 to %d", (long long)d->n_samples,
                         INT32_MAX);
    return ndft_check_tol(d->tol, d->tol_kind);
}

static ndft_status check_arrays(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    for (int axis = 0; axis < 3; axis++) {
        const bool inside = axis < d->dim;
        if (inside != (d->k[axis] != NULL))
            return ndft_fail(err, NDFT_EINVAL, "k[%d] is %s with dim=%d", axis,
                             inside ? "NULL" : "given", d->dim);
        if (d->gradient[axis] && !inside)
            return ndft_fail(err, NDFT_EINVAL, "gradient[%d] is given with dim=%d", axis, d->dim);
        if (inside && !d->gradient[axis] != !d->gradient[0])
            return ndft_fail(err, NDFT_EINVAL, "gradient: of all %d axes, or of none; [%d] is %s",
                             d->dim, axis, d->gradient[axis] ? "given" : "NULL");
    }
    if ((d->field || d->gradient[0]) && !d->t)
        return ndft_fail(err, NDFT_EINVAL, "t is NULL, but %s needs times",
                         d->field ? "field" : "gradient");
    return NDFT_OK;
}

static ndft_status check_built(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->frames < 0 || d->frames > 1)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "frames=%d: more than 1 is not built yet",
                         d->frames);
    if (d->decay) return ndft_fail(err, NDFT_EUNSUPPORTED, "decay is not built yet; NULL");
    for (int axis = 0; axis < 3; axis++)
        if (d->position[axis])
            return ndft_fail(err, NDFT_EUNSUPPORTED, "position is not built yet; NULL");
    return NDFT_OK;
}

/* What is being made: arrays of the caller's come by way of its device. */
typedef struct making {
    const ndft_problem_desc *d;
    ndft_problem *p;
    ndft_exec *exec;
    const ndft_backend *backend;
    int64_t grid;
} making;

static ndft_status fetch(making *m, const char *what, const void *from, int64_t count, size_t size,
                         void **array)
{
    *array = malloc((size_t)count * size);
    if (!*array)
        return ndft_fail(m->exec->error, NDFT_ENOMEM, "no memory for %lld of %s", (long long)count,
                         what);
    return m->backend->fetch(m->exec, *array, from, (size_t)count * size);
}

/* The first element that no engine could use. */
static ndft_status check_values(making *m, const char *what, int axis, const void *array,
                                int64_t count, double most)
{
    for (int64_t i = 0; i < count; i++) {
        const double value = ndft_real_at(array, m->p->prec, i);
        if (isfinite(value) && fabs(value) < most) continue;
        char name[32], limit[48] = "finite";
        snprintf(name, sizeof name, axis < 0 ? "%s" : "%s[%d]", what, axis);
        if (isfinite(most)) snprintf(limit, sizeof limit, "finite and below %g", most);
        return ndft_fail(m->exec->error, NDFT_EINVAL, "%s is %g at element %lld; it must be %s",
                         name, value, (long long)i, limit);
    }
    return NDFT_OK;
}

static ndft_status take_samples(making *m)
{
    const ndft_problem_desc *d = m->d;
    ndft_problem *p = m->p;
    const size_t real = ndft_real_size(p->prec);
    void *array = NULL;
    for (int axis = 0; axis < p->dim; axis++) {
        const ndft_status status = fetch(m, "k", d->k[axis], p->n_samples, real, &array);
        p->k[axis] = array;
        NDFT_TRY(status);
        NDFT_TRY(check_values(m, "k", axis, array, p->n_samples, most_cycles));
    }
    if (!d->t) {
        p->t = calloc((size_t)p->n_samples, real);
        return p->t ? NDFT_OK : ndft_fail(m->exec->error, NDFT_ENOMEM, "no memory for times");
    }
    const ndft_status status = fetch(m, "t", d->t, p->n_samples, real, &array);
    p->t = array;
    NDFT_TRY(status);
    return check_values(m, "t", -1, array, p->n_samples, INFINITY);
}

static ndft_status take_mask(making *m)
{
    ndft_problem *p = m->p;
    void *mask;
    p->n_voxels = m->grid;
    if (!m->d->mask) return NDFT_OK;
    ndft_status status = fetch(m, "mask", m->d->mask, m->grid, 1, &mask);
    int32_t *voxel = malloc((size_t)m->grid * sizeof *voxel);
    if (status == NDFT_OK && !voxel)
        status = ndft_fail(m->exec->error, NDFT_ENOMEM, "no memory for a list of voxels");
    p->n_voxels = 0;
    for (int64_t i = 0; status == NDFT_OK && i < m->grid; i++)
        if (((unsigned char *)mask)[i]) voxel[p->n_voxels++] = (int32_t)i;
    p->voxel = voxel;
    free(mask);
    if (status == NDFT_OK && !p->n_voxels)
        return ndft_fail(m->exec->error, NDFT_EINVAL, "mask is 0 everywhere; it leaves no voxel");
    return status;
}

/* A map on the grid becomes one of the voxels, in place. */
static ndft_status take_map(making *m, const char *what, int axis, const void *from,
                            const void **map)
{
    const ndft_problem *p = m->p;
    void *array = NULL;
    if (!from) return NDFT_OK;
    const ndft_status status = fetch(m, what, from, m->grid, ndft_real_size(p->prec), &array);
    *map = array;
    NDFT_TRY(status);
    for (int64_t v = 0; p->voxel && v < p->n_voxels; v++)
        ndft_put_real(array, p->prec, v, ndft_real_at(array, p->prec, p->voxel[v]));
    return check_values(m, what, axis, array, p->n_voxels, INFINITY);
}

static ndft_status take(making *m)
{
    ndft_problem *p = m->p;
    NDFT_TRY(take_samples(m));
    NDFT_TRY(take_mask(m));
    NDFT_TRY(take_map(m, "field", -1, m->d->field, &p->dw));
    for (int axis = 0; axis < p->dim; axis++)
        NDFT_TRY(take_map(m, "gradient", axis, m->d->gradient[axis], &p->g[axis]));
    ndft_measure_bounds(p);
    return ndft_structure_find(p, m->exec->error);
}

static ndft_problem blank(const ndft_problem_desc *d)
{
    ndft_problem p = {.dim = d->dim,
                      .prec = d->prec,
                      .layout = d->layout,
                      .coils = d->coils ? d->coils : 1,
                      .tol = ndft_tol_or_usual(d->tol, d->prec),
                      .tol_kind = d->tol_kind,
                      .n_samples = d->n_samples};
    for (int axis = 0; axis < 3; axis++) p.n[axis] = axis < d->dim ? d->n[axis] : 1;
    return p;
}

static ndft_status make(ndft_owned *owned, const ndft_problem_desc *d)
{
    ndft_opened *device = owned->device;
    ndft_error err = {.status = NDFT_OK};
    making m = {.d = d, .p = &owned->problem, .backend = device->backend};
    owned->problem = blank(d);
    m.grid = owned->problem.n[0] * owned->problem.n[1] * owned->problem.n[2];
    NDFT_TRY(device->backend->fork(device->exec, &m.exec, ndft_thread_error()));
    m.exec->error = &err;
    const int before = ndft_enter(device);
    const ndft_status status = take(&m);
    device->backend->close(m.exec);
    ndft_leave(device, before);
    return status == NDFT_OK ? status : ndft_tell(&err);
}

ndft_owned *ndft_new_problem(ndft_device *device, ndft_kind_of_problem kind)
{
    ndft_owned *owned = calloc(1, sizeof *owned);
    if (!owned) {
        ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a problem");
        return NULL;
    }
    owned->kind = kind;
    owned->users = 1;
    owned->device = (ndft_opened *)device;
    ndft_keep_device(owned->device);
    return owned;
}

ndft_status ndft_problem_create(ndft_device *device, const ndft_problem_desc *desc,
                                ndft_problem **problem)
{
    ndft_problem_desc d;
    if (!device || !desc || !problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a problem needs a device, a description and a place");
    *problem = NULL;
    NDFT_TRY(ndft_take_options("problem description", desc, &d, sizeof d));
    NDFT_TRY(check_numbers(&d));
    NDFT_TRY(check_arrays(&d));
    NDFT_TRY(check_built(&d));
    ndft_owned *owned = ndft_new_problem(device, NDFT_NONUNIFORM);
    if (!owned) return NDFT_ENOMEM;
    const ndft_status status = make(owned, &d);
    if (status != NDFT_OK)
        ndft_problem_destroy(&owned->problem);
    else
        *problem = &owned->problem;
    return status;
}

void ndft_problem_lengths(const ndft_problem *p, int64_t *n_voxels, int64_t *n_samples)
{
    if (n_voxels) *n_voxels = p->n_voxels;
    if (n_samples) *n_samples = p->n_samples;
}

void ndft_keep_problem(ndft_owned *owned)
{
    __atomic_add_fetch(&owned->users, 1, __ATOMIC_RELAXED);
}

void ndft_problem_destroy(ndft_problem *p)
{
    ndft_owned *owned = (ndft_owned *)p;
    if (!owned || __atomic_sub_fetch(&owned->users, 1, __ATOMIC_ACQ_REL)) return;
    free((void *)p->voxel);
    free((void *)p->t);
    free((void *)p->dw);
    for (int axis = 0; axis < 3; axis++) {
        free((void *)p->k[axis]);
        free((void *)p->g[axis]);
    }
    ndft_device_close(&owned->device->device);
    free(owned);
}
