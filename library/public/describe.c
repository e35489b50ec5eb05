/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "base/text.h"
#include "coils/coil_maps.h"
#include "composed/chirpz_bluestein.h"
#include "composed/convolution.h"
#include "plan_objects.h"
#include "promise.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_number(ndft_text *l, const char *name, double value)
{
    ndft_text_add(l, ",\"%s\":", name);
    ndft_text_add_number(l, value);
}

static double launches_of(const ndft_plan *plan, const ndft_engine *engine, ndft_op op)
{
    const ndft_candidate *c = &engine->candidate;
    if (plan->problem->kind == NDFT_CONVOLUTION)
        return ndft_convolution_launches(&engine->prepared, op);
    const double composed =
        plan->problem->kind == NDFT_CHIRPZ ? ndft_chirpz_launches(&engine->prepared, op) : NAN;
    if (!isnan(composed)) return composed;
    return ndft_executed_cost(c->entry->variant, &plan->problem->problem, op, c->knobs).launches +
           (plan->problem->scale != 0);
}

/* Beside a normal operator of parts these have its parts' tolerance, and its claims. */
static ndft_promise promise_of(const ndft_plan *plan, const ndft_engine *engine, ndft_op op)
{
    const ndft_candidate *c = &engine->candidate;
    const ndft_variant *v = c->entry->variant;
    const unsigned ops = op == NDFT_NORMAL ? 0 : engine->ops;
    ndft_problem half;
    return ndft_promise_of(c->entry->kind, v, c->knobs,
                           ndft_problem_of_parts(v, c->knobs, &plan->problem->problem, ops, &half),
                           op);
}

/* Of the values that the plan has now. */
static void add_seconds(ndft_text *l, const ndft_plan *plan, const ndft_engine *engine, ndft_op op)
{
    ndft_engine now = *engine;
    if (now.renewed) ndft_estimate_engine(&now, &plan->problem->problem, &plan->exec->device);
    add_number(l, "estimated_s", now.estimated_s[op]);
    add_number(l, "measured_s", now.measured_s[op]);
}

static void add_operation(ndft_text *l, const ndft_plan *plan, const ndft_engine *engine,
                          ndft_op op)
{
    static const char *const names[] = {
        [NDFT_FORWARD] = "forward", [NDFT_ADJOINT] = "adjoint", [NDFT_NORMAL] = "normal"};
    const ndft_candidate *c = &engine->candidate;
    const ndft_variant *v = c->entry->variant;
    const ndft_problem *p = &plan->problem->problem;
    const ndft_promise promise = promise_of(plan, engine, op);
    const double scaling = plan->problem->scale != 0 ? ndft_roundoff(p->prec) : 0;
    char id[NDFT_ID_MAX], chosen[2 * NDFT_ID_MAX];
    ndft_id_print(c, id, sizeof id);
    ndft_text_add(l, "{\"op\":\"%s\",\"variant\":\"%s\",\"why\":\"%s\"", names[op], id,
                  engine->why);
    add_seconds(l, plan, engine, op);
    ndft_prepared_chosen(&engine->prepared, chosen, sizeof chosen);
    ndft_text_add(l, ",\"chosen\":\"%s\"", chosen);
    add_number(l, "typical", promise.typical + scaling);
    add_number(l, "any", promise.any + scaling);
    if (plan->deterministic && plan->problem->kind != NDFT_CONVOLUTION)
        add_number(l, "deterministic_price", ndft_price(c, p, op, &plan->exec->device));
    add_number(l, "launches", launches_of(plan, engine, op));
    if (p->maps)
        ndft_text_add(l, ",\"maps\":\"%s\"", ndft_has_maps_around(v, p) ? "around" : "engine");
    ndft_text_add(l, ",\"engine_bytes\":%zu,\"deterministic\":%s,\"capturable\":%s}",
                  engine->prepared.bytes, ndft_is_deterministic(c) ? "true" : "false",
                  plan->problem->device->backend->use_stream && !v->uncapturable ? "true"
                                                                                 : "false");
}

/* Whose errors differ, so that a pair is adjoint as far as both are right. */
static void add_adjointness(ndft_text *l, const ndft_plan *plan)
{
    double sum = 0;
    if (plan->engines < 2) return;
    for (int i = 0; i < plan->engines; i++)
        sum += promise_of(plan, &plan->engine[i], (ndft_op)plan->engine[i].ops).typical;
    add_number(l, "adjointness", sum);
}

static void add_warning(ndft_text *l, const ndft_problem *p)
{
    const char *idle = ndft_without_effect(p);
    if (idle)
        ndft_text_add(l, ",\"warning\":\"no effect of %s, since all samples are read at t=0\"",
                      idle);
}

ndft_status ndft_plan_describe(const ndft_plan *plan, char *text, size_t size)
{
    if (!plan || (!text && size))
        return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "%s is NULL", plan ? "text" : "plan");
    NDFT_TRY(ndft_check_lost(plan));
    ndft_text l = ndft_text_in(text, size);
    ndft_text_add(&l, "{\"operations\":[");
    for (int i = 0, n = 0; i < plan->engines; i++)
        for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1) {
            if (!(plan->engine[i].ops & op)) continue;
            if (n++) ndft_text_add(&l, ",");
            add_operation(&l, plan, &plan->engine[i], (ndft_op)op);
        }
    ndft_text_add(&l, "]");
    add_adjointness(&l, plan);
    add_warning(&l, &plan->problem->problem);
    ndft_text_add(&l, ",\"bytes\":%zu,\"workspace_bytes\":%zu,\"pinned_bytes\":%zu}",
                  __atomic_load_n(&plan->account.held, __ATOMIC_RELAXED), ndft_workspace_of(plan),
                  ndft_staging_pinned(&plan->staging));
    if (l.used < size) return NDFT_OK;
    return ndft_fail(ndft_thread_error(), NDFT_EINVAL, "a plan's line has %zu bytes, not %zu",
                     l.used + 1, size);
}
