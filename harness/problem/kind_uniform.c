/* SPDX-License-Identifier: Apache-2.0 */
#include "kinds.h"

#include "make/export.h"
#include "make/make.h"
#include "uniform.h"

#include <math.h>

/* The row of uniform transforms: one operation, from a strided tensor to another. */

static int64_t sample(const ndft_problem *p, ndft_op op, uint64_t seed, int64_t **outputs)
{
    (void)op;
    return ndft_uniform_sample(ndft_transform_of(p), seed, outputs);
}

static ndft_status reference(const ndft_made *made, ndft_op op, const int64_t *outputs,
                             int64_t n_outputs, double *result, int threads, ndft_error *err)
{
    (void)op;
    return ndft_uniform_reference(&made->uniform.transform, made->image, outputs, n_outputs, result,
                                  threads, err);
}

static ndft_difference compare(const ndft_problem *p, ndft_op op, const void *in, const void *out,
                               const int64_t *outputs, int64_t n_outputs, const double *result)
{
    (void)op;
    return ndft_uniform_compare(ndft_transform_of(p), in, out, outputs, n_outputs, result);
}

static int64_t outputs(const ndft_problem *p, ndft_op op)
{
    (void)op;
    return ndft_tensor_size(&ndft_transform_of(p)->out);
}

static ndft_status write(const char *path, const ndft_problem *p, ndft_op op, const void *out,
                         ndft_error *err)
{
    (void)op;
    const ndft_transform *t = ndft_transform_of(p);
    return ndft_export_tensor(path, t->dim, &t->out, out, t->prec, err);
}

/* Element after element, of reals two doubles each as of complex numbers. */
static ndft_status write_reference(const char *path, const ndft_problem *p, ndft_op op,
                                   double *result, ndft_error *err)
{
    const ndft_transform *t = ndft_transform_of(p);
    const int64_t size = outputs(p, op);
    ndft_tensor packed = t->out;
    int64_t step = 1;
    for (int i = 0; i < NDFT_MODES; step *= packed.shape[i++]) packed.stride[i] = step;
    for (int64_t e = 0; packed.real && e < size; e++) result[e] = result[2 * e];
    return ndft_export_tensor(path, t->dim, &packed, result, NDFT_F64, err);
}

/* Pairs of an input and an output, as of the sum that it is. */
static double useful(const ndft_problem *p, ndft_op op)
{
    (void)op;
    const ndft_transform *t = ndft_transform_of(p);
    return (double)ndft_tensor_size(&t->in) * (double)ndft_tensor_size(&t->out) /
           (double)ndft_transform_batch(t);
}

/* Modes by stride, the largest first, take from the place what they can. */
static bool writes(const ndft_problem *p, int64_t real)
{
    const ndft_transform *t = ndft_transform_of(p);
    const ndft_tensor *out = &t->out;
    const int64_t size = ndft_tensor_size(out);
    int64_t place = out->real ? real : real / 2, at[NDFT_MODES] = {0};
    unsigned done = 0;
    if (size == ndft_tensor_extent(out) && !t->store) return place < size;
    for (int step = 0; step < NDFT_MODES; step++) {
        int next = -1;
        for (int i = 0; i < NDFT_MODES; i++)
            if (!(done & 1u << i) && (next < 0 || out->stride[i] >= out->stride[next])) next = i;
        done |= 1u << next;
        if (out->shape[next] == 1) continue;
        const int64_t index = place / out->stride[next], last = out->shape[next] - 1;
        at[next] = index < last ? index : last;
        place -= at[next] * out->stride[next];
    }
    return place == 0 && ndft_uniform_writes(t, at);
}

/* A sum of N terms without a scale makes |x|_2 sqrt(N) times as large; of half a spectrum, which
 * stands for both, sqrt(2N) at most. */
static double growth_bits(const ndft_problem *p)
{
    const ndft_transform *t = ndft_transform_of(p);
    if (t->load || t->store) return INFINITY;
    return 0.5 * log2(2 * (double)ndft_transform_length(t));
}

const ndft_kind ndft_uniform_kind = {
    .problems = NDFT_UNIFORM,
    .name = "uniform",
    .make = ndft_make_uniform,
    .sample = sample,
    .reference = reference,
    .compare = compare,
    .export = ndft_export_uniform,
    .outputs = outputs,
    .write = write,
    .write_reference = write_reference,
    .useful = useful,
    .writes = writes,
    .growth_bits = growth_bits,
    .oracle = "uniform_naive",
};
