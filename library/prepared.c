/* SPDX-License-Identifier: Apache-2.0 */
#include "prepared.h"

#include "base/threads.h"
#include "coils/coil_maps.h"
#include "device/backend.h"
#include "promise.h"
#include "registry.h"
#include "traits.h"

#include <stdlib.h>
#include <string.h>

/* The variant's own problem, which it keeps. */
static ndft_status take_problem(ndft_prepared *plan, unsigned ops, const ndft_problem **own)
{
    ndft_problem other;
    *own = ndft_problem_of_engine(plan->variant, plan->knobs, plan->problem, ops, &other);
    if (*own == plan->problem) return NDFT_OK;
    plan->own = malloc(sizeof *plan->own);
    if (!plan->own) return ndft_fail(plan->exec->error, NDFT_ENOMEM, "no memory for a problem");
    *plan->own = other;
    *own = plan->own;
    return NDFT_OK;
}

/* What a composed normal operator and coil maps need beside the variant's own part. */
static ndft_status take_memory(ndft_prepared *plan, unsigned ops, bool composed)
{
    const ndft_problem *p = plan->problem;
    if (composed)
        NDFT_TRY(plan->exec->alloc(plan->exec, "samples between forward and adjoint",
                                   ndft_vector_bytes(p, p->n_samples), &plan->samples));
    if (!ndft_has_maps_around(plan->variant, p)) return NDFT_OK;
    return ndft_coil_images_take(plan->exec, p, (ops & NDFT_NORMAL) && !composed, &plan->coils);
}

/* The variant's own, of what it is planned for, and its coil maps where it takes them. */
static ndft_status make_state(ndft_prepared *plan, const ndft_problem *own, unsigned ops)
{
    const ndft_variant *v = plan->variant;
    const ndft_status status = v->plan(own, plan->knobs, ops, plan->exec, &plan->state);
    if (status != NDFT_OK) plan->state = NULL; /* nothing to destroy, whatever was left there */
    if (status != NDFT_OK || !plan->problem->maps || !v->take_maps) return status;
    return v->take_maps(plan->state, plan->problem->maps);
}

static ndft_status try_to_prepare(ndft_prepared *plan, unsigned ops)
{
    const bool composed = (ops & NDFT_NORMAL) && ndft_composes(plan->variant, plan->knobs);
    const ndft_problem *own = NULL;
    ndft_status status = take_problem(plan, ops, &own);
    if (status == NDFT_OK) status = take_memory(plan, ops, composed);
    if (composed) ops = NDFT_FORWARD | NDFT_ADJOINT;
    if (status == NDFT_OK) status = make_state(plan, own, ops);
    if (status != NDFT_OK) ndft_prepared_destroy(plan);
    return status;
}

/* A knob may ask for more of the host's than the process has started. */
static ndft_status start_threads(const ndft_prepared *plan)
{
    const ndft_variant *v = plan->variant;
    ndft_error *err = plan->exec->error;
    for (int i = 0; i < v->n_knobs; i++)
        if (!strcmp(v->knobs[i].name, "threads") && !strcmp(v->backend, "cpu") &&
            plan->knobs[i] > plan->exec->threads &&
            ndft_threads_start(plan->knobs[i], "threads", err) != NDFT_OK)
            return err->status = NDFT_EUNSUPPORTED;
    return NDFT_OK;
}

/* Others may take memory at any moment, and what a share leaves may not hold the rest: then smaller
 * shares are tried, in smaller passes. */
static ndft_status prepare(ndft_prepared *plan, unsigned ops)
{
    enum { TRIES = 4 };
    ndft_exec *exec = plan->exec;
    const size_t before = exec->used_bytes;
    exec->room_bytes = plan->room_bytes;
    ndft_status status = try_to_prepare(plan, ops);
    for (int i = 1; i < TRIES && status == NDFT_ENOMEM; i++) {
        exec->room_bytes /= 4;
        status = try_to_prepare(plan, ops);
        if (status == NDFT_OK) *exec->error = (ndft_error){.status = NDFT_OK};
    }
    plan->bytes = exec->used_bytes - before;
    return status;
}

ndft_status ndft_prepare(const ndft_variant *variant, const int *knobs, const ndft_problem *problem,
                         unsigned ops, ndft_exec *exec, ndft_prepared *plan)
{
    *plan = (ndft_prepared){.variant = variant, .problem = problem, .exec = exec};
    if (variant->n_knobs) memcpy(plan->knobs, knobs, (size_t)variant->n_knobs * sizeof *knobs);
    const char *why = ndft_plan_unsupported(variant, plan->knobs, problem, ops, &exec->device);
    if (why) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", why);
    NDFT_TRY(start_threads(plan));
    const size_t free_bytes = exec->free_bytes(exec), all = exec->device.memory_bytes;
    plan->room_bytes = free_bytes < all ? free_bytes : all;
    return prepare(plan, ops);
}

ndft_status ndft_prepare_again(ndft_prepared *plan, const ndft_problem *problem, unsigned ops)
{
    plan->problem = problem;
    return prepare(plan, ops);
}

ndft_status ndft_check_promised(const ndft_variant *v, const int *knobs, const ndft_problem *p,
                                unsigned ops, const ndft_exec *exec)
{
    const char *why = ndft_plan_unsupported(v, knobs, p, ops, &exec->device);
    if (why) return ndft_fail(exec->error, NDFT_EUNSUPPORTED, "%s", why);
    return ndft_promise_tol(ndft_kind_served(v), v, knobs, p, ops, exec->error);
}

ndft_status ndft_prepare_promised(const ndft_variant *variant, const int *knobs,
                                  const ndft_problem *problem, unsigned ops, ndft_exec *exec,
                                  ndft_prepared *plan)
{
    *plan = (ndft_prepared){0};
    NDFT_TRY(ndft_check_promised(variant, knobs, problem, ops, exec));
    return ndft_prepare(variant, knobs, problem, ops, exec, plan);
}

static ndft_status execute(const ndft_prepared *plan, ndft_op op, const void *in, void *out)
{
    const ndft_variant *v = plan->variant;
    if (op != NDFT_NORMAL || !plan->samples) return v->execute(plan->state, op, in, out);
    NDFT_TRY(v->execute(plan->state, NDFT_FORWARD, in, plan->samples));
    return v->execute(plan->state, NDFT_ADJOINT, plan->samples, out);
}

/* The sum over coils is of the stage that makes images, of those who have one. */
static void mark_images(const ndft_prepared *plan)
{
    static const char stage[] = "deapodisation";
    const char *const *name = ndft_traits_of(plan->variant, plan->knobs).stages;
    for (; name && *name; name++)
        if (!strcmp(*name, stage)) ndft_mark(plan->exec, stage);
}

static ndft_status combine(const ndft_prepared *plan, const void *images, void *image)
{
    NDFT_TRY(ndft_coil_images_sum(&plan->coils, plan->exec, plan->problem, images, image));
    mark_images(plan);
    return NDFT_OK;
}

/* With coil maps around it. A normal operator of parts has read all of its input when it writes. */
static ndft_status execute_around(const ndft_prepared *plan, ndft_op op, const void *in, void *out)
{
    const ndft_coil_images *coils = &plan->coils;
    void *from = coils->images[0], *to = coils->images[coils->images[1] != NULL];
    if (op == NDFT_ADJOINT) {
        NDFT_TRY(execute(plan, op, in, to));
        return combine(plan, to, out);
    }
    NDFT_TRY(ndft_coil_images_make(coils, plan->exec, plan->problem, in, from));
    if (op == NDFT_FORWARD) return execute(plan, op, from, out);
    NDFT_TRY(execute(plan, op, from, to));
    return combine(plan, to, out);
}

ndft_status ndft_prepared_execute(const ndft_prepared *plan, ndft_op op, const void *in, void *out)
{
    if (plan->coils.images[0]) return execute_around(plan, op, in, out);
    NDFT_TRY(execute(plan, op, in, out));
    if (plan->scale == 0) return NDFT_OK;
    const ndft_backend *backend = ndft_backend_find(plan->exec->device.backend);
    return backend->scale(plan->exec, plan->problem->prec, &ndft_transform_of(plan->problem)->out,
                          out, plan->scale);
}

void ndft_prepared_chosen(const ndft_prepared *plan, char *text, size_t size)
{
    if (plan->variant->chosen)
        plan->variant->chosen(plan->state, text, size);
    else if (size)
        *text = 0;
}

void ndft_prepared_destroy(ndft_prepared *plan)
{
    if (plan->samples) plan->exec->release(plan->exec, plan->samples);
    if (plan->state) plan->variant->destroy(plan->state);
    ndft_coil_images_drop(&plan->coils, plan->exec);
    free(plan->own);
    plan->samples = plan->state = NULL;
    plan->own = NULL;
}
