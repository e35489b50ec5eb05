/* SPDX-License-Identifier: Apache-2.0 */
#include "finufft.h"

#include "base/now.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = NDFT_ADJOINT + 1 }; /* forward and adjoint are indices */

typedef struct peer_plan {
    const peer_calls *calls;
    const ndft_problem *problem;
    ndft_exec *exec;
    peer_field field;
    void *points[3];       /* they keep these pointers */
    void *transform[WAYS]; /* their plans; NULL: not asked for */
    double field_s, plan_s[WAYS], setpts_s[WAYS];
} peer_plan;

void peer_calls_load(peer_calls *c, const char *name, const char *banner,
                     const peer_weigher *weigher)
{
    const struct {
        const char *end;
        void *function;
    } calls[] = {
        {"_default_opts", &c->default_opts},  {"_makeplan", &c->makeplan},
        {"f_makeplan", &c->makeplanf},        {"_setpts", &c->setpts[NDFT_F64]},
        {"f_setpts", &c->setpts[NDFT_F32]},   {"_execute", &c->execute[NDFT_F64]},
        {"f_execute", &c->execute[NDFT_F32]}, {"_destroy", &c->destroy[NDFT_F64]},
        {"f_destroy", &c->destroy[NDFT_F32]},
    };
    enum { N = sizeof calls / sizeof *calls };
    char names[N][48];
    peer_symbol symbols[N];
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", name, calls[i].end);
        symbols[i] = (peer_symbol){names[i], calls[i].function};
    }
    c->weigher = weigher;
    peer_library_load(&c->library, name, banner, symbols, N);
}

/* Their errors are numbers (finufft_errors.h). A tolerance below what they reach is a warning: the
 * error is then the least they have. */
static ndft_status result_of(ndft_exec *exec, const char *call, int result)
{
    enum { TOLERANCE_TOO_SMALL = 1, MOST_MEMORY = 2, NO_MEMORY = 11, DEVICE = 15 };
    if (!result || result == TOLERANCE_TOO_SMALL) return NDFT_OK;
    if (result == MOST_MEMORY || result == NO_MEMORY)
        return ndft_fail(exec->error, NDFT_ENOMEM, "its %s has too little memory", call);
    if (result == DEVICE)
        return ndft_fail(exec->error, NDFT_EDEVICE, "a CUDA call of its %s failed", call);
    return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "its %s refuses this with error %d", call,
                     result);
}

static ndft_status upload_axis(const peer_plan *plan, int d, void *host, size_t bytes)
{
    const ndft_problem *p = plan->problem;
    const double unit = 2 * M_PI / (double)p->n[d];
    for (int64_t j = 0; j < p->n_samples; j++)
        ndft_put_real(host, p->prec, j, unit * ndft_real_at(p->k[d], p->prec, j));
    return plan->exec->upload(plan->exec, plan->points[d], host, bytes);
}

static ndft_status make_points(peer_plan *plan)
{
    const ndft_problem *p = plan->problem;
    ndft_exec *exec = plan->exec;
    const size_t bytes = (size_t)p->n_samples * ndft_real_size(p->prec);
    void *host = malloc(bytes);
    ndft_status status =
        host ? NDFT_OK : ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for points");
    for (int d = 0; d < p->dim && status == NDFT_OK; d++) {
        status = exec->alloc(exec, "points", bytes, &plan->points[d]);
        if (status == NDFT_OK) status = upload_axis(plan, d, host, bytes);
    }
    free(host);
    return status;
}

/* An upload has finished on return, and with it what was on the stream before. */
static ndft_status wait(const peer_plan *plan)
{
    return plan->exec->upload(plan->exec, plan->points[0], "", 0);
}

static ndft_status make_transform(peer_plan *plan, const void *opts, double eps, ndft_op op)
{
    const ndft_problem *p = plan->problem;
    const bool forward = op == NDFT_FORWARD;
    const int type = forward ? 2 : 1, sign = forward ? -1 : 1;
    const int transforms = plan->field.terms * p->coils;
    void **to = &plan->transform[op];
    const double start = ndft_now_s();
    const int result =
        p->prec == NDFT_F32
            ? plan->calls->makeplanf(type, p->dim, p->n, sign, transforms, (float)eps, to, opts)
            : plan->calls->makeplan(type, p->dim, p->n, sign, transforms, eps, to, opts);
    NDFT_TRY(result_of(plan->exec, "makeplan", result));
    NDFT_TRY(wait(plan));
    plan->plan_s[op] = ndft_now_s() - start;
    return NDFT_OK;
}

static ndft_status set_points(peer_plan *plan, ndft_op op)
{
    const ndft_problem *p = plan->problem;
    void *const *x = plan->points;
    const double start = ndft_now_s();
    const int result = plan->calls->setpts[p->prec](plan->transform[op], p->n_samples, x[0], x[1],
                                                    x[2], 0, NULL, NULL, NULL);
    NDFT_TRY(result_of(plan->exec, "setpts", result));
    NDFT_TRY(wait(plan));
    plan->setpts_s[op] = ndft_now_s() - start;
    return NDFT_OK;
}

static ndft_status make_field(peer_plan *plan, double tol)
{
    const double start = ndft_now_s();
    NDFT_TRY(peer_field_make(plan->problem, tol, plan->calls->weigher, plan->exec, &plan->field));
    plan->field_s = ndft_now_s() - start;
    return NDFT_OK;
}

static ndft_status make_all(peer_plan *plan, const void *const opts[], peer_tolerance tol,
                            unsigned ops)
{
    NDFT_TRY(make_field(plan, tol.field));
    NDFT_TRY(make_points(plan));
    for (unsigned op = NDFT_FORWARD; op < WAYS; op <<= 1) {
        if (!(ops & op)) continue;
        NDFT_TRY(make_transform(plan, opts[op], tol.transform, (ndft_op)op));
        NDFT_TRY(set_points(plan, (ndft_op)op));
    }
    return NDFT_OK;
}

ndft_status peer_plan_make(const peer_calls *calls, const void *const opts[], const ndft_problem *p,
                           peer_tolerance tol, unsigned ops, ndft_exec *exec, void **made)
{
    peer_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(exec->error, NDFT_ENOMEM, "no host memory for a plan");
    *plan = (peer_plan){.calls = calls, .problem = p, .exec = exec};
    ndft_status status = make_all(plan, opts, tol, ops);
    if (status == NDFT_OK)
        *made = plan;
    else
        peer_plan_destroy(plan);
    return status;
}

/* Neither operation writes its input, though no parameter is a pointer to const. */
static ndft_status transform(const peer_plan *plan, ndft_op op, const void *in, void *out)
{
    const bool forward = op == NDFT_FORWARD;
    void *given = (void *)(uintptr_t)in;
    void *samples = forward ? out : given, *modes = forward ? given : out;
    return result_of(
        plan->exec, "execute",
        plan->calls->execute[plan->problem->prec](plan->transform[op], samples, modes));
}

ndft_status peer_plan_execute(void *state, ndft_op op, const void *in, void *out)
{
    const peer_plan *plan = state;
    const peer_field *f = &plan->field;
    const bool adjoint = op == NDFT_ADJOINT;
    const int from = adjoint ? PEER_SAMPLES : PEER_IMAGE, to = adjoint ? PEER_IMAGE : PEER_SAMPLES;
    if (!f->weights[from]) return transform(plan, op, in, out);
    NDFT_TRY(peer_field_expand(f, plan->problem, plan->exec, from, in, adjoint));
    NDFT_TRY(transform(plan, op, f->columns[from], f->columns[to]));
    return peer_field_join(f, plan->problem, plan->exec, to, out, adjoint);
}

void peer_plan_destroy(void *state)
{
    peer_plan *plan = state;
    for (int op = 0; op < WAYS; op++)
        if (plan->transform[op]) plan->calls->destroy[plan->problem->prec](plan->transform[op]);
    for (int d = 0; d < 3; d++) plan->exec->release(plan->exec, plan->points[d]);
    peer_field_release(&plan->field, plan->exec);
    free(plan);
}

/* What they execute is not known; every vector is read or written once at least. */
ndft_cost peer_plan_cost(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    (void)knobs;
    return (ndft_cost){.dram_bytes = ndft_both_bytes(p)};
}

void peer_plan_seconds(const void *state, ndft_op op, double *plan_s, double *setpts_s)
{
    const peer_plan *plan = state;
    *plan_s = plan->field_s;
    *setpts_s = 0;
    for (unsigned way = NDFT_FORWARD; way < WAYS; way <<= 1) {
        if (op != NDFT_NORMAL && way != (unsigned)op) continue;
        *plan_s += plan->plan_s[way];
        *setpts_s += plan->setpts_s[way];
    }
}

void peer_plan_chosen(const void *state, char *text, size_t size)
{
    const peer_plan *plan = state;
    *text = 0;
    if (plan->field.weights[PEER_IMAGE]) snprintf(text, size, "rank=%d", plan->field.terms);
}

ndft_text peer_plan_alone(peer_tolerance tol, char *text, size_t size)
{
    ndft_text line = ndft_text_in(text, size);
    ndft_text_add(&line, "--eps %.9g ", tol.transform);
    if (tol.terms) ndft_text_add(&line, "--terms %d ", tol.terms);
    return line;
}
