/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"
#include "objects.h"
#include "points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256 };

ndft_status ndft_transform_parse(const char *descriptor, ndft_transform *transform)
{
    if (!descriptor || !transform)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a descriptor needs a text and a place for what it says");
    return ndft_descriptor_parse(descriptor, transform, ndft_thread_error());
}

static bool same_tensor(const ndft_tensor *a, const ndft_tensor *b)
{
    bool same = a->real == b->real;
    for (int i = 0; i < NDFT_MODES; i++)
        same = same && a->shape[i] == b->shape[i] && a->stride[i] == b->stride[i];
    return same;
}

/* A structure is right where its descriptor says all of it. */
static ndft_status check(const ndft_transform *t)
{
    ndft_error *err = ndft_thread_error();
    char text[TEXT];
    ndft_transform said;
    if (t->dim < 1 || t->dim > 3) return ndft_fail(err, NDFT_EINVAL, "dim=%d; 1 to 3", t->dim);
    if (t->sign != -1 && t->sign != 1)
        return ndft_fail(err, NDFT_EINVAL, "sign=%d; -1 or 1", t->sign);
    for (int64_t i = 0, size = 1; i < NDFT_MODES; size *= t->shape[i++])
        if (t->shape[i] < 1 || t->shape[i] > ndft_elements_max / size)
            return ndft_fail(err, NDFT_EINVAL,
                             "shape[%d]=%lld; at least 1, with at most %lld elements", (int)i,
                             (long long)t->shape[i], (long long)ndft_elements_max);
    if (ndft_descriptor_print(t, text, sizeof text) >= TEXT)
        return ndft_fail(err, NDFT_EINVAL,
                         "sizes or strides of more digits than any that there are");
    NDFT_TRY(ndft_descriptor_parse(text, &said, err));
    if (said.prec == t->prec && said.domain == t->domain && said.in_place == t->in_place &&
        same_tensor(&said.in, &t->in) && same_tensor(&said.out, &t->out) &&
        !memcmp(said.shape, t->shape, sizeof said.shape))
        return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL,
                     "precision, domain, sign, shapes and strides do not agree; nearest: %s", text);
}

static ndft_status check_options(const ndft_transform_options *o, const ndft_transform *t)
{
    ndft_error *err = ndft_thread_error();
    NDFT_TRY(ndft_check_tol(o->tol, o->tol_kind));
    const double least = t->prec == NDFT_F32 ? FLT_MIN : DBL_MIN;
    const double most = t->prec == NDFT_F32 ? FLT_MAX : DBL_MAX;
    if (o->scale != 0 && !(fabs(o->scale) >= least && fabs(o->scale) <= most))
        return ndft_fail(err, NDFT_EINVAL, "scale=%g; 0, which is 1, or of %g to %g", o->scale,
                         least, most);
    if (o->scale != 0 && o->scale != 1 && t->store)
        return ndft_fail(err, NDFT_EUNSUPPORTED,
                         "scale=%g beside a store function, which can multiply itself; 1",
                         o->scale);
    return NDFT_OK;
}

ndft_status ndft_transform_create(ndft_device *device, const ndft_transform *transform,
                                  const ndft_transform_options *options, ndft_problem **problem)
{
    NDFT_POINTS;
    ndft_transform_options o;
    if (!device || !transform || !problem)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "a transform needs a device, a structure and a place");
    *problem = NULL;
    NDFT_TRY(ndft_take_options("transform options", options, &o, sizeof o));
    NDFT_TRY(check(transform));
    NDFT_TRY(check_options(&o, transform));
    ndft_owned *owned = ndft_new_problem(device, NDFT_UNIFORM);
    if (!owned) return NDFT_ENOMEM;
    owned->scale = o.scale == 1 ? 0 : o.scale;
    owned->uniform.transform = *transform;
    owned->uniform.problem =
        ndft_problem_of_transform(transform, ndft_tol_or_usual(o.tol, transform->prec), o.tol_kind);
    if (owned->scale != 0) owned->problem.tol -= ndft_roundoff(transform->prec); /* its part */
    *problem = &owned->problem;
    return NDFT_OK;
}
