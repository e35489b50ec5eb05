/* SPDX-License-Identifier: Apache-2.0 */
#include "make.h"

#include "base/digest.h"
#include "files/role.h"
#include "harness.h"
#include "rng.h"
#include "vectors.h"

#include <math.h>

/* The problem is one of the library's users, made of a kernel. */

static void *make_kernel(const ndft_case *c, ndft_arena *own, ndft_arena *scratch, ndft_error *err)
{
    const int64_t *n = c->cells, cells = ndft_box_size(n);
    const bool drawn = c->kernel.kind == NDFT_SOURCE_RANDOM;
    ndft_array file = {.data = NULL};
    if (!drawn && ndft_array_read(c->kernel.path, &ndft_role_kernel, (int64_t[]){n[2], n[1], n[0]},
                                  3, scratch, &file, err))
        return NULL;
    void *kernel = ndft_arena_alloc(own, "kernel", cells, 2 * ndft_real_size(c->prec), err);
    for (int64_t e = 0; kernel && e < cells; e++) {
        double z[2];
        if (drawn)
            ndft_rng_normal(c->seed, NDFT_STREAM_KERNEL, (uint64_t)e, z);
        else
            ndft_array_at(&file, e, z);
        ndft_put_real(kernel, c->prec, 2 * e, z[0]);
        ndft_put_real(kernel, c->prec, 2 * e + 1, z[1]);
    }
    return kernel;
}

static ndft_status create(const ndft_case *c, const void *kernel, ndft_problem **problem,
                          ndft_error *err)
{
    ndft_device *device = NULL;
    ndft_convolution_desc d = {.struct_size = sizeof d,
                               .dim = c->dim,
                               .prec = c->prec,
                               .batch = c->coils,
                               .tol = c->tol,
                               .tol_kind = c->tol_kind,
                               .kernel = kernel};
    for (int axis = 0; axis < 3; axis++) {
        d.n[axis] = c->n[axis];
        d.outputs[axis] = c->outputs[axis];
        d.cells[axis] = c->cells[axis];
    }
    ndft_status status = ndft_device_open("cpu", NULL, &device);
    if (status == NDFT_OK) status = ndft_convolution_create(device, &d, problem);
    ndft_device_close(device); /* the problem keeps it */
    return status == NDFT_OK ? status : ndft_fail(err, status, "%s", ndft_message());
}

static void hash(ndft_made *made)
{
    const ndft_convolution_problem *c = &made->convolution;
    const ndft_problem *p = &c->problem;
    const int64_t head[] = {NDFT_CONVOLUTION, p->dim, p->prec, p->coils};
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, head, sizeof head);
    ndft_digest_add(&digest, p->n, sizeof p->n);
    ndft_digest_add(&digest, c->outputs, sizeof c->outputs);
    ndft_digest_add(&digest, c->cells, sizeof c->cells);
    ndft_digest_add(&digest, c->kernel,
                    (size_t)ndft_box_size(c->cells) * 2 * ndft_real_size(p->prec));
    ndft_digest_add(&digest, made->image, ndft_vector_bytes(p, p->n_voxels));
    ndft_digest_add(&digest, made->kspace, ndft_vector_bytes(p, p->n_samples));
    ndft_digest_finish(&digest, made->hash);
}

static ndft_status make(const ndft_case *c, ndft_made *made, ndft_arena *scratch, ndft_error *err)
{
    ndft_convolution_problem *problem = &made->convolution;
    const void *kernel = make_kernel(c, &made->own, scratch, err);
    if (!kernel) return err->status;
    NDFT_TRY(create(c, kernel, &made->handle, err));
    *problem = *ndft_convolution_of(made->handle);
    problem->kernel = kernel;
    made->image = ndft_vector_make(c, &made->problem, NDFT_SIDE_IMAGE, &made->own, scratch, err);
    if (!made->image) return err->status;
    made->kspace = ndft_vector_make(c, &made->problem, NDFT_SIDE_KSPACE, &made->own, scratch, err);
    if (!made->kspace) return err->status;
    hash(made);
    return NDFT_OK;
}

ndft_status ndft_make_convolution(const ndft_case *c, ndft_made *made, ndft_error *err)
{
    ndft_arena scratch = {0};
    *made = (ndft_made){.image = NULL};
    const ndft_status status = make(c, made, &scratch, err);
    ndft_arena_free(&scratch);
    if (status != NDFT_OK) ndft_made_free(made);
    return status;
}
