/* SPDX-License-Identifier: Apache-2.0 */
#include "convolution.h"

#include "descriptor.h"
#include "device/backend.h"
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DETERMINISTIC, THERE = 0, BACK, WAYS };

static const double least_tol = 1e-13;

typedef struct convolution {
    const ndft_convolution_problem *problem;
    ndft_exec *exec;
    const ndft_backend *backend;
    ndft_uniform_problem transform[WAYS];
    ndft_ranked engine[WAYS];
    ndft_prepared prepared[WAYS];
    void *cells, *spectrum, *outputs; /* outputs: on the way of a normal operator */
} convolution;

static const ndft_convolution_problem *of(const ndft_problem *p)
{
    return (const ndft_convolution_problem *)p;
}

/*
 * What either transform may err by. Errors of the transforms and of the factors, each over the
 * largest factor and the input, add up: a transform over the root of its length is unitary, so a
 * relative error of the norm passes through unchanged, and one of every number by |x|_1 stays one.
 * A product errs by less than 4 units, rounding of the factor among it.
 */
static double share(const ndft_problem *p)
{
    const double product = 4 * ndft_roundoff(p->prec);
    return (p->tol / 2 - of(p)->spectrum_error - product) / WAYS;
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    (void)knobs;
    return share(p) >= least_tol ? NULL : "its tol leaves its transforms less than any promises";
}

static ndft_status describe_way(convolution *s, int way)
{
    const ndft_problem *p = &s->problem->problem;
    const int64_t *n = s->problem->cells;
    char text[128];
    int used = snprintf(text, sizeof text, "%cc%ci%lld", p->prec == NDFT_F32 ? 's' : 'd',
                        way == THERE ? 'f' : 'b', (long long)n[0]);
    for (int axis = 1; axis < p->dim; axis++)
        used += snprintf(text + used, sizeof text - (size_t)used, "x%lld", (long long)n[axis]);
    snprintf(text + used, sizeof text - (size_t)used, "*%d", p->coils);
    ndft_uniform_problem *u = &s->transform[way];
    NDFT_TRY(ndft_descriptor_parse(text, &u->transform, s->exec->error));
    u->problem = ndft_problem_of_transform(&u->transform, share(p), p->tol_kind);
    return NDFT_OK;
}

static ndft_status prepare_way(convolution *s, int way, bool deterministic)
{
    NDFT_TRY(describe_way(s, way));
    return ndft_prepare_fastest(NDFT_UNIFORM, &s->transform[way].problem, NDFT_FORWARD,
                                deterministic, s->exec, &s->engine[way], &s->prepared[way]);
}

static ndft_status take_memory(convolution *s, unsigned ops)
{
    const ndft_problem *p = &s->problem->problem;
    const size_t complex_bytes = 2 * ndft_real_size(p->prec);
    const size_t bytes = (size_t)ndft_box_size(s->problem->cells) * complex_bytes;
    ndft_exec *exec = s->exec;
    NDFT_TRY(exec->alloc(exec, "cells of a convolution", bytes * (size_t)p->coils, &s->cells));
    NDFT_TRY(exec->alloc(exec, "factors of a convolution", bytes, &s->spectrum));
    NDFT_TRY(exec->upload(exec, s->spectrum, s->problem->spectrum, bytes));
    if (!(ops & NDFT_NORMAL)) return NDFT_OK;
    return exec->alloc(exec, "outputs of a convolution", ndft_vector_bytes(p, p->n_samples),
                       &s->outputs);
}

static void destroy(void *plan)
{
    convolution *s = plan;
    for (int way = 0; way < WAYS; way++)
        if (s->prepared[way].variant) ndft_prepared_destroy(&s->prepared[way]);
    s->exec->release(s->exec, s->outputs);
    s->exec->release(s->exec, s->spectrum);
    s->exec->release(s->exec, s->cells);
    free(s);
}

static ndft_status plan(const ndft_problem *p, const int *knobs, unsigned ops, ndft_exec *exec,
                        void **out)
{
    convolution *s = calloc(1, sizeof *s);
    if (!s) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a convolution");
    s->problem = of(p);
    s->exec = exec;
    s->backend = ndft_backend_find(exec->device.backend);
    ndft_status status = take_memory(s, ops);
    for (int way = 0; status == NDFT_OK && way < WAYS; way++)
        status = prepare_way(s, way, knobs[DETERMINISTIC]);
    if (status != NDFT_OK) {
        destroy(s);
        return status;
    }
    *out = s;
    return NDFT_OK;
}

static ndft_status convolve(const convolution *s, bool adjoint, const void *in, void *out)
{
    const ndft_convolution_problem *c = s->problem;
    const ndft_problem *p = &c->problem;
    const int64_t *from = adjoint ? c->outputs : p->n, *to = adjoint ? p->n : c->outputs;
    NDFT_TRY(s->backend->place(s->exec, p->prec, p->coils, from, in, c->cells, s->cells));
    NDFT_TRY(ndft_prepared_execute(&s->prepared[THERE], NDFT_FORWARD, s->cells, s->cells));
    NDFT_TRY(s->backend->multiply(s->exec, p->prec, p->coils, ndft_box_size(c->cells), s->spectrum,
                                  adjoint, s->cells));
    NDFT_TRY(ndft_prepared_execute(&s->prepared[BACK], NDFT_FORWARD, s->cells, s->cells));
    return s->backend->place(s->exec, p->prec, p->coils, c->cells, s->cells, to, out);
}

static ndft_status execute(void *plan, ndft_op op, const void *in, void *out)
{
    const convolution *s = plan;
    if (op != NDFT_NORMAL) return convolve(s, op == NDFT_ADJOINT, in, out);
    NDFT_TRY(convolve(s, false, in, s->outputs));
    return convolve(s, true, s->outputs, out);
}

double ndft_convolution_launches(const ndft_prepared *prepared, ndft_op op)
{
    const convolution *s = prepared->state;
    double launches = 3; /* two boxes and a product */
    for (int way = 0; way < WAYS; way++) {
        const ndft_candidate *c = &s->engine[way].candidate;
        launches += ndft_executed_cost(c->entry->variant, &s->transform[way].problem, NDFT_FORWARD,
                                       c->knobs)
                        .launches;
    }
    return op == NDFT_NORMAL ? 2 * launches : launches;
}

static double promised(const ndft_problem *p, const int *knobs)
{
    (void)knobs;
    return p->tol / 2;
}

static double promised_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    return promised(p, knobs);
}

static void chosen(const void *plan, char *text, size_t size)
{
    const convolution *s = plan;
    char id[WAYS][NDFT_ID_MAX];
    for (int way = 0; way < WAYS; way++)
        ndft_id_print(&s->engine[way].candidate, id[way], sizeof id[way]);
    snprintf(text, size, "there=%s,back=%s", id[THERE], id[BACK]);
}

static ndft_traits traits(const int *knobs)
{
    return (ndft_traits){.summary = "transform, product, transform back",
                         .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
                         .claim = {.truncation = promised,
                                   .any = {.chain = ndft_no_chain, .truncation = promised_any},
                                   .deterministic = knobs[DETERMINISTIC]}};
}

static const ndft_knob choices[] = {{.name = "deterministic",
                                     .summary = "transforms that are",
                                     .n_candidates = 2,
                                     .candidates = {0, 1}}};

static const ndft_variant engine = {
    .name = "convolution",
    .knobs = choices,
    .n_knobs = 1,
    .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = destroy,
    .chosen = chosen,
    .traits = traits,
};

ndft_candidate ndft_convolution_on(const char *backend, bool deterministic)
{
    static const ndft_registered cpu = {.name = "convolution",
                                        .backend = "cpu",
                                        .variant = &engine},
                                 cuda = {
                                     .name = "convolution", .backend = "cuda", .variant = &engine};
    ndft_candidate c = ndft_candidate_of(strcmp(backend, "cpu") ? &cuda : &cpu);
    c.knobs[DETERMINISTIC] = deterministic;
    return c;
}
