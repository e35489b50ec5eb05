/* SPDX-License-Identifier: Apache-2.0 */
#include "select_uniform.h"

#include <math.h>
#include <string.h>

static const char *const domains[] = {[NDFT_C2C] = "c2c", [NDFT_R2C] = "r2c", [NDFT_C2R] = "c2r"};

int ndft_select_read_transform(json_t *class, ndft_pick *pick, json_error_t *why)
{
    return json_unpack_ex(class, why, 0, "{s:s, s:b, s:b, s:b, s:[F,F], s:[F,F], s:[F,F]}",
                          "domain", &pick->domain, "in_place", &pick->in_place, "contiguous",
                          &pick->contiguous, "callbacks", &pick->callbacks, "length",
                          &pick->length[0], &pick->length[1], "batch", &pick->batch[0],
                          &pick->batch[1], "factor", &pick->factor[0], &pick->factor[1]);
}

bool ndft_transforms_comparable(const ndft_pick *pick, const ndft_question *q)
{
    return !strcmp(pick->domain, domains[q->domain]);
}

static bool within(const double bounds[2], double value)
{
    return bounds[0] <= value && value <= bounds[1];
}

bool ndft_transforms_alike(const ndft_pick *pick, const ndft_question *q)
{
    return !pick->in_place == !q->in_place && !pick->contiguous == !q->contiguous &&
           !pick->callbacks == !q->callbacks && within(pick->length, q->length) &&
           within(pick->batch, q->batch) && within(pick->factor, q->factor);
}

/* Up to 7 libraries have kernels of their own, up to 127 a few; beyond it all are alike. */
static double hardness(double factor) { return log2(fmin(fmax(factor, 7), 128)); }

double ndft_transforms_apart(const ndft_question *there, const ndft_question *q)
{
    const double length = log2(there->length / q->length), batch = log2(there->batch / q->batch);
    const double factor = hardness(there->factor) - hardness(q->factor);
    return sqrt(length * length + batch * batch + factor * factor) +
           4 * ((there->in_place != q->in_place) + (there->contiguous != q->contiguous) +
                (there->callbacks != q->callbacks));
}
