/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"

#include "points.h"
#include "promise.h"

#include <stdlib.h>
#include <string.h>

/* So long another thread's plan may wait for one whose library tries out algorithms. */
static const double most_patience_s = 0.5;

static const unsigned all_ops = NDFT_FORWARD | NDFT_ADJOINT | NDFT_NORMAL;

ndft_status ndft_check_ended(const ndft_plan *plan)
{
    if (!plan->begun) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                     "an execution of the plan has begun, and ndft_execute_host_end comes first");
}

static void keep(ndft_owned *problem, ndft_owned **as)
{
    if (problem) ndft_keep_problem(problem);
    *as = problem;
}

/* A plan with a context of its own and no engines. */
static ndft_status blank(ndft_owned *problem, ndft_owned *capacity, unsigned ops,
                         size_t memory_limit, ndft_plan **out)
{
    ndft_opened *device = problem->device;
    ndft_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return ndft_fail(ndft_thread_error(), NDFT_ENOMEM, "no memory for a plan");
    const ndft_status status =
        device->backend->fork(device->exec, &plan->exec, ndft_thread_error());
    if (status != NDFT_OK) {
        free(plan);
        return status;
    }
    keep(problem, &plan->problem);
    keep(capacity, &plan->capacity);
    plan->ops = ops;
    plan->account = (ndft_account){.limit = memory_limit, .parent = &device->account};
    plan->exec->account = &plan->account;
    plan->exec->error = &plan->error;
    plan->exec->patience_s = most_patience_s;
    if (memory_limit && memory_limit < plan->exec->device.memory_bytes)
        plan->exec->device.memory_bytes = memory_limit;
    *out = plan;
    return NDFT_OK;
}

static ndft_status done(ndft_plan *made, ndft_status status, ndft_plan **plan)
{
    if (status == NDFT_OK) {
        *plan = made;
        return status;
    }
    ndft_tell(&made->error);
    ndft_plan_destroy(made);
    return status;
}

/* Values alone may differ. */
static ndft_status check_capacity(const ndft_owned *problem, const ndft_owned *capacity)
{
    if (!capacity) return NDFT_OK;
    const ndft_problem *p = &problem->problem, *c = &capacity->problem;
    const char *what = problem->device != capacity->device ? "device"
                       : !ndft_takes_values(problem) || !ndft_takes_values(capacity)
                           ? "kind than those that take new values"
                       : p->dim != c->dim || memcmp(p->n, c->n, sizeof p->n) ? "grid"
                       : p->prec != c->prec                                  ? "precision"
                       : p->layout != c->layout                              ? "layout"
                       : p->coils != c->coils                                ? "number of coils"
                       : !p->maps != !c->maps ? "number of images: coil maps are of one alone"
                                              : NULL;
    return what ? ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                            "the capacity's problem is of another %s", what)
                : NDFT_OK;
}

ndft_status ndft_plan_create(ndft_problem *problem, unsigned ops, const ndft_plan_options *options,
                             ndft_plan **plan)
{
    NDFT_POINTS;
    ndft_plan_options o;
    ndft_plan *made;
    ndft_owned *owned = (ndft_owned *)problem;
    if (!problem || !plan)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a plan needs a problem and a place");
    *plan = NULL;
    NDFT_TRY(ndft_take_options("plan options", options, &o, sizeof o));
    if (!ops || (ops & ~all_ops))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "ops=%u; NDFT_FORWARD (1), NDFT_ADJOINT (2), NDFT_NORMAL (4), or'd", ops);
    if (owned->kind == NDFT_UNIFORM && ops != NDFT_FORWARD)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "ops=%u: a uniform transform has the one operation NDFT_FORWARD (1)", ops);
    if (owned->kind == NDFT_CONVOLUTION && o.variant)
        return ndft_fail(ndft_thread_error(), NDFT_EUNSUPPORTED,
                         "variant=%.120s: a convolution chooses its transforms by itself; NULL",
                         o.variant);
    if (o.mode > NDFT_EXHAUSTIVE)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "mode=%d; NDFT_ESTIMATE, NDFT_MEASURE or NDFT_EXHAUSTIVE", (int)o.mode);
    if (!(o.time_limit_s >= 0))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "time_limit_s=%g; at least 0",
                         o.time_limit_s);
    NDFT_TRY(check_capacity(owned, (const ndft_owned *)o.capacity));
    NDFT_TRY(blank(owned, (ndft_owned *)o.capacity, ops, o.memory_limit, &made));
    made->deterministic = o.deterministic;
    made->mode = o.mode;
    made->time_limit_s = o.time_limit_s;
    const ndft_before before = ndft_enter(owned->device, true);
    ndft_status status = ndft_add_engines(made, ops, &o);
    if (status == NDFT_OK && made->capacity) status = ndft_make_room(made);
    if (status == NDFT_OK) status = ndft_await_prepared(made);
    ndft_leave(owned->device, before);
    return done(made, status, plan);
}

static ndft_status copy_engines(ndft_plan *to, const ndft_plan *from)
{
    for (; to->engines < from->engines; to->engines++) {
        const ndft_engine *engine = &from->engine[to->engines];
        ndft_engine *copy = &to->engine[to->engines];
        *copy = *engine;
        copy->prepared = (ndft_prepared){0};
        NDFT_TRY(ndft_prepare_engine(to, copy, &engine->candidate));
    }
    return to->capacity ? ndft_make_room(to) : NDFT_OK;
}

ndft_status ndft_plan_clone(const ndft_plan *plan, ndft_plan **clone)
{
    ndft_plan *made;
    if (!plan || !clone)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a clone needs a plan and a place");
    *clone = NULL;
    NDFT_TRY(blank(plan->problem, plan->capacity, plan->ops, plan->account.limit, &made));
    made->deterministic = plan->deterministic;
    const ndft_before before = ndft_enter(plan->problem->device, true);
    ndft_status status = copy_engines(made, plan);
    if (status == NDFT_OK) status = ndft_await_prepared(made);
    ndft_leave(plan->problem->device, before);
    return done(made, status, clone);
}

ndft_status ndft_check_lost(const ndft_plan *plan)
{
    if (!plan->lost) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EDEVICE,
                     "the plan could take neither new values nor its own again; another can");
}

static ndft_status check_plan(const ndft_plan *plan)
{
    return plan ? NDFT_OK : ndft_fail(ndft_thread_error(), NDFT_EINVAL, "plan is NULL");
}

static ndft_status check_memory(const ndft_owned *owned, ndft_op op, const void *in,
                                const void *out)
{
    const ndft_problem *p = &owned->problem;
    const uintptr_t from = (uintptr_t)in, to = (uintptr_t)out;
    const char *wrong = NULL;
    if (ndft_in_place(owned->kind, p)) {
        if (from != to) wrong = "the transform is in place, and in and out are not the same";
    } else if (from == to) {
        wrong = "in and out are the same memory";
    } else if (from < to + ndft_output_bytes(p, op) && to < from + ndft_input_bytes(p, op)) {
        wrong = "in and out overlap";
    }
    return wrong ? ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s", wrong) : NDFT_OK;
}

static ndft_status find_engine(const ndft_plan *plan, ndft_op op, const void *in, const void *out,
                               const ndft_engine **engine)
{
    ndft_error *err = ndft_thread_error();
    if (!in || !out) return ndft_fail(err, NDFT_EINVAL, "%s is NULL", in ? "out" : "in");
    NDFT_TRY(ndft_check_lost(plan));
    for (int i = 0; i < plan->engines; i++) {
        *engine = &plan->engine[i];
        if (op && !(op & (op - 1)) && ((unsigned)op & (*engine)->ops))
            return check_memory(plan->problem, op, in, out);
    }
    return ndft_fail(err, NDFT_EINVAL,
                     "op=%d: the plan was made for ops=%u (1 forward, 2 adjoint, 4 normal)",
                     (int)op, plan->ops);
}

ndft_status ndft_take_plan(ndft_plan *plan, void *stream, void **own)
{
    const ndft_backend *backend = plan->problem->device->backend;
    if (stream && !backend->use_stream)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s has no streams; stream is NULL",
                         backend->name);
    if (__atomic_exchange_n(&plan->running, true, __ATOMIC_ACQUIRE))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL,
                         "another call executes the plan; ndft_plan_clone makes one for each");
    *own = plan->exec->stream;
    if (stream) plan->exec->stream = stream;
    return NDFT_OK;
}

void ndft_yield_plan(ndft_plan *plan, void *own)
{
    plan->exec->stream = own;
    __atomic_store_n(&plan->running, false, __ATOMIC_RELEASE);
}

typedef ndft_status execution(ndft_plan *, const ndft_engine *, ndft_op, const void *in, void *out);

static ndft_status execute(ndft_plan *plan, const ndft_engine *engine, ndft_op op, const void *in,
                           void *out)
{
    (void)plan;
    return ndft_prepared_execute(&engine->prepared, op, in, out);
}

static ndft_status run(ndft_plan *plan, execution *how, ndft_op op, const void *in, void *out)
{
    const ndft_engine *engine = NULL;
    NDFT_TRY(find_engine(plan, op, in, out, &engine));
    const ndft_before before = ndft_enter(plan->problem->device, how != execute);
    const ndft_status status = how(plan, engine, op, in, out);
    ndft_leave(plan->problem->device, before);
    return status == NDFT_OK ? status : ndft_tell(plan->exec->error);
}

ndft_status ndft_execute_taken(ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    return run(plan, execute, op, in, out);
}

ndft_status ndft_execute(ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    return ndft_execute_on(plan, NULL, op, in, out);
}

ndft_status ndft_execute_on(ndft_plan *plan, void *stream, ndft_op op, const void *in, void *out)
{
    void *own = NULL;
    NDFT_TRY(check_plan(plan));
    NDFT_TRY(ndft_take_plan(plan, stream, &own));
    const ndft_status status = ndft_execute_taken(plan, op, in, out);
    ndft_yield_plan(plan, own);
    return status;
}

/* The processor's memory is the host's. */
static ndft_status begin(ndft_plan *plan, const ndft_engine *engine, ndft_op op, const void *in,
                         void *out)
{
    return plan->problem->device->backend->pin
               ? ndft_staging_begin(&plan->staging, &engine->prepared, op, in, out, true)
               : ndft_prepared_execute(&engine->prepared, op, in, out);
}

ndft_status ndft_execute_host_begin(ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    void *own = NULL;
    NDFT_TRY(check_plan(plan));
    NDFT_TRY(ndft_take_plan(plan, NULL, &own));
    ndft_status status = ndft_check_ended(plan);
    if (status == NDFT_OK) status = run(plan, begin, op, in, out);
    if (status == NDFT_OK) plan->begun = true;
    ndft_yield_plan(plan, own);
    return status;
}

ndft_status ndft_execute_host_end(ndft_plan *plan)
{
    NDFT_TRY(check_plan(plan));
    if (!plan->begun)
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "no execution of the plan has begun");
    plan->begun = false;
    if (!plan->staging.to) return NDFT_OK;
    const ndft_before before = ndft_enter(plan->problem->device, true);
    const ndft_status status = ndft_staging_end(&plan->staging);
    ndft_leave(plan->problem->device, before);
    return status == NDFT_OK ? status : ndft_tell(plan->exec->error);
}

ndft_status ndft_execute_host(ndft_plan *plan, ndft_op op, const void *in, void *out)
{
    NDFT_TRY(ndft_execute_host_begin(plan, op, in, out));
    return ndft_execute_host_end(plan);
}

void ndft_plan_destroy(ndft_plan *plan)
{
    if (!plan) return;
    const ndft_opened *device = plan->problem->device;
    const ndft_before before = ndft_enter(device, true);
    ndft_staging_free(&plan->staging);
    for (int i = 0; i < plan->engines; i++) ndft_prepared_destroy(&plan->engine[i].prepared);
    if (plan->exec != device->exec) device->backend->close(plan->exec);
    ndft_leave(device, before);
    if (plan->capacity) ndft_problem_destroy(&plan->capacity->problem);
    ndft_problem_destroy(&plan->problem->problem);
    free(plan);
}
