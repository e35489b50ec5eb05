/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/convolution.h"
#include "plan_objects.h"
#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Which engines a plan has: named by the caller, known by wisdom, measured, or by estimate. */

ndft_status ndft_prepare_engine(ndft_plan *plan, ndft_engine *engine,
                                const ndft_candidate *candidate)
{
    engine->candidate = *candidate;
    const ndft_status status =
        ndft_prepare_promised(candidate->entry->variant, candidate->knobs, &plan->problem->problem,
                              engine->ops, plan->exec, &engine->prepared);
    engine->prepared.scale = plan->problem->scale;
    return status;
}

static void say_measured(ndft_engine *engine, double seconds)
{
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if (engine->ops & op) engine->measured_s[op] = seconds;
}

void ndft_estimate_engine(ndft_engine *engine, const ndft_problem *p, const ndft_device *device)
{
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if (engine->ops & op)
            engine->estimated_s[op] = ndft_estimate_all(&engine->candidate, p, op, device);
    say_measured(engine, NAN);
}

static void take_estimated(ndft_plan *plan, ndft_engine *engine, const ndft_ranked *first)
{
    engine->candidate = first->candidate;
    engine->why = first->why;
    ndft_estimate_engine(engine, &plan->problem->problem, &plan->exec->device);
}

static ndft_status choose_by_estimate(ndft_plan *plan, ndft_engine *engine)
{
    ndft_ranked *ranked = NULL;
    const int n = ndft_rank_engines(plan, engine->ops, &ranked);
    if (n > 0) take_estimated(plan, engine, &ranked[0]);
    free(ranked);
    return n > 0 ? NDFT_OK : plan->error.status;
}

static bool may_be_measured(const ndft_owned *problem)
{
    if (problem->kind != NDFT_UNIFORM) return true;
    const ndft_transform *t = &problem->uniform.transform;
    return !t->load && !t->store;
}

static void take_measured(ndft_engine *engine, const ndft_ranked *fastest)
{
    engine->candidate = fastest->candidate;
    engine->why = fastest->why;
    say_measured(engine, fastest->seconds);
}

static ndft_status choose_by_measuring(ndft_plan *plan, ndft_engine *engine)
{
    ndft_wise wise;
    ndft_ranked fastest;
    const ndft_owned *problem = plan->problem;
    NDFT_TRY(ndft_measure_engines(plan, engine->ops, &fastest));
    take_measured(engine, &fastest);
    ndft_wisdom_shape(problem->kind, &problem->problem, engine->ops, &plan->exec->device,
                      plan->deterministic, wise.shape);
    wise.seconds = fastest.seconds;
    wise.when = (uint64_t)time(NULL);
    ndft_id_print(&fastest.candidate, wise.id, sizeof wise.id);
    snprintf(wise.build_id, sizeof wise.build_id, "%s", fastest.candidate.entry->build_id);
    return ndft_wisdom_add(&wise, &plan->error);
}

/* NDFT_EUNSUPPORTED where the plan cannot have it. */
static ndft_status check_engine(const ndft_plan *plan, const ndft_candidate *c, const char *id,
                                ndft_error *err)
{
    const ndft_registered *entry = c->entry;
    const char *backend = plan->exec->device.backend;
    if (strcmp(entry->backend, backend) != 0)
        return ndft_fail(err, NDFT_EINVAL, "%.120s runs on %s, and the device is %s", id,
                         entry->backend, backend);
    const char *why = !entry->variant                      ? "was not built"
                      : entry->ablates                     ? "is an ablation and never right"
                      : entry->kind != plan->problem->kind ? "does not serve problems of this kind"
                      : ndft_overwrites_input(c, &plan->problem->problem)
                          ? "overwrites its input; in place it may"
                      : plan->deterministic && !ndft_is_deterministic(c) ? "is not deterministic"
                                                                         : NULL;
    return why ? ndft_fail(err, NDFT_EUNSUPPORTED, "%.120s %s", id, why) : NDFT_OK;
}

static ndft_status choose(ndft_plan *plan, ndft_engine *engine)
{
    ndft_ranked known;
    const ndft_owned *problem = plan->problem;
    if (ndft_known(problem->kind, &problem->problem, engine->ops, &plan->exec->device,
                   plan->deterministic, &known)) {
        take_measured(engine, &known);
        return NDFT_OK;
    }
    if (plan->mode != NDFT_ESTIMATE && may_be_measured(problem)) {
        const ndft_status status = choose_by_measuring(plan, engine);
        if (status != NDFT_ENOMEM) return status; /* or no time */
    }
    return choose_by_estimate(plan, engine);
}

/* What was chosen may not fit after all: then the fastest by estimate that does. */
static ndft_status prepare_chosen(ndft_plan *plan, ndft_engine *engine)
{
    ndft_ranked taken;
    const ndft_owned *problem = plan->problem;
    const ndft_status status = ndft_prepare_engine(plan, engine, &engine->candidate);
    if (status != NDFT_EUNSUPPORTED && status != NDFT_ENOMEM) return status;
    NDFT_TRY(ndft_prepare_fastest(problem->kind, &problem->problem, engine->ops,
                                  plan->deterministic, plan->exec, &taken, &engine->prepared));
    engine->prepared.scale = problem->scale;
    take_estimated(plan, engine, &taken);
    return NDFT_OK;
}

/* Which chooses its transforms by itself. */
static ndft_status prepare_convolution(ndft_plan *plan, ndft_engine *engine)
{
    const ndft_candidate candidate =
        ndft_convolution_on(plan->exec->device.backend, plan->deterministic);
    engine->why = "the one that there is";
    return ndft_prepare_engine(plan, engine, &candidate);
}

static ndft_status prepare_named(ndft_plan *plan, ndft_engine *engine, const char *id)
{
    ndft_candidate candidate;
    if (strlen(id) >= NDFT_ID_MAX)
        return ndft_fail(&plan->error, NDFT_EINVAL,
                         "variant has %zu characters; an id has %d at most", strlen(id),
                         NDFT_ID_MAX - 1);
    NDFT_TRY(ndft_id_parse(id, &candidate, &plan->error));
    NDFT_TRY(check_engine(plan, &candidate, id, &plan->error));
    engine->why = "asked for";
    const ndft_status status = ndft_prepare_engine(plan, engine, &candidate);
    if (status != NDFT_EUNSUPPORTED) return status;
    const ndft_error why = plan->error; /* of a knob it has no value */
    return ndft_fail(&plan->error, status, "%.120s: %s", id, why.message);
}

/* No engine yet; its number is its first operation's. */
static ndft_engine *begin_engine(ndft_plan *plan, int number, unsigned ops)
{
    ndft_engine *engine = &plan->engine[number];
    engine->ops = ops;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        engine->estimated_s[op] = engine->measured_s[op] = NAN;
    return engine;
}

/* One engine for all. */
static ndft_status add_one(ndft_plan *plan, unsigned ops, const char *variant)
{
    ndft_engine *engine = begin_engine(plan, 0, ops);
    if (plan->problem->kind == NDFT_CONVOLUTION) {
        NDFT_TRY(prepare_convolution(plan, engine));
    } else if (variant) {
        NDFT_TRY(prepare_named(plan, engine, variant));
    } else {
        NDFT_TRY(choose(plan, engine));
        NDFT_TRY(prepare_chosen(plan, engine));
    }
    plan->engines = 1;
    return NDFT_OK;
}

static bool are_one(const ndft_engine *a, const ndft_engine *b)
{
    return a->candidate.entry == b->candidate.entry && a->why == b->why &&
           !memcmp(a->candidate.knobs, b->candidate.knobs, sizeof a->candidate.knobs);
}

/* What both of them hold is made once. */
static void join(ndft_engine *to, const ndft_engine *from)
{
    to->ops |= from->ops;
    to->estimated_s[from->ops] = from->estimated_s[from->ops];
    to->measured_s[from->ops] = from->measured_s[from->ops];
}

/* An engine for each operation. */
static ndft_status add_each(ndft_plan *plan, unsigned ops)
{
    int n = 0;
    for (unsigned op = NDFT_FORWARD; op <= NDFT_ADJOINT; op <<= 1)
        if (ops & op) NDFT_TRY(choose(plan, begin_engine(plan, n++, op)));
    if (n == 2 && are_one(&plan->engine[0], &plan->engine[1]))
        join(&plan->engine[0], &plan->engine[--n]);
    for (; plan->engines < n; plan->engines++)
        NDFT_TRY(prepare_chosen(plan, &plan->engine[plan->engines]));
    return NDFT_OK;
}

/* One engine for all where that is asked for, or where something iterates: the normal operator
 * needs a matched pair. */
ndft_status ndft_add_engines(ndft_plan *plan, unsigned ops, const ndft_plan_options *o)
{
    if (o->one_engine || o->variant || plan->problem->kind == NDFT_CONVOLUTION ||
        (ops & NDFT_NORMAL))
        return add_one(plan, ops, o->variant);
    return add_each(plan, ops);
}
