/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"
#include "promise.h"

#include <ndft/moments.h>

/* Where a part of a workspace begins, as memory of a device does. */
static size_t aligned(size_t bytes) { return (bytes + 255) & ~(size_t)255; }

static ndft_status check(const ndft_plan *plan, int weights)
{
    ndft_error *err = ndft_thread_error();
    if (!plan) return ndft_fail(err, NDFT_EINVAL, "plan is NULL");
    if (weights < 1 || weights > NDFT_MOST_WEIGHTS)
        return ndft_fail(err, NDFT_EINVAL, "weights=%d; 1 to %d", weights, NDFT_MOST_WEIGHTS);
    if (!ndft_takes_values(plan->problem))
        return ndft_fail(err, NDFT_EUNSUPPORTED, "the plan's problem has no samples and maps");
    return NDFT_OK;
}

ndft_status ndft_moments_workspace(const ndft_plan *plan, int weights, size_t *bytes)
{
    NDFT_TRY(check(plan, weights));
    if (!bytes) return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "bytes is NULL");
    const ndft_problem *p = &plan->problem->problem;
    *bytes = aligned((size_t)weights * ndft_input_bytes(p, NDFT_FORWARD)) +
             (size_t)weights * ndft_output_bytes(p, NDFT_FORWARD);
    return NDFT_OK;
}

/* What a call was given. */
typedef struct given {
    int weights;
    const void *w, *image, *samples;
    bool add;
    void *workspace, *sums;
} given;

static ndft_status refuse(const ndft_plan *plan, const given *g)
{
    const char *what = !g->w           ? "w"
                       : !g->image     ? "image"
                       : !g->samples   ? "samples"
                       : !g->workspace ? "workspace"
                       : !g->sums      ? "sums"
                                       : NULL;
    if (what) return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s is NULL", what);
    if ((uintptr_t)g->workspace % 16)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "workspace is %zu bytes past a multiple of 16", (size_t)g->workspace % 16);
    if (!(plan->ops & NDFT_FORWARD))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "the plan was made for ops=%u; moments need NDFT_FORWARD (1)", plan->ops);
    return ndft_check_lost(plan);
}

static ndft_status told(ndft_plan *plan, ndft_status status)
{
    return status == NDFT_OK ? status : ndft_tell(plan->exec->error);
}

static ndft_status queue(ndft_plan *plan, const given *g)
{
    const ndft_problem *p = &plan->problem->problem;
    const ndft_backend *backend = plan->problem->device->backend;
    const ndft_placement images = ndft_input_placement(p, NDFT_FORWARD);
    const ndft_placement rows = ndft_output_placement(p, NDFT_FORWARD);
    const size_t one_image = ndft_input_bytes(p, NDFT_FORWARD);
    const size_t one_row = ndft_output_bytes(p, NDFT_FORWARD);
    char *weighted = g->workspace, *found = weighted + aligned((size_t)g->weights * one_image);
    NDFT_TRY(told(plan, backend->weigh_moments(plan->exec, p->prec, &images, g->weights, g->w,
                                               g->image, weighted)));
    for (int l = 0; l < g->weights; l++)
        NDFT_TRY(ndft_execute_taken(plan, NDFT_FORWARD, weighted + (size_t)l * one_image,
                                    found + (size_t)l * one_row));
    return told(plan, backend->sum_moments(plan->exec, p->prec, &rows, g->weights, found,
                                           g->samples, g->add, g->sums));
}

ndft_status ndft_moments(ndft_plan *plan, void *stream, int weights, const void *w,
                         const void *image, const void *samples, bool add, void *workspace,
                         void *sums)
{
    const given g = {weights, w, image, samples, add, workspace, sums};
    NDFT_TRY(check(plan, weights));
    NDFT_TRY(refuse(plan, &g));
    void *own = NULL;
    NDFT_TRY(ndft_take_plan(plan, stream, &own));
    const ndft_before before = ndft_enter(plan->problem->device, false);
    const ndft_status status = queue(plan, &g);
    ndft_leave(plan->problem->device, before);
    ndft_yield_plan(plan, own);
    return status;
}
