/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"

/* New values in a live plan: the same engines are prepared once more, beside those that are there,
 * which stay where that fails. */

static ndft_status prepare_anew(const ndft_plan *plan, const ndft_owned *problem,
                                ndft_engine engine[NDFT_MOST_ENGINES])
{
    for (int i = 0; i < plan->engines; i++) {
        engine[i] = plan->engine[i];
        engine[i].prepared = (ndft_prepared){0};
        engine[i].kept = true;
        engine[i].estimated_s = ndft_estimate_all(&engine[i].candidate, &problem->problem,
                                                  engine[i].ops, &plan->exec->device);
        NDFT_TRY(ndft_prepare_engine(&engine[i], problem, plan->exec));
    }
    return NDFT_OK;
}

static void destroy(ndft_engine *engine, int engines)
{
    for (int i = 0; i < engines; i++)
        if (engine[i].prepared.variant) ndft_prepared_destroy(&engine[i].prepared);
}

static ndft_status exchange(ndft_plan *plan, ndft_owned *problem)
{
    ndft_engine made[NDFT_MOST_ENGINES] = {0};
    const ndft_status status = prepare_anew(plan, problem, made);
    if (status != NDFT_OK) {
        destroy(made, plan->engines);
        return ndft_tell(&plan->error);
    }
    destroy(plan->engine, plan->engines);
    for (int i = 0; i < plan->engines; i++) plan->engine[i] = made[i];
    return NDFT_OK;
}

static ndft_status update(ndft_plan *plan, const ndft_problem_desc *changes)
{
    ndft_owned *problem;
    if (plan->problem->kind == NDFT_UNIFORM)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan is of a uniform transform, which has neither samples nor maps");
    NDFT_TRY(ndft_check_ended(plan));
    NDFT_TRY(ndft_changed_problem(plan->problem, changes, &problem));
    const int before = ndft_enter(plan->problem->device);
    const ndft_status status = exchange(plan, problem);
    ndft_leave(plan->problem->device, before);
    ndft_owned *goes = status == NDFT_OK ? plan->problem : problem;
    if (status == NDFT_OK) plan->problem = problem;
    ndft_problem_destroy(&goes->problem);
    return status;
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
