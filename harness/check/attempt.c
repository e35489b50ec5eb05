/* SPDX-License-Identifier: Apache-2.0 */
#include "attempt.h"

#include <math.h>
#include <string.h>

static const unsigned char poison[sizeof(double)] = {0xff, 0xff, 0xff, 0xff,
                                                     0xff, 0xff, 0xff, 0xff};

static bool executed(ndft_fixture *fixture, const ndft_way *way, ndft_check *check)
{
    const ndft_backend *b = fixture->backend;
    const ndft_op op = way->op;
    ndft_side in = ndft_side_in(op), out = ndft_side_out(op);
    ndft_status status = b->fill(fixture->exec, fixture->out[out], poison[0], fixture->bytes[out]);
    if (status == NDFT_OK && (fixture->in_place || check->consumes))
        status = ndft_fixture_restore(fixture, in);
    if (status == NDFT_OK) status = way->produce(way->context);
    if (status == NDFT_OK) status = b->sync(fixture->exec);
    if (status == NDFT_OK)
        status = b->download(fixture->exec, fixture->fetched[out], fixture->out[out],
                             fixture->bytes[out]);
    if (status == NDFT_OK) return true;
    return ndft_set_verdict(check, NDFT_ERROR, "%s: %s", ndft_op_name(op),
                            fixture->exec->error->message);
}

static bool kept_its_bounds(ndft_fixture *fixture, ndft_op op, ndft_check *check)
{
    if (ndft_pool_check(fixture->backend->pool(fixture->exec), fixture->exec) == NDFT_OK)
        return true;
    return ndft_set_verdict(check, NDFT_WRONG, "%s %s", ndft_op_name(op),
                            fixture->exec->error->message);
}

static bool kept_its_input(ndft_fixture *fixture, const ndft_variant *variant, ndft_op op,
                           ndft_check *check)
{
    ndft_side side = ndft_side_in(op);
    check->consumes |= fixture->in_place;
    if (fixture->in_place) return true;
    ndft_status status = fixture->backend->download(fixture->exec, fixture->scratch,
                                                    fixture->in[side], fixture->bytes[side]);
    bool same =
        status == NDFT_OK && !memcmp(fixture->scratch, fixture->given[side], fixture->bytes[side]);
    if (status == NDFT_OK && !same) status = ndft_fixture_restore(fixture, side);
    if (status != NDFT_OK)
        return ndft_set_verdict(check, NDFT_ERROR, "%s: %s", ndft_op_name(op),
                                fixture->exec->error->message);
    if (same || variant->claim.overwrites_input) {
        check->consumes |= !same && op == fixture->op;
        return true;
    }
    return ndft_set_verdict(check, NDFT_WRONG, "%s changed its input", ndft_op_name(op));
}

/* What lies between the outputs is left alone; in place it belongs to the input. */
static bool spared_the_rest(const ndft_fixture *fixture, ndft_op op, ndft_check *check)
{
    const ndft_problem *p = &fixture->made->problem;
    size_t size = ndft_real_size(p->prec);
    const char *out = fixture->fetched[ndft_side_out(op)];
    long long count = (long long)(fixture->bytes[ndft_side_out(op)] / size), first = count;
    if (!fixture->kind->writes || fixture->in_place) return true;
#pragma omp parallel for reduction(min : first)
    for (long long i = 0; i < count; i++)
        if (!fixture->kind->writes(p, i) && memcmp(out + (size_t)i * size, poison, size) != 0)
            first = i < first ? i : first;
    if (first == count) return true;
    return ndft_set_verdict(check, NDFT_WRONG, "%s wrote beside its outputs, first at value %lld",
                            ndft_op_name(op), first);
}

static bool wrote_numbers(const ndft_fixture *fixture, ndft_op op, ndft_check *check)
{
    ndft_prec prec = fixture->made->problem.prec;
    size_t size = ndft_real_size(prec);
    const char *out = fixture->fetched[ndft_side_out(op)];
    long long count = (long long)(fixture->bytes[ndft_side_out(op)] / size);
    long long unwritten = 0, bad = 0, first = count;
#pragma omp parallel for reduction(+ : unwritten, bad) reduction(min : first)
    for (long long i = 0; i < count; i++) {
        if (isfinite(ndft_real_at(out, prec, i))) continue;
        if (fixture->kind->writes && !fixture->kind->writes(&fixture->made->problem, i)) continue;
        bool never = !memcmp(out + (size_t)i * size, poison, size);
        unwritten += never;
        bad += !never;
        first = i < first ? i : first;
    }
    if (unwritten)
        return ndft_set_verdict(check, NDFT_WRONG,
                                "%s left %lld of %lld values unwritten, first %lld",
                                ndft_op_name(op), unwritten, count, first);
    if (bad)
        return ndft_set_verdict(check, NDFT_WRONG,
                                "%s made %lld of %lld values NaN or infinite, first %lld",
                                ndft_op_name(op), bad, count, first);
    return true;
}

bool ndft_attempt_by(ndft_fixture *fixture, const ndft_way *way, ndft_check *check)
{
    static const ndft_phase phases[] = {[NDFT_FORWARD] = NDFT_PHASE_FORWARD,
                                        [NDFT_ADJOINT] = NDFT_PHASE_ADJOINT,
                                        [NDFT_NORMAL] = NDFT_PHASE_NORMAL};
    const ndft_op op = way->op;
    ndft_fixture_push(fixture, phases[op]);
    bool ran = executed(fixture, way, check);
    ndft_fixture_pop(fixture);
    return ran && kept_its_bounds(fixture, op, check) &&
           kept_its_input(fixture, way->variant, op, check) && wrote_numbers(fixture, op, check) &&
           spared_the_rest(fixture, op, check);
}

/* One execution of a plan. */
typedef struct execution {
    const ndft_fixture *fixture;
    ndft_plan *plan;
    ndft_op op;
} execution;

static ndft_status execute(void *context)
{
    const execution *e = context;
    return ndft_fixture_execute(e->fixture, e->plan, e->op);
}

bool ndft_attempt(ndft_fixture *fixture, ndft_plan *plan, ndft_op op, ndft_check *check)
{
    execution e = {fixture, plan, op};
    const ndft_variant *variant = ndft_plan_engine(plan)->variant;
    return ndft_attempt_by(fixture, &(ndft_way){variant, op, execute, &e}, check);
}
