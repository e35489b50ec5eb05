/* SPDX-License-Identifier: Apache-2.0 */
#include "attempt.h"

#include <math.h>
#include <string.h>

static const unsigned char poison[sizeof(double)] = {0xff, 0xff, 0xff, 0xff,
                                                     0xff, 0xff, 0xff, 0xff};

static bool executed(ndft_rig *rig, const ndft_way *way, ndft_check *check)
{
    const ndft_backend *b = rig->backend;
    const ndft_op op = way->op;
    ndft_side in = ndft_side_in(op), out = ndft_side_out(op);
    ndft_status status = b->fill(rig->exec, rig->out[out], poison[0], rig->bytes[out]);
    if (status == NDFT_OK && (rig->in_place || check->consumes)) status = ndft_rig_restore(rig, in);
    if (status == NDFT_OK) status = way->produce(way->context);
    if (status == NDFT_OK) status = b->sync(rig->exec);
    if (status == NDFT_OK)
        status = b->download(rig->exec, rig->fetched[out], rig->out[out], rig->bytes[out]);
    if (status == NDFT_OK) return true;
    return ndft_say(check, NDFT_ERROR, "%s: %s", ndft_op_name(op), rig->exec->error->message);
}

static bool kept_its_bounds(ndft_rig *rig, ndft_op op, ndft_check *check)
{
    if (rig->backend->guards(rig->exec) == NDFT_OK) return true;
    return ndft_say(check, NDFT_WRONG, "%s %s", ndft_op_name(op), rig->exec->error->message);
}

static bool kept_its_input(ndft_rig *rig, const ndft_variant *variant, ndft_op op,
                           ndft_check *check)
{
    ndft_side side = ndft_side_in(op);
    check->consumes |= rig->in_place;
    if (rig->in_place) return true;
    ndft_status status =
        rig->backend->download(rig->exec, rig->scratch, rig->in[side], rig->bytes[side]);
    bool same = status == NDFT_OK && !memcmp(rig->scratch, rig->given[side], rig->bytes[side]);
    if (status == NDFT_OK && !same) status = ndft_rig_restore(rig, side);
    if (status != NDFT_OK)
        return ndft_say(check, NDFT_ERROR, "%s: %s", ndft_op_name(op), rig->exec->error->message);
    if (same || !variant->claim.preserves_input) {
        check->consumes |= !same && op == rig->op;
        return true;
    }
    return ndft_say(check, NDFT_WRONG, "%s changed its input", ndft_op_name(op));
}

/* What lies between the outputs is left alone; in place it belongs to the input. */
static bool spared_the_rest(const ndft_rig *rig, ndft_op op, ndft_check *check)
{
    const ndft_problem *p = &rig->made->problem;
    size_t size = ndft_real_size(p->prec);
    const char *out = rig->fetched[ndft_side_out(op)];
    long long count = (long long)(rig->bytes[ndft_side_out(op)] / size), first = count;
    if (!rig->kind->writes || rig->in_place) return true;
#pragma omp parallel for reduction(min : first)
    for (long long i = 0; i < count; i++)
        if (!rig->kind->writes(p, i) && memcmp(out + (size_t)i * size, poison, size) != 0)
            first = i < first ? i : first;
    if (first == count) return true;
    return ndft_say(check, NDFT_WRONG, "%s wrote beside its outputs, first at value %lld",
                    ndft_op_name(op), first);
}

static bool wrote_numbers(const ndft_rig *rig, ndft_op op, ndft_check *check)
{
    ndft_prec prec = rig->made->problem.prec;
    size_t size = ndft_real_size(prec);
    const char *out = rig->fetched[ndft_side_out(op)];
    long long count = (long long)(rig->bytes[ndft_side_out(op)] / size);
    long long unwritten = 0, bad = 0, first = count;
#pragma omp parallel for reduction(+ : unwritten, bad) reduction(min : first)
    for (long long i = 0; i < count; i++) {
        if (isfinite(ndft_real_at(out, prec, i))) continue;
        if (rig->kind->writes && !rig->kind->writes(&rig->made->problem, i)) continue;
        bool never = !memcmp(out + (size_t)i * size, poison, size);
        unwritten += never;
        bad += !never;
        first = i < first ? i : first;
    }
    if (unwritten)
        return ndft_say(check, NDFT_WRONG, "%s left %lld of %lld values unwritten, first %lld",
                        ndft_op_name(op), unwritten, count, first);
    if (bad)
        return ndft_say(check, NDFT_WRONG,
                        "%s made %lld of %lld values NaN or infinite, first %lld", ndft_op_name(op),
                        bad, count, first);
    return true;
}

bool ndft_attempt_by(ndft_rig *rig, const ndft_way *way, ndft_check *check)
{
    static const ndft_phase phases[] = {[NDFT_FORWARD] = NDFT_PHASE_FORWARD,
                                        [NDFT_ADJOINT] = NDFT_PHASE_ADJOINT,
                                        [NDFT_NORMAL] = NDFT_PHASE_NORMAL};
    const ndft_op op = way->op;
    ndft_rig_push(rig, phases[op]);
    bool ran = executed(rig, way, check);
    ndft_rig_pop(rig);
    return ran && kept_its_bounds(rig, op, check) && kept_its_input(rig, way->variant, op, check) &&
           wrote_numbers(rig, op, check) && spared_the_rest(rig, op, check);
}

/* One execution of a plan. */
typedef struct execution {
    const ndft_rig *rig;
    const ndft_plan *plan;
    ndft_op op;
} execution;

static ndft_status execute(void *context)
{
    const execution *e = context;
    return ndft_execute(e->plan, e->op, e->rig->in[ndft_side_in(e->op)],
                        e->rig->out[ndft_side_out(e->op)]);
}

bool ndft_attempt(ndft_rig *rig, const ndft_plan *plan, ndft_op op, ndft_check *check)
{
    execution e = {rig, plan, op};
    return ndft_attempt_by(rig, &(ndft_way){plan->variant, op, execute, &e}, check);
}
