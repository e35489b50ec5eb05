/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"

#include <math.h>

/* New values in a live plan: its engines are prepared once more, of the memory that they held. */

static void keep(const ndft_plan *plan, ndft_keeping keeping)
{
    plan->problem->device->backend->keep(plan->exec, keeping);
}

static ndft_status check(const ndft_plan *plan, const ndft_owned *problem)
{
    for (int i = 0; i < plan->engines; i++) {
        const ndft_engine *engine = &plan->engine[i];
        const ndft_candidate *c = &engine->candidate;
        NDFT_TRY(ndft_check_promised(c->entry->variant, c->knobs, &problem->problem, engine->ops,
                                     plan->exec));
    }
    return NDFT_OK;
}

static ndft_status prepare_again(ndft_plan *plan, const ndft_owned *problem)
{
    for (int i = 0; i < plan->engines; i++) ndft_prepared_destroy(&plan->engine[i].prepared);
    for (int i = 0; i < plan->engines; i++)
        NDFT_TRY(
            ndft_prepare_again(&plan->engine[i].prepared, &problem->problem, plan->engine[i].ops));
    return NDFT_OK;
}

ndft_status ndft_make_room(ndft_plan *plan)
{
    NDFT_TRY(check(plan, plan->capacity));
    for (int i = 0; i < plan->engines; i++) ndft_prepared_destroy(&plan->engine[i].prepared);
    keep(plan, NDFT_KEEP_ALL);
    NDFT_TRY(prepare_again(plan, plan->capacity));
    return prepare_again(plan, plan->problem);
}

/* What was there fits again. */
static ndft_status prepare_or_stay(ndft_plan *plan, const ndft_owned *problem)
{
    const ndft_status status = prepare_again(plan, problem);
    plan->lost = false;
    if (status == NDFT_OK) return status;
    const ndft_error why = plan->error;
    plan->lost = prepare_again(plan, plan->problem) != NDFT_OK;
    plan->error = why;
    return status;
}

static void estimate(ndft_plan *plan, const ndft_owned *problem)
{
    for (int i = 0; i < plan->engines; i++) {
        ndft_engine *engine = &plan->engine[i];
        if (isnan(engine->estimated_s)) continue;
        engine->why = "fastest by estimate of the values before";
        engine->estimated_s = ndft_estimate_all(&engine->candidate, &problem->problem, engine->ops,
                                                &plan->exec->device);
    }
}

static ndft_status exchange(ndft_plan *plan, const ndft_owned *problem)
{
    NDFT_TRY(check(plan, problem));
    NDFT_TRY(plan->problem->device->backend->sync(plan->exec));
    keep(plan, plan->capacity ? NDFT_KEEP_ROOM : NDFT_KEEP_ALL);
    const ndft_status status = prepare_or_stay(plan, problem);
    keep(plan, plan->capacity ? NDFT_KEEP_ALL : NDFT_KEEP_NONE);
    if (status == NDFT_OK) estimate(plan, problem);
    return status;
}

static ndft_status update(ndft_plan *plan, const ndft_problem_desc *changes)
{
    ndft_owned *problem;
    if (!ndft_takes_values(plan->problem))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan is of a %s, which has neither samples nor maps",
                         plan->problem->convolves ? "convolution" : "uniform transform");
    NDFT_TRY(ndft_check_ended(plan));
    NDFT_TRY(ndft_changed_problem(plan->problem, changes, &problem));
    const int before = ndft_enter(plan->problem->device);
    const ndft_status status = exchange(plan, problem);
    ndft_leave(plan->problem->device, before);
    ndft_owned *goes = status == NDFT_OK ? plan->problem : problem;
    if (status == NDFT_OK) plan->problem = problem;
    ndft_problem_destroy(&goes->problem);
    return status == NDFT_OK ? status : ndft_tell(&plan->error);
}

static ndft_status given(const ndft_plan *plan, const void *values, const char *name)
{
    if (plan && values) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s is NULL", plan ? name : "plan");
}

ndft_status ndft_plan_set_samples(ndft_plan *plan, int64_t n_samples, const void *const k[],
                                  const void *t)
{
    ndft_problem_desc changes = {.n_samples = n_samples, .t = t};
    NDFT_TRY(given(plan, k, "k"));
    if (n_samples < 1)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "n_samples=%lld; at least 1",
                         (long long)n_samples);
    for (int axis = 0; axis < plan->problem->problem.dim; axis++) changes.k[axis] = k[axis];
    return update(plan, &changes);
}

ndft_status ndft_plan_set_field(ndft_plan *plan, const void *field)
{
    NDFT_TRY(given(plan, field, "field"));
    return update(plan, &(ndft_problem_desc){.field = field});
}

ndft_status ndft_plan_set_mask(ndft_plan *plan, const unsigned char *mask)
{
    NDFT_TRY(given(plan, mask, "mask"));
    return update(plan, &(ndft_problem_desc){.mask = mask});
}
