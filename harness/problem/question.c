/* SPDX-License-Identifier: Apache-2.0 */
#include "question.h"

#include "files/extent.h"
#include "make/structure_of_case.h"

#include <math.h>

/* Samples that have a time in common; without a field map no time counts, and all are alike. */
static double per_time(bool field, int64_t samples, int64_t distinct)
{
    return !field ? (double)samples : distinct > 0 ? (double)samples / (double)distinct : 1;
}

/* Of a file's map and of a file's times nothing is known. */
static double turns_of_case(const ndft_case *c)
{
    if (c->field.kind == NDFT_SOURCE_NONE) return 0;
    const bool unread = c->field.kind == NDFT_SOURCE_FILE || c->times.kind == NDFT_SOURCE_FILE;
    return unread ? NAN : 2 * c->field.hz * c->t;
}

/* A clock may start late: what turns is the time from the first sample to the last. */
static double turns_of_problem(const ndft_problem *p)
{
    if (!p->dw) return 0;
    const ndft_span time = ndft_span_of(p->t, p->prec, p->n_samples);
    return p->dw_max * (time.high - time.low) / M_PI;
}

ndft_question ndft_question_of_problem(const ndft_problem *p, ndft_op op, const char *device)
{
    return (ndft_question){.device = device,
                           .mode = "batch",
                           .op = op,
                           .dim = p->dim,
                           .prec = p->prec,
                           .field = p->dw != NULL,
                           .gradients = ndft_has_gradients(p),
                           .lines = p->structure.line_length > 0,
                           .per_time = per_time(p->dw, p->n_samples, p->structure.distinct_times),
                           .turns = turns_of_problem(p),
                           .voxels = (double)p->n_voxels,
                           .samples = (double)p->n_samples,
                           .coils = p->coils,
                           .tol = p->tol};
}

ndft_question ndft_question_of_case(const ndft_case *c, const char *device)
{
    if (c->kind == NDFT_UNIFORM)
        return ndft_question_of_transform(&c->transform, c->load.word || c->store.word, c->tol,
                                          device);
    const ndft_structure structure = ndft_structure_of_case(c);
    return (ndft_question){
        .device = device,
        .mode = "batch",
        .op = c->op,
        .dim = c->dim,
        .prec = c->prec,
        .field = c->field.kind != NDFT_SOURCE_NONE,
        .gradients = c->grad.kind != NDFT_SOURCE_NONE,
        .lines = structure.line_length > 0,
        .per_time = per_time(c->field.kind != NDFT_SOURCE_NONE, c->m, structure.distinct_times),
        .turns = turns_of_case(c),
        .voxels = (double)c->n[0] * (double)c->n[1] * (double)c->n[2],
        .samples = (double)c->m,
        .coils = c->coils,
        .tol = c->tol};
}

/* The largest prime factor of n; 1 of 1. */
static int64_t largest_factor(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

/* Whether the numbers of a transform along N1 lie side by side. */
static bool contiguous(const ndft_tensor *t)
{
    return t->shape[NDFT_MODE_N] == 1 || t->stride[NDFT_MODE_N] == 1;
}

ndft_question ndft_question_of_transform(const ndft_transform *t, bool callbacks, double tol,
                                         const char *device)
{
    int64_t factor = 1;
    for (int d = 0; d < t->dim; d++) {
        const int64_t own = largest_factor(t->shape[NDFT_MODE_N + d]);
        if (own > factor) factor = own;
    }
    return (ndft_question){.kind = NDFT_UNIFORM,
                           .device = device,
                           .mode = "batch",
                           .op = NDFT_FORWARD,
                           .dim = t->dim,
                           .prec = t->prec,
                           .tol = tol,
                           .domain = t->domain,
                           .in_place = t->in_place,
                           .contiguous = contiguous(&t->in) && contiguous(&t->out),
                           .callbacks = callbacks,
                           .length = (double)ndft_transform_length(t),
                           .batch = (double)ndft_transform_batch(t),
                           .factor = (double)factor};
}
