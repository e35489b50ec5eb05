/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"
#include "points.h"

#include <stdint.h>

/* New values in a live plan, and another workspace. */

/* Engines that are prepared find on the device what the caller has there. */
static void give(ndft_plan *plan, const ndft_owned *problem)
{
    const ndft_backend *backend = plan->problem->device->backend;
    if (backend->give)
        backend->give(plan->exec, problem ? problem->problem.k : NULL,
                      problem ? problem->given : NULL);
}

static ndft_status renew(ndft_plan *plan, const ndft_problem_desc *changes)
{
    ndft_owned *problem;
    NDFT_TRY(ndft_check_ended(plan));
    NDFT_TRY(ndft_changed_problem(plan->problem, changes, &problem));
    const ndft_before before = ndft_enter(plan->problem->device, true);
    give(plan, problem);
    const ndft_status status = ndft_remake(plan, problem, plan->lent, plan->lent_bytes);
    give(plan, NULL);
    ndft_leave(plan->problem->device, before);
    ndft_owned *goes = status == NDFT_OK ? plan->problem : problem;
    if (status == NDFT_OK) plan->problem = problem;
    ndft_problem_destroy(&goes->problem);
    return status == NDFT_OK ? status : ndft_tell(&plan->error);
}

static ndft_status update(ndft_plan *plan, const ndft_problem_desc *changes)
{
    NDFT_POINTS;
    void *own = NULL;
    if (!ndft_takes_values(plan->problem))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan is of a %s, which has neither samples nor maps",
                         plan->problem->kind == NDFT_CONVOLUTION ? "convolution"
                         : plan->problem->kind == NDFT_CHIRPZ    ? "chirp z-transform"
                                                                 : "uniform transform");
    NDFT_TRY(ndft_take_plan(plan, NULL, &own));
    const ndft_status status = renew(plan, changes);
    ndft_yield_plan(plan, own);
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

ndft_status ndft_plan_set_maps(ndft_plan *plan, const void *maps)
{
    NDFT_TRY(given(plan, maps, "maps"));
    if (ndft_takes_values(plan->problem) && !plan->problem->problem.maps)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan was made without maps, and each coil has an image of its own");
    return update(plan, &(ndft_problem_desc){.maps = maps});
}

ndft_status ndft_plan_workspace(const ndft_plan *plan, size_t *bytes)
{
    NDFT_TRY(given(plan, bytes, "bytes"));
    *bytes = ndft_workspace_of(plan);
    return NDFT_OK;
}

static ndft_status check_workspace(const ndft_plan *plan, const void *memory, size_t bytes)
{
    enum { ALIGNMENT = 256 };
    ndft_error *err = ndft_thread_error();
    const size_t past = (size_t)((uintptr_t)memory % ALIGNMENT), least = ndft_workspace_of(plan);
    if (past)
        return ndft_fail(err, NDFT_EINVAL, "memory is %zu bytes past a multiple of %d", past,
                         ALIGNMENT);
    if (memory && bytes < least)
        return ndft_fail(err, NDFT_EINVAL, "bytes=%zu; the plan's workspace takes %zu", bytes,
                         least);
    return NDFT_OK;
}

/* Its own again, with room for the capacity; where there is none it stays the caller's. */
static ndft_status take_back(ndft_plan *plan)
{
    void *lent = plan->lent;
    const size_t bytes = plan->lent_bytes;
    NDFT_TRY(ndft_remake(plan, plan->problem, NULL, 0));
    ndft_status status = plan->capacity ? ndft_make_room(plan) : NDFT_OK;
    if (status == NDFT_OK) status = ndft_await_prepared(plan);
    if (status == NDFT_OK) return status;
    const ndft_error why = plan->error;
    plan->lost = ndft_remake(plan, plan->problem, lent, bytes) != NDFT_OK;
    plan->error = why;
    return status;
}

static ndft_status use(ndft_plan *plan, void *memory, size_t bytes)
{
    NDFT_TRY(ndft_check_ended(plan));
    NDFT_TRY(check_workspace(plan, memory, bytes));
    const ndft_before before = ndft_enter(plan->problem->device, true);
    const ndft_status status =
        memory ? ndft_remake(plan, plan->problem, memory, bytes) : take_back(plan);
    ndft_leave(plan->problem->device, before);
    return status == NDFT_OK ? status : ndft_tell(&plan->error);
}

ndft_status ndft_plan_use(ndft_plan *plan, void *memory, size_t bytes)
{
    void *own = NULL;
    if (!plan) return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "plan is NULL");
    NDFT_TRY(ndft_take_plan(plan, NULL, &own));
    const ndft_status status = use(plan, memory, bytes);
    ndft_yield_plan(plan, own);
    return status;
}
