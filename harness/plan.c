/* SPDX-License-Identifier: Apache-2.0 */
#include <ndft/plan.h>

#include "backend.h"

#include <string.h>

ndft_status ndft_plan_create(const ndft_variant *variant, const int *knobs,
                             const ndft_problem *problem, unsigned ops, ndft_exec *exec,
                             ndft_plan *plan)
{
    *plan = (ndft_plan){.variant = variant, .problem = problem, .exec = exec};
    if (variant->n_knobs) memcpy(plan->knobs, knobs, (size_t)variant->n_knobs * sizeof *knobs);
    if (ops & ~variant->ops)
        return ndft_fail(exec->error, NDFT_EUNFIT, "it does not serve this operation");
    const char *why = variant->unfit(problem, &exec->device, plan->knobs);
    if (why) return ndft_fail(exec->error, NDFT_EUNFIT, "%s", why);
    ndft_status status = variant->plan(problem, plan->knobs, ops, exec, &plan->state);
    if (status != NDFT_OK) plan->state = NULL; /* nothing to destroy, whatever was left there */
    return status;
}

ndft_status ndft_execute(const ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    return plan->variant->execute(plan->state, op, in, out);
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
    if (plan->state) plan->variant->destroy(plan->state);
    plan->state = NULL;
}
