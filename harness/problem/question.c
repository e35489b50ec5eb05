/* SPDX-License-Identifier: Apache-2.0 */
#include "question.h"

#include "files/extent.h"
#include "make/structure.h"

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
