/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/convolution.h"

#include "cost.h"
#include "descriptor.h"
#include "device/backend.h"
#include "rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DETERMINISTIC, KERNEL_FFT }; /* knobs, in order */
enum { THERE, BACK, KERNEL, WAYS }; /* transforms: of the input, of the product, of the kernel */

static const double least_tol = 1e-15;

typedef struct convolution {
    const ndft_convolution_problem *problem;
    ndft_exec *exec;
    ndft_exec *beside; /* of the kernel's transform; NULL: exec */
    const ndft_backend *backend;
    int ways; /* the kernel's among them where executions transform it */
    ndft_uniform_problem transform[WAYS];
    ndft_ranked engine[WAYS];
    ndft_prepared prepared[WAYS];
    void *cells, *spectrum, *outputs; /* outputs: on the way of a normal operator */
    void *kernel;                     /* over the number of cells, which the way back asks for */
} convolution;

static int ways_of(const int *knobs)
{
    return knobs[KERNEL_FFT] == NDFT_KERNEL_IN_PLAN ? KERNEL : WAYS;
}

/*
 * What each transform may err by. Errors of the transforms and of the factors, each over the
 * largest factor and the input, add up: a transform over the root of its length is unitary, so a
 * relative error of the norm passes through unchanged, and one of every number by |x|_1 stays one.
 * A product errs by less than 4 units, rounding of the factor among it. Factors that executions
 * make err by what their transform does times the kernel's gain, and by the rounded kernel.
 */
typedef struct parts {
    double transforms,
        rest; /* how many there are, as their errors count, and what is no transform's */
} parts;

static parts parts_of(const ndft_convolution_problem *c, const int *knobs)
{
    const double unit = ndft_roundoff(c->problem.prec);
    if (ways_of(knobs) == KERNEL) return (parts){KERNEL, c->spectrum_error + 4 * unit};
    return (parts){KERNEL + c->kernel_gain, (4 + c->kernel_gain) * unit};
}

static double share(const ndft_problem *p, const int *knobs)
{
    const parts of = parts_of(ndft_convolution_of(p), knobs);
    return (p->tol / 2 - of.rest) / of.transforms;
}

double ndft_convolution_tol(const ndft_convolution_problem *c, const int *knobs, double each)
{
    const parts of = parts_of(c, knobs);
    return 2 * (of.transforms * each + of.rest);
}

static const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *knobs)
{
    (void)device;
    if (ways_of(knobs) > KERNEL && !ndft_convolution_of(p)->kernel)
        return "kernel_fft=execute and beside need the kernel, of which the problem has the "
               "spectrum";
    return share(p, knobs) >= least_tol ? NULL
                                        : "its tol leaves its transforms less than any promises";
}

/* In place, but for the kernel, which stays. */
static ndft_status describe_way(const ndft_problem *p, int way, double tol, ndft_uniform_problem *u,
                                ndft_error *err)
{
    const int64_t *n = ndft_convolution_of(p)->cells;
    char text[128];
    int used = snprintf(text, sizeof text, "%cc%c%c%lld", p->prec == NDFT_F32 ? 's' : 'd',
                        way == BACK ? 'b' : 'f', way == KERNEL ? 'o' : 'i', (long long)n[0]);
    for (int axis = 1; axis < p->dim; axis++)
        used += snprintf(text + used, sizeof text - (size_t)used, "x%lld", (long long)n[axis]);
    snprintf(text + used, sizeof text - (size_t)used, "*%d", way == KERNEL ? 1 : p->coils);
    NDFT_TRY(ndft_descriptor_parse(text, &u->transform, err));
    u->problem = ndft_problem_of_transform(&u->transform, tol, p->tol_kind);
    return NDFT_OK;
}

static ndft_status prepare_way(convolution *s, int way, const int *knobs)
{
    const ndft_problem *p = &s->problem->problem;
    ndft_exec *exec = way == KERNEL && s->beside ? s->beside : s->exec;
    NDFT_TRY(describe_way(p, way, share(p, knobs), &s->transform[way], s->exec->error));
    return ndft_prepare_fastest(NDFT_UNIFORM, &s->transform[way].problem, NDFT_FORWARD,
                                knobs[DETERMINISTIC], exec, &s->engine[way], &s->prepared[way]);
}

/* The kernel as executions transform it. */
static ndft_status upload_kernel(convolution *s, size_t bytes)
{
    const ndft_convolution_problem *c = s->problem;
    const ndft_prec prec = c->problem.prec;
    const int64_t cells = ndft_box_size(c->cells);
    ndft_exec *exec = s->exec;
    NDFT_TRY(exec->alloc(exec, "kernel of a convolution", bytes, &s->kernel));
    void *scaled = malloc(bytes);
    if (!scaled) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a kernel");
    for (int64_t i = 0; i < 2 * cells; i++)
        ndft_put_real(scaled, prec, i, ndft_real_at(c->kernel, prec, i) / (double)cells);
    const ndft_status status = exec->upload(exec, s->kernel, scaled, bytes);
    free(scaled);
    return status;
}

static ndft_status take_memory(convolution *s, unsigned ops)
{
    const ndft_problem *p = &s->problem->problem;
    const size_t complex_bytes = 2 * ndft_real_size(p->prec);
    const size_t bytes = (size_t)ndft_box_size(s->problem->cells) * complex_bytes;
    ndft_exec *exec = s->exec;
    NDFT_TRY(exec->alloc(exec, "cells of a convolution", bytes * (size_t)p->coils, &s->cells));
    NDFT_TRY(exec->alloc(exec, "factors of a convolution", bytes, &s->spectrum));
    NDFT_TRY(s->ways > KERNEL ? upload_kernel(s, bytes)
                              : exec->upload(exec, s->spectrum, s->problem->spectrum, bytes));
    if (!(ops & NDFT_NORMAL)) return NDFT_OK;
    return exec->alloc(exec, "outputs of a convolution", ndft_vector_bytes(p, p->n_samples),
                       &s->outputs);
}

static void destroy(void *plan)
{
    convolution *s = plan;
    for (int way = 0; way < s->ways; way++)
        if (s->prepared[way].variant) ndft_prepared_destroy(&s->prepared[way]);
    if (s->beside) s->backend->close(s->beside);
    s->exec->release(s->exec, s->kernel);
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
    s->problem = ndft_convolution_of(p);
    s->exec = exec;
    s->backend = ndft_backend_find(exec->device.backend);
    s->ways = ways_of(knobs);
    ndft_status status = NDFT_OK;
    if (knobs[KERNEL_FFT] == NDFT_KERNEL_BESIDE && s->backend->fork_beside)
        status = s->backend->fork_beside(exec, &s->beside, exec->error);
    if (status == NDFT_OK) status = take_memory(s, ops);
    for (int way = 0; status == NDFT_OK && way < s->ways; way++)
        status = prepare_way(s, way, knobs);
    if (status != NDFT_OK) {
        destroy(s);
        return status;
    }
    *out = s;
    return NDFT_OK;
}

/* Beside what comes next, up to the product, or before it. */
static ndft_status begin_kernel(const convolution *s)
{
    if (s->ways == KERNEL) return NDFT_OK;
    if (s->beside) NDFT_TRY(s->backend->wait_for(s->beside, s->exec));
    return ndft_prepared_execute(&s->prepared[KERNEL], NDFT_FORWARD, s->kernel, s->spectrum);
}

static ndft_status end_kernel(const convolution *s)
{
    return s->beside ? s->backend->wait_for(s->exec, s->beside) : NDFT_OK;
}

static ndft_status convolve(const convolution *s, bool adjoint, const void *in, void *out)
{
    const ndft_convolution_problem *c = s->problem;
    const ndft_problem *p = &c->problem;
    const int64_t *from = adjoint ? c->outputs : p->n, *to = adjoint ? p->n : c->outputs;
    NDFT_TRY(s->backend->place(s->exec, p->prec, p->coils, from, in, c->cells, s->cells));
    NDFT_TRY(ndft_prepared_execute(&s->prepared[THERE], NDFT_FORWARD, s->cells, s->cells));
    NDFT_TRY(end_kernel(s));
    NDFT_TRY(s->backend->multiply(s->exec, p->prec, p->coils, ndft_box_size(c->cells), s->spectrum,
                                  adjoint, s->cells));
    NDFT_TRY(ndft_prepared_execute(&s->prepared[BACK], NDFT_FORWARD, s->cells, s->cells));
    return s->backend->place(s->exec, p->prec, p->coils, c->cells, s->cells, to, out);
}

static ndft_status execute(void *plan, ndft_op op, const void *in, void *out)
{
    const convolution *s = plan;
    NDFT_TRY(begin_kernel(s));
    if (op != NDFT_NORMAL) return convolve(s, op == NDFT_ADJOINT, in, out);
    NDFT_TRY(convolve(s, false, in, s->outputs));
    return convolve(s, true, s->outputs, out);
}

double ndft_convolution_launches(const ndft_prepared *prepared, ndft_op op)
{
    const convolution *s = prepared->state;
    double launches = 3; /* two boxes and a product */
    for (int way = 0; way < KERNEL; way++) {
        const ndft_candidate *c = &s->engine[way].candidate;
        launches += ndft_executed_cost(c->entry->variant, &s->transform[way].problem, NDFT_FORWARD,
                                       c->knobs)
                        .launches;
    }
    return op == NDFT_NORMAL ? 2 * launches : launches;
}

/* What transforms of 5 C log2 C operations do, whoever makes them, and what boxes and the product
 * read and write. */
static ndft_cost cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    const double cells = (double)ndft_box_size(ndft_convolution_of(p)->cells), batch = p->coils;
    const double complex_bytes = 2 * (double)ndft_real_size(p->prec),
                 rounds = 1 + (op == NDFT_NORMAL);
    const double own = ways_of(knobs) > KERNEL; /* the kernel's transform */
    const double transforms = (2 * batch * rounds + own) * 5 * cells * fmax(1, log2(cells));
    const double products = 4 * batch * rounds * cells;
    const double ends = batch * (double)(p->n_voxels + p->n_samples);
    ndft_cost cost = {.fma = transforms / 3 + products,
                      .add = transforms / 3,
                      .issue_slots = transforms + products,
                      .launches = (3 + 2) * rounds + own};
    /* placed, transformed there, multiplied, transformed back, placed; the factors once */
    cost.dram_bytes = complex_bytes * (rounds * (ends + (8 * batch + 1) * cells) + own * 2 * cells);
    cost.l2_bytes = cost.dram_bytes;
    return cost;
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
    static const char *const names[] = {"there", "back", "kernel"};
    int used = 0;
    for (int way = 0; way < s->ways && used < (int)size; way++) {
        char id[NDFT_ID_MAX];
        ndft_id_print_short(&s->engine[way].candidate, id, sizeof id);
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s=%s", way ? "," : "", names[way], id);
    }
}

static ndft_traits traits(const int *knobs)
{
    return (ndft_traits){.summary = "transform, product, transform back",
                         .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,
                         .claim = {.truncation = promised,
                                   .any = {.chain = ndft_no_chain, .truncation = promised_any},
                                   .deterministic = knobs[DETERMINISTIC]},
                         .matter = UINT32_MAX};
}

const char *const ndft_kernel_moments[] = {"plan", "execute", "beside", NULL};

static const ndft_knob choices[] = {
    NDFT_KNOB("deterministic", "", "transforms that are", 0, (0, 1)),
    NDFT_KNOB_WORDS(
        "kernel_fft",
        "when the kernel is transformed: once, or in every execute, as one that changes",
        ndft_kernel_moments, NDFT_KERNEL_IN_PLAN,
        (NDFT_KERNEL_IN_PLAN, NDFT_KERNEL_IN_EXECUTE, NDFT_KERNEL_BESIDE)),
};

#define ENGINE(on)                                                                                 \
    {                                                                                              \
        .name = "convolution", .backend = on, .summary = "transform, product, transform back",     \
        NDFT_KNOBS(choices), .ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL,                     \
        .unsupported = unsupported, .plan = plan, .execute = execute, .destroy = destroy,          \
        .cost = cost, .chosen = chosen, .traits = traits,                                          \
    }

extern const ndft_variant ndft_convolution_cpu, ndft_convolution_cuda;
const ndft_variant ndft_convolution_cpu = ENGINE("cpu");
const ndft_variant ndft_convolution_cuda = ENGINE("cuda");

ndft_candidate ndft_convolution_on(const char *backend, bool deterministic)
{
    char name[32];
    const int length = snprintf(name, sizeof name, "convolution.%s", backend);
    ndft_candidate c = ndft_candidate_of(ndft_registered_find(name, (size_t)length));
    c.knobs[DETERMINISTIC] = deterministic;
    return c;
}
