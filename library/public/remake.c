/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"

#include <math.h>

/* The same engines prepared once more, of the memory that a plan holds: for new values, for all
 * that a capacity allows, with a workspace of the caller's. */

static ndft_pool *pool_of(const ndft_plan *plan)
{
    return plan->problem->device->backend->pool(plan->exec);
}

static void keep(const ndft_plan *plan, ndft_keeping keeping)
{
    ndft_pool_keep(pool_of(plan), plan->exec, keeping);
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

static void destroy_engines(ndft_plan *plan)
{
    for (int i = 0; i < plan->engines; i++) ndft_prepared_destroy(&plan->engine[i].prepared);
}

static ndft_status prepare_again(ndft_plan *plan, const ndft_owned *problem)
{
    destroy_engines(plan);
    ndft_pool_lend(pool_of(plan), plan->lent, plan->lent_bytes);
    for (int i = 0; i < plan->engines; i++) {
        ndft_engine *engine = &plan->engine[i];
        NDFT_TRY(ndft_prepare_again(&engine->prepared, &problem->problem, engine->ops));
    }
    return NDFT_OK;
}

ndft_status ndft_make_room(ndft_plan *plan)
{
    NDFT_TRY(check(plan, plan->capacity));
    destroy_engines(plan);
    keep(plan, NDFT_KEEP_ALL);
    plan->exec->more_to_come = true;
    ndft_status status = prepare_again(plan, plan->capacity);
    if (status == NDFT_OK) status = prepare_again(plan, plan->problem);
    plan->exec->more_to_come = false;
    NDFT_TRY(status);
    plan->workspace_bytes = ndft_pool_workspace(pool_of(plan));
    return NDFT_OK;
}

ndft_status ndft_await_prepared(const ndft_plan *plan)
{
    return plan->problem->device->backend->sync(plan->exec);
}

/* What was there fits again. */
static ndft_status prepare_or_stay(ndft_plan *plan, const ndft_owned *problem, void *lent,
                                   size_t lent_bytes)
{
    void *lent_before = plan->lent;
    const size_t bytes_before = plan->lent_bytes;
    plan->lent = lent;
    plan->lent_bytes = lent_bytes;
    const ndft_status status = prepare_again(plan, problem);
    plan->lost = false;
    if (status == NDFT_OK) return status;
    const ndft_error why = plan->error;
    plan->lent = lent_before;
    plan->lent_bytes = bytes_before;
    plan->lost = prepare_again(plan, plan->problem) != NDFT_OK;
    plan->error = why;
    return status;
}

static bool was_asked_for(const ndft_engine *engine)
{
    const unsigned first = engine->ops & -engine->ops;
    return isnan(engine->estimated_s[first]) && isnan(engine->measured_s[first]);
}

/* Estimates of the new values are for those who ask (ndft_plan_describe). */
static void say_renewed(ndft_plan *plan)
{
    for (int i = 0; i < plan->engines; i++) {
        ndft_engine *engine = &plan->engine[i];
        if (was_asked_for(engine)) continue;
        engine->why = "fastest for the values before";
        engine->renewed = true;
    }
}

/* More memory is taken where there is no capacity, or for a workspace that is the plan's again. A
 * plan that takes new values will take others: what they needed meanwhile is kept for those, too,
 * with a capacity or without. */
ndft_status ndft_remake(ndft_plan *plan, const ndft_owned *problem, void *lent, size_t lent_bytes)
{
    const bool takes_more = !plan->capacity || lent != plan->lent,
               renews = problem != plan->problem;
    NDFT_TRY(check(plan, problem));
    NDFT_TRY(ndft_await_prepared(plan)); /* executions, too */
    keep(plan, takes_more ? NDFT_KEEP_ALL : NDFT_KEEP_ROOM);
    ndft_status status = prepare_or_stay(plan, problem, lent, lent_bytes);
    const ndft_status waited = ndft_await_prepared(plan);
    if (status == NDFT_OK) status = waited;
    if (plan->lent) ndft_pool_drop_workspace(pool_of(plan), plan->exec);
    if (!plan->capacity && renews) ndft_pool_trim(pool_of(plan), plan->exec);
    keep(plan, plan->capacity || renews ? NDFT_KEEP_ALL : NDFT_KEEP_NONE);
    if (status == NDFT_OK && renews) say_renewed(plan);
    return status;
}

size_t ndft_workspace_of(const ndft_plan *plan)
{
    return plan->capacity ? plan->workspace_bytes : ndft_pool_workspace(pool_of(plan));
}
