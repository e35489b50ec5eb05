/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_objects.h"
#include "wisdom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static ndft_status prepare_fastest(ndft_plan *plan, ndft_engine *engine)
{
    ndft_ranked taken;
    const ndft_owned *problem = plan->problem;
    NDFT_TRY(ndft_prepare_fastest(problem->kind, &problem->problem, engine->ops,
                                  plan->deterministic, plan->exec, &taken, &engine->prepared));
    engine->candidate = taken.candidate;
    engine->estimated_s = taken.seconds;
    engine->why = "fastest by estimate";
    engine->prepared.scale = problem->scale;
    return NDFT_OK;
}

static bool may_be_measured(const ndft_owned *problem)
{
    if (problem->kind != NDFT_UNIFORM) return true;
    const ndft_transform *t = &problem->uniform.transform;
    return !t->load && !t->store;
}

static ndft_status prepare_measured(ndft_plan *plan, ndft_engine *engine, ndft_wise *wise)
{
    ndft_ranked fastest;
    NDFT_TRY(ndft_measure_engines(plan, engine->ops, &fastest));
    engine->why = "fastest as measured";
    engine->measured_s = wise->seconds = fastest.seconds;
    ndft_id_print(&fastest.candidate, wise->id, sizeof wise->id);
    snprintf(wise->build_id, sizeof wise->build_id, "%s", fastest.candidate.entry->build_id);
    NDFT_TRY(ndft_wisdom_add(wise, &plan->error));
    return ndft_prepare_engine(plan, engine, &fastest.candidate);
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

/* By an entry that was measured of the same sources. */
static ndft_status prepare_wise(ndft_plan *plan, ndft_engine *engine, const ndft_wise *wise)
{
    ndft_candidate candidate;
    ndft_error *err = &plan->error;
    NDFT_TRY(ndft_id_parse(wise->id, &candidate, err));
    if (strcmp(candidate.entry->build_id, wise->build_id) != 0)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "%s has changed since", wise->id);
    NDFT_TRY(check_engine(plan, &candidate, wise->id, err));
    engine->why = "fastest as measured before";
    engine->measured_s = wise->seconds;
    return ndft_prepare_engine(plan, engine, &candidate);
}

/* What wisdom has may not fit by now. */
static ndft_status prepare_chosen(ndft_plan *plan, ndft_engine *engine)
{
    ndft_wise wise;
    const ndft_owned *problem = plan->problem;
    ndft_wisdom_shape(problem->kind, &problem->problem, engine->ops, &plan->exec->device,
                      plan->deterministic, wise.shape);
    if (ndft_wisdom_find(wise.shape, &wise)) {
        const ndft_status status = prepare_wise(plan, engine, &wise);
        if (status == NDFT_OK || status == NDFT_EDEVICE) return status;
        engine->measured_s = NAN;
    }
    return plan->mode != NDFT_ESTIMATE && may_be_measured(problem)
               ? prepare_measured(plan, engine, &wise)
               : prepare_fastest(plan, engine);
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
    return ndft_prepare_engine(plan, engine, &candidate);
}

static ndft_status add_engine(ndft_plan *plan, unsigned ops, const char *variant)
{
    ndft_engine *engine = &plan->engine[plan->engines];
    engine->ops = ops;
    engine->estimated_s = engine->measured_s = NAN;
    NDFT_TRY(plan->problem->convolves ? prepare_convolution(plan, engine)
             : variant                ? prepare_named(plan, engine, variant)
                                      : prepare_chosen(plan, engine));
    plan->engines++;
    return NDFT_OK;
}

/* One engine for all where that is asked for, or where something iterates: the normal operator
 * needs a matched pair. */
ndft_status ndft_add_engines(ndft_plan *plan, unsigned ops, const ndft_plan_options *o)
{
    if (o->one_engine || o->variant || plan->problem->convolves || (ops & NDFT_NORMAL))
        return add_engine(plan, ops, o->variant);
    for (unsigned op = NDFT_FORWARD; op <= NDFT_ADJOINT; op <<= 1)
        if (ops & op) NDFT_TRY(add_engine(plan, op, NULL));
    return NDFT_OK;
}
