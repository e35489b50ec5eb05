/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/convolution_factors.h"
#include "objects.h"
#include "points.h"

#include <math.h>
#include <stdlib.h>

/* What is usual in place of what is 0, and 1 beyond dim. */
static void fill_in(ndft_convolution_desc *d)
{
    for (int axis = 0; axis < 3; axis++) {
        int64_t *n = &d->n[axis], *outputs = &d->outputs[axis], *cells = &d->cells[axis];
        if (axis >= d->dim && !*n) *n = 1;
        if (!*outputs) *outputs = *n;
        if (!*cells) *cells = *n > *outputs ? *n : *outputs;
    }
    if (!d->batch) d->batch = 1;
}

static ndft_status check(const ndft_convolution_desc *d)
{
    ndft_error *err = ndft_thread_error();
    NDFT_TRY(ndft_check_data(d->prec, "batch", d->batch, d->tol, d->tol_kind));
    if (d->dim < 1 || d->dim > 3) return ndft_fail(err, NDFT_EINVAL, "dim=%d; 1 to 3", d->dim);
    NDFT_TRY(ndft_check_grid("n", d->dim, d->n));
    NDFT_TRY(ndft_check_grid("outputs", d->dim, d->outputs));
    NDFT_TRY(ndft_check_grid("cells", d->dim, d->cells));
    for (int axis = 0; axis < 3; axis++) {
        const int64_t most = d->n[axis] > d->outputs[axis] ? d->n[axis] : d->outputs[axis];
        if (d->cells[axis] < most)
            return ndft_fail(err, NDFT_EINVAL, "cells[%d]=%lld; at least %lld, input and output",
                             axis, (long long)d->cells[axis], (long long)most);
    }
    return d->kernel ? NDFT_OK : ndft_fail(err, NDFT_EINVAL, "kernel is NULL");
}

/* The caller's kernel in double, [cells] complex, to be freed. */
static ndft_status take_kernel(ndft_exec *exec, const ndft_backend *backend,
                               const ndft_convolution_desc *d, double **kernel)
{
    const int64_t reals = 2 * ndft_box_size(d->cells);
    void *given = malloc((size_t)reals * ndft_real_size(d->prec));
    *kernel = malloc((size_t)reals * sizeof **kernel);
    ndft_status status =
        given && *kernel
            ? backend->fetch(exec, given, d->kernel, (size_t)reals * ndft_real_size(d->prec))
            : ndft_fail(exec->error, NDFT_ENOMEM, "no memory for %lld of kernel",
                        (long long)reals / 2);
    for (int64_t i = 0; status == NDFT_OK && i < reals; i++) {
        const double value = (*kernel)[i] = ndft_real_at(given, d->prec, i);
        if (!isfinite(value))
            status = ndft_fail(exec->error, NDFT_EINVAL,
                               "kernel is %.10g at element %lld; it must be finite", value,
                               (long long)i / 2);
    }
    free(given);
    return status;
}

static ndft_status take(ndft_exec *exec, const ndft_backend *backend,
                        const ndft_convolution_desc *d, ndft_owned *owned)
{
    ndft_convolution_problem *c = &owned->convolution;
    double *kernel = NULL;
    void *factors = NULL;
    ndft_status status = take_kernel(exec, backend, d, &kernel);
    if (status == NDFT_OK)
        status = ndft_take_memory(owned, "spectrum", 2 * ndft_box_size(d->cells),
                                  ndft_real_size(d->prec), &factors, exec->error);
    c->spectrum = factors;
    if (status == NDFT_OK)
        status = ndft_convolution_factors(c, kernel, d->spectrum, factors, exec->error);
    free(kernel);
    return status;
}

static void describe(const ndft_convolution_desc *d, ndft_convolution_problem *c)
{
    c->problem = (ndft_problem){.dim = d->dim,
                                .prec = d->prec,
                                .coils = d->batch,
                                .tol = ndft_tol_or_usual(d->tol, d->prec),
                                .tol_kind = d->tol_kind,
                                .n_voxels = ndft_box_size(d->n),
                                .n_samples = ndft_box_size(d->outputs)};
    for (int axis = 0; axis < 3; axis++) {
        c->problem.n[axis] = d->n[axis];
        c->outputs[axis] = d->outputs[axis];
        c->cells[axis] = d->cells[axis];
    }
}

static ndft_status make(ndft_owned *owned, const ndft_convolution_desc *d)
{
    ndft_opened *device = owned->device;
    ndft_error err = {.status = NDFT_OK};
    ndft_exec *exec;
    describe(d, &owned->convolution);
    NDFT_TRY(device->backend->fork(device->exec, &exec, &err));
    const ndft_before before = ndft_enter(device, true);
    const ndft_status status = take(exec, device->backend, d, owned);
    device->backend->close(exec);
    ndft_leave(device, before);
    return status == NDFT_OK ? status : ndft_tell(&err);
}

ndft_status ndft_convolution_create(ndft_device *device, const ndft_convolution_desc *desc,
                                    ndft_problem **problem)
{
    NDFT_POINTS;
    ndft_convolution_desc d;
    if (!device || !desc || !problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a convolution needs a device, a description and a place");
    *problem = NULL;
    NDFT_TRY(ndft_take_options("convolution description", desc, &d, sizeof d));
    fill_in(&d);
    NDFT_TRY(check(&d));
    ndft_owned *owned = ndft_new_problem(device, NDFT_CONVOLUTION);
    if (!owned) return NDFT_ENOMEM;
    const ndft_status status = make(owned, &d);
    if (status != NDFT_OK)
        ndft_problem_destroy(&owned->problem);
    else
        *problem = &owned->problem;
    return status;
}
