/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"

/* New values in a live plan. */

static ndft_status update(ndft_plan *plan, const ndft_problem_desc *changes)
{
    ndft_owned *problem;
    if (!ndft_takes_values(plan->problem))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan is of a %s, which has neither samples nor maps",
                         plan->problem->convolves ? "convolution" : "uniform transform");
    NDFT_TRY(ndft_check_ended(plan));
    NDFT_TRY(ndft_changed_problem(plan->problem, changes, &problem));
    const ndft_before before = ndft_enter(plan->problem->device, true);
    const ndft_status status = ndft_remake(plan, problem, plan->lent, plan->lent_bytes);
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
