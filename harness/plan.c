/* SPDX-License-Identifier: Apache-2.0 */
#include <ndft/plan.h>

#include "backend.h"
#include "cost.h"

#include <stdlib.h>
#include <string.h>

static const unsigned both_ways = NDFT_FORWARD | NDFT_ADJOINT;

/* Whether normal is put together from forward and adjoint here. */
static bool composes(const ndft_variant *v)
{
    return (v->ops & both_ways) == both_ways && !(v->ops & NDFT_NORMAL);
}

unsigned ndft_served_ops(const ndft_variant *v) { return v->ops | (composes(v) ? NDFT_NORMAL : 0); }

const ndft_problem *ndft_problem_of_parts(const ndft_variant *v, const ndft_problem *p,
                                          unsigned ops, ndft_problem *half)
{
    if (!(ops & NDFT_NORMAL) || !composes(v)) return p;
    *half = *p;
    half->tol /= 2;
    return half;
}

ndft_cost ndft_executed_cost(const ndft_variant *v, const ndft_problem *p, ndft_op op,
                             const int *knobs)
{
    if (op != NDFT_NORMAL || !composes(v)) return v->cost(p, op, knobs);
    /* Vectors are counted where they are read and written, the samples in between too. */
    ndft_problem half;
    p = ndft_problem_of_parts(v, p, op, &half);
    const ndft_cost forward = v->cost(p, NDFT_FORWARD, knobs);
    const ndft_cost adjoint = v->cost(p, NDFT_ADJOINT, knobs);
    return ndft_cost_sum(&forward, &adjoint);
}

/* What a composed normal operator needs beside the variant's own part. */
static ndft_status prepare_parts(ndft_plan *plan)
{
    const ndft_problem *p = plan->problem;
    plan->half = malloc(sizeof *plan->half);
    if (!plan->half) return ndft_fail(plan->exec->error, NDFT_ENOMEM, "no memory for a problem");
    ndft_problem_of_parts(plan->variant, p, NDFT_NORMAL, plan->half);
    return plan->exec->alloc(plan->exec, "samples between forward and adjoint",
                             ndft_vector_bytes(p, p->n_samples), &plan->samples);
}

static ndft_status prepare(ndft_plan *plan, unsigned ops)
{
    const ndft_problem *p = plan->problem;
    ndft_status status = NDFT_OK;
    if ((ops & NDFT_NORMAL) && composes(plan->variant)) {
        status = prepare_parts(plan);
        p = plan->half;
        ops = both_ways;
    }
    if (status == NDFT_OK) {
        status = plan->variant->plan(p, plan->knobs, ops, plan->exec, &plan->state);
        if (status != NDFT_OK) plan->state = NULL; /* nothing to destroy, whatever was left there */
    }
    if (status != NDFT_OK) ndft_plan_destroy(plan);
    return status;
}

ndft_status ndft_plan_create(const ndft_variant *variant, const int *knobs,
                             const ndft_problem *problem, unsigned ops, ndft_exec *exec,
                             ndft_plan *plan)
{
    *plan = (ndft_plan){.variant = variant, .problem = problem, .exec = exec};
    if (variant->n_knobs) memcpy(plan->knobs, knobs, (size_t)variant->n_knobs * sizeof *knobs);
    if (ops & ~ndft_served_ops(variant))
        return ndft_fail(exec->error, NDFT_EUNFIT, "it does not serve this operation");
    ndft_problem half;
    const char *why = variant->unfit(ndft_problem_of_parts(variant, problem, ops, &half),
                                     &exec->device, plan->knobs);
    if (why) return ndft_fail(exec->error, NDFT_EUNFIT, "%s", why);
    return prepare(plan, ops);
}

ndft_status ndft_execute(const ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    const ndft_variant *v = plan->variant;
    if (op != NDFT_NORMAL || !plan->samples) return v->execute(plan->state, op, in, out);
    NDFT_TRY(v->execute(plan->state, NDFT_FORWARD, in, plan->samples));
    return v->execute(plan->state, NDFT_ADJOINT, plan->samples, out);
}

static ndft_status run_on_device(const ndft_plan *plan, ndft_op op, const void *in, void *out,
                                 void *device_in, void *device_out)
{
    const ndft_backend *backend = ndft_backend_find(plan->exec->device.backend);
    const ndft_problem *p = plan->problem;
    NDFT_TRY(plan->exec->upload(plan->exec, device_in, in,
                                ndft_vector_bytes(p, ndft_input_length(p, op))));
    NDFT_TRY(ndft_execute(plan, op, device_in, device_out));
    NDFT_TRY(backend->sync(plan->exec));
    return backend->download(plan->exec, out, device_out,
                             ndft_vector_bytes(p, ndft_output_length(p, op)));
}

ndft_status ndft_execute_host(const ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    ndft_exec *exec = plan->exec;
    const ndft_problem *p = plan->problem;
    void *device_in = NULL, *device_out = NULL;
    ndft_status status =
        exec->alloc(exec, "input", ndft_vector_bytes(p, ndft_input_length(p, op)), &device_in);
    if (status == NDFT_OK)
        status = exec->alloc(exec, "output", ndft_vector_bytes(p, ndft_output_length(p, op)),
                             &device_out);
    if (status == NDFT_OK) status = run_on_device(plan, op, in, out, device_in, device_out);
    exec->release(exec, device_out);
    exec->release(exec, device_in);
    return status;
}

void ndft_plan_destroy(ndft_plan *plan)
{
    if (plan->samples) plan->exec->release(plan->exec, plan->samples);
    if (plan->state) plan->variant->destroy(plan->state);
    free(plan->half);
    plan->samples = plan->state = NULL;
    plan->half = NULL;
}
