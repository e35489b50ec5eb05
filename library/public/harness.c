/* SPDX-License-Identifier: Apache-2.0 */
#include "harness.h"

#include "base/memo.h"
#include "plan_objects.h"
#include "promise.h"

#include <math.h>
#include <stdlib.h>

ndft_device *ndft_device_around(const ndft_backend *backend, ndft_exec *exec)
{
    ndft_opened *device = calloc(1, sizeof *device);
    if (!device) return NULL;
    *device = (ndft_opened){
        .device = exec->device, .users = 1, .backend = backend, .exec = exec, .lent = true};
    return &device->device;
}

/* The same problem, and its answers anew. */
static ndft_owned *borrow(ndft_device *device, ndft_kind_of_problem kind, const ndft_problem *p)
{
    ndft_owned *owned = ndft_new_problem(device, kind);
    if (!owned) return NULL;
    owned->borrowed = true;
    if (kind == NDFT_UNIFORM)
        owned->uniform = *(const ndft_uniform_problem *)p;
    else if (kind == NDFT_CONVOLUTION)
        owned->convolution = *ndft_convolution_of(p);
    else if (kind == NDFT_CHIRPZ)
        owned->chirpz = *ndft_chirpz_of(p);
    else
        owned->problem = *p;
    owned->problem.memo = kind == NDFT_NONUNIFORM ? ndft_memo_create() : NULL;
    return owned;
}

static ndft_status prepare(ndft_plan *plan, const ndft_candidate *candidate)
{
    ndft_engine *engine = &plan->engine[0];
    *engine = (ndft_engine){.ops = plan->ops, .why = "asked for", .candidate = *candidate};
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        engine->estimated_s[op] = engine->measured_s[op] = NAN;
    plan->engines = 1;
    return ndft_prepare(candidate->entry->variant, candidate->knobs, &plan->problem->problem,
                        plan->ops, plan->exec, &engine->prepared);
}

ndft_status ndft_plan_candidate(ndft_device *device, const ndft_candidate *candidate,
                                const ndft_problem *p, unsigned ops, ndft_plan **out)
{
    ndft_exec *exec = ((ndft_opened *)device)->exec;
    ndft_owned *problem = borrow(device, candidate->entry->kind, p);
    ndft_plan *plan = problem ? calloc(1, sizeof *plan) : NULL;
    *out = NULL;
    if (!plan) {
        if (problem) ndft_problem_destroy(&problem->problem);
        return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a plan");
    }
    *plan = (ndft_plan){.problem = problem, .ops = ops, .exec = exec};
    const ndft_before before = ndft_enter(problem->device, true);
    const ndft_status status = prepare(plan, candidate);
    ndft_leave(problem->device, before);
    if (status == NDFT_OK)
        *out = plan;
    else
        ndft_plan_destroy(plan);
    return status;
}

const ndft_prepared *ndft_plan_engine(const ndft_plan *plan) { return &plan->engine[0].prepared; }
