/* SPDX-License-Identifier: Apache-2.0 */
#include "prepared.h"

#include "backend.h"
#include "cost.h"
#include "promise.h"
#include "registry.h"
#include "traits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const unsigned both_ways = NDFT_FORWARD | NDFT_ADJOINT;

/* Whether normal is put together from forward and adjoint here. */
static bool composes(const ndft_variant *v, const int *knobs)
{
    const unsigned ops = ndft_traits_of(v, knobs).ops;
    return (ops & both_ways) == both_ways && !(ops & NDFT_NORMAL);
}

unsigned ndft_served_ops(const ndft_variant *v, const int *knobs)
{
    return ndft_traits_of(v, knobs).ops | (composes(v, knobs) ? NDFT_NORMAL : 0);
}

const ndft_problem *ndft_problem_of_parts(const ndft_variant *v, const int *knobs,
                                          const ndft_problem *p, unsigned ops, ndft_problem *half)
{
    if (!(ops & NDFT_NORMAL) || !composes(v, knobs)) return p;
    *half = *p;
    half->tol /= 2;
    return half;
}

/* Where whole turns of the phase would outgrow the integers that count them. */
static const double most_cycles = 0x1p31;

static const char *numbers_unsupported(const ndft_problem *p)
{
    bool finite = isfinite(p->t_max) && isfinite(p->dw_max), near = true;
    for (int d = 0; d < 3; d++) {
        finite = finite && isfinite(p->k_max[d]) && isfinite(p->g_max[d]);
        near = near && p->k_max[d] < most_cycles;
    }
    if (!finite) return "its trajectory, times, field map or gradients are not all finite";
    return near ? NULL : "its trajectory reaches 2^31 cycles/FOV or more";
}

const char *ndft_plan_unsupported(const ndft_variant *v, const int *knobs, const ndft_problem *p,
                                  unsigned ops, const ndft_device *device)
{
    ndft_problem half;
    if (ops & ~ndft_served_ops(v, knobs)) return "it does not serve this operation";
    const char *why = numbers_unsupported(p);
    if (!why) why = ndft_library_missing(v);
    return why ? why
               : v->unsupported(ndft_problem_of_parts(v, knobs, p, ops, &half), device, knobs);
}

ndft_cost ndft_executed_cost(const ndft_variant *v, const ndft_problem *p, ndft_op op,
                             const int *knobs)
{
    if (op != NDFT_NORMAL || !composes(v, knobs)) return v->cost(p, op, knobs);
    /* Vectors are counted where they are read and written, the samples in between too. */
    ndft_problem half;
    p = ndft_problem_of_parts(v, knobs, p, op, &half);
    const ndft_cost forward = v->cost(p, NDFT_FORWARD, knobs);
    const ndft_cost adjoint = v->cost(p, NDFT_ADJOINT, knobs);
    return ndft_cost_sum(&forward, &adjoint);
}

/* What a composed normal operator needs beside the variant's own part. */
static ndft_status prepare_parts(ndft_prepared *plan)
{
    const ndft_problem *p = plan->problem;
    plan->half = malloc(sizeof *plan->half);
    if (!plan->half) return ndft_fail(plan->exec->error, NDFT_ENOMEM, "no memory for a problem");
    ndft_problem_of_parts(plan->variant, plan->knobs, p, NDFT_NORMAL, plan->half);
    return plan->exec->alloc(plan->exec, "samples between forward and adjoint",
                             ndft_vector_bytes(p, p->n_samples), &plan->samples);
}

static ndft_status try_to_prepare(ndft_prepared *plan, unsigned ops)
{
    const ndft_problem *p = plan->problem;
    ndft_status status = NDFT_OK;
    if ((ops & NDFT_NORMAL) && composes(plan->variant, plan->knobs)) {
        status = prepare_parts(plan);
        p = plan->half;
        ops = both_ways;
    }
    if (status == NDFT_OK) {
        status = plan->variant->plan(p, plan->knobs, ops, plan->exec, &plan->state);
        if (status != NDFT_OK) plan->state = NULL; /* nothing to destroy, whatever was left there */
    }
    if (status != NDFT_OK) ndft_prepared_destroy(plan);
    return status;
}

/* Others may take memory at any moment, and what a share leaves may not hold the rest: then smaller
 * shares are tried, in smaller passes. */
static ndft_status prepare(ndft_prepared *plan, unsigned ops)
{
    enum { TRIES = 4 };
    ndft_exec *exec = plan->exec;
    const size_t free_bytes = exec->free_bytes(exec), all = exec->device.memory_bytes;
    exec->room_bytes = free_bytes < all ? free_bytes : all;
    ndft_status status = try_to_prepare(plan, ops);
    for (int i = 1; i < TRIES && status == NDFT_ENOMEM; i++) {
        exec->room_bytes /= 4;
        status = try_to_prepare(plan, ops);
        if (status == NDFT_OK) *exec->error = (ndft_error){.status = NDFT_OK};
    }
    return status;
}

ndft_status ndft_prepare(const ndft_variant *variant, const int *knobs, const ndft_problem *problem,
                         unsigned ops, ndft_exec *exec, ndft_prepared *plan)
{
    *plan = (ndft_prepared){.variant = variant, .problem = problem, .exec = exec};
    if (variant->n_knobs) memcpy(plan->knobs, knobs, (size_t)variant->n_knobs * sizeof *knobs);
    const char *why = ndft_plan_unsupported(variant, plan->knobs, problem, ops, &exec->device);
    if (why) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", why);
    return prepare(plan, ops);
}

static ndft_status promises_tol(const ndft_variant *v, const int *knobs, const ndft_problem *p,
                                unsigned ops, ndft_error *err)
{
    const ndft_kind_of_problem kind = ndft_kind_served(v);
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
        if (!(ops & op)) continue;
        const ndft_promise promise = ndft_promise_of(kind, v, knobs, p, (ndft_op)op);
        NDFT_TRY(ndft_promise_holds(&promise, p, err));
    }
    return NDFT_OK;
}

ndft_status ndft_prepare_promised(const ndft_variant *variant, const int *knobs,
                                  const ndft_problem *problem, unsigned ops, ndft_exec *exec,
                                  ndft_prepared *plan)
{
    const char *why = ndft_plan_unsupported(variant, knobs, problem, ops, &exec->device);
    *plan = (ndft_prepared){0};
    if (why) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", why);
    NDFT_TRY(promises_tol(variant, knobs, problem, ops, exec->error));
    return ndft_prepare(variant, knobs, problem, ops, exec, plan);
}

ndft_status ndft_prepared_execute(const ndft_prepared *plan, ndft_op op, const void *in, void *out)
{
    const ndft_variant *v = plan->variant;
    if (op != NDFT_NORMAL || !plan->samples) return v->execute(plan->state, op, in, out);
    NDFT_TRY(v->execute(plan->state, NDFT_FORWARD, in, plan->samples));
    return v->execute(plan->state, NDFT_ADJOINT, plan->samples, out);
}

/* A call with host pointers; in place there is one vector on the device. */
typedef struct host_call {
    const ndft_prepared *plan;
    ndft_op op;
    ndft_kind_of_problem kind;
    bool in_place;
    size_t bytes_in, bytes_out;
    void *in, *out;
} host_call;

static ndft_status open_call(host_call *c)
{
    ndft_exec *exec = c->plan->exec;
    NDFT_TRY(exec->alloc(exec, "input", c->bytes_in, &c->in));
    if (!c->in_place) return exec->alloc(exec, "output", c->bytes_out, &c->out);
    c->out = c->in;
    return NDFT_OK;
}

static ndft_status run_call(const host_call *c, const void *in, void *out)
{
    ndft_exec *exec = c->plan->exec;
    const ndft_backend *backend = ndft_backend_find(exec->device.backend);
    if (c->kind == NDFT_UNIFORM && !c->in_place) /* what it does not write is to stay */
        NDFT_TRY(exec->upload(exec, c->out, out, c->bytes_out));
    NDFT_TRY(exec->upload(exec, c->in, in, c->bytes_in));
    NDFT_TRY(ndft_prepared_execute(c->plan, c->op, c->in, c->out));
    NDFT_TRY(backend->sync(exec));
    return backend->download(exec, out, c->out, c->bytes_out);
}

ndft_status ndft_prepared_execute_host(const ndft_prepared *plan, ndft_op op, const void *in,
                                       void *out)
{
    const ndft_problem *p = plan->problem;
    const ndft_kind_of_problem kind = ndft_kind_served(plan->variant);
    host_call call = {.plan = plan,
                      .op = op,
                      .kind = kind,
                      .in_place = ndft_in_place(kind, p),
                      .bytes_in = ndft_input_bytes(p, op),
                      .bytes_out = ndft_output_bytes(p, op)};
    ndft_status status = open_call(&call);
    if (status == NDFT_OK) status = run_call(&call, in, out);
    if (call.out != call.in) plan->exec->release(plan->exec, call.out);
    plan->exec->release(plan->exec, call.in);
    return status;
}

void ndft_prepared_destroy(ndft_prepared *plan)
{
    if (plan->samples) plan->exec->release(plan->exec, plan->samples);
    if (plan->state) plan->variant->destroy(plan->state);
    free(plan->half);
    plan->samples = plan->state = NULL;
    plan->half = NULL;
}
