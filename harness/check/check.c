/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "attempt.h"
#include "base/digest.h"
#include "base/now.h"
#include "fixture_reference.h"
#include "naming/peer.h"
#include "problem/kinds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double issue_slots(const ndft_candidate *candidate, const ndft_problem *p, ndft_op op)
{
    return ndft_executed_cost(candidate->entry->variant, p, op, candidate->knobs).issue_slots;
}

static double nominal_rate(const ndft_exec *exec)
{
    bool cpu = !strcmp(exec->device.backend, "cpu");
    return 1e9 * (cpu ? exec->threads : 32 * exec->device.units);
}

static ndft_status time_part(ndft_fixture *fixture, const ndft_candidate *candidate,
                             const ndft_problem *part, double *seconds)
{
    ndft_plan *plan;
    double clock;
    NDFT_TRY(ndft_plan_candidate(fixture->device, candidate, part, fixture->op, &plan));
    ndft_status status = NDFT_OK;
    for (int run = 0; run < 2 && status == NDFT_OK; run++) { /* the first one warms up */
        status = fixture->instruments->timer_start(fixture->exec, 0);
        if (status == NDFT_OK) status = ndft_fixture_execute(fixture, plan, fixture->op);
        if (status == NDFT_OK) status = fixture->instruments->timer_stop(fixture->exec, 0);
        if (status == NDFT_OK)
            status = fixture->instruments->timer_read(fixture->exec, 0, seconds, &clock);
    }
    ndft_plan_destroy(plan);
    return status;
}

/*
 * How long one execution will take, before it is run. When even a nominal rate that every machine
 * exceeds (one declared issue slot per thread and nanosecond on a CPU, 32 per multiprocessor) stays
 * below limit_s, it is the answer. Else the candidate runs the first samples of the problem, as
 * many as the nominal rate allows in a twentieth of the limit, and the measured time is scaled by
 * its declared issue slots. A probe that fails estimates 0 s: the check will say why.
 */
static double estimate(ndft_fixture *fixture, const ndft_candidate *candidate, double limit_s)
{
    const ndft_problem *p = &fixture->made->problem;
    double slots = issue_slots(candidate, p, fixture->op);
    double nominal = slots / nominal_rate(fixture->exec), seconds;
    if (nominal <= limit_s || !fixture->kind->part) return nominal;
    double share = 0.05 * limit_s / nominal;
    int64_t m = (int64_t)fmax(share * (double)p->n_samples, 1);
    ndft_problem part = fixture->kind->part(p, m);
    if (time_part(fixture, candidate, &part, &seconds) != NDFT_OK) return 0;
    if (candidate->entry->variant->claim.overwrites_input)
        ndft_fixture_restore(fixture, ndft_side_in(fixture->op));
    return seconds * slots / issue_slots(candidate, &part, fixture->op);
}

static bool all_zero(const void *memory, size_t bytes)
{
    const char *m = memory;
    return m[0] == 0 && !memcmp(m, m + 1, bytes - 1);
}

static ndft_promise promised(const ndft_check *check)
{
    return (ndft_promise){check->claim, check->claim_any};
}

static bool problem_can_tell(ndft_fixture *fixture, ndft_check *check)
{
    ndft_side side = ndft_side_in(fixture->op);
    if (all_zero(fixture->given[side], fixture->bytes[side]))
        return ndft_set_verdict(check, NDFT_UNTRUSTED, "the input is zero everywhere");
    ndft_status status = ndft_fixture_reference(fixture, promised(check));
    if (status != NDFT_OK)
        return ndft_set_verdict(check, status == NDFT_EUNSUPPORTED ? NDFT_UNTRUSTED : NDFT_ERROR,
                                "no reference: %s", fixture->exec->error->message);
    check->reference = fixture->reference->source;
    check->outputs = (double)fixture->reference->n;
    snprintf(check->reference_note, sizeof check->reference_note, "%s", fixture->note);
    const int coils = ndft_output_coils(&fixture->made->problem, fixture->op);
    double largest = 0;
    for (int64_t i = 0; i < 2 * fixture->reference->n * coils; i++)
        largest = fmax(largest, fabs(fixture->reference->values[i]));
    if (largest > 0) return true;
    return ndft_set_verdict(check, NDFT_UNTRUSTED, "the reference is zero everywhere");
}

static bool is_worth_starting(ndft_fixture *fixture, const ndft_candidate *candidate,
                              double limit_s, ndft_check *check)
{
    double seconds = estimate(fixture, candidate, limit_s);
    fixture->expected_s = seconds;
    if (seconds <= limit_s) return true;
    return ndft_set_verdict(check, NDFT_UNSUPPORTED,
                            "estimated at %.3g s per execution, the limit is %g s", seconds,
                            limit_s);
}

static bool planned(ndft_fixture *fixture, const ndft_candidate *candidate, unsigned ops,
                    ndft_plan **plan, ndft_check *check, ndft_status *plan_status)
{
    ndft_exec *exec = fixture->exec;
    size_t before = exec->live_bytes;
    double start = ndft_now_s();
    ndft_fixture_push(fixture, NDFT_PHASE_PLAN);
    ndft_status status =
        ndft_plan_candidate(fixture->device, candidate, &fixture->made->problem, ops, plan);
    if (status == NDFT_OK) status = fixture->backend->sync(exec);
    ndft_fixture_pop(fixture);
    double seconds = ndft_now_s() - start;
    *plan_status = status;
    if (status == NDFT_EUNSUPPORTED || status == NDFT_ENOMEM)
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", fixture->exec->error->message);
    if (status == NDFT_OK) status = ndft_pool_check(fixture->backend->pool(exec), exec);
    if (status != NDFT_OK)
        return ndft_set_verdict(check, NDFT_ERROR, "plan: %s", fixture->exec->error->message);
    check->plan_s = seconds;
    const ndft_peer *peer = ndft_peer_entry(candidate->entry);
    if (peer) {
        peer->seconds(ndft_plan_engine(*plan)->state, fixture->op, &check->plan_s,
                      &check->setpts_s);
        peer->alone(&fixture->made->problem, candidate->knobs, exec->threads, check->alone,
                    sizeof check->alone);
    }
    check->plan_bytes = (double)(exec->live_bytes - before);
    ndft_prepared_chosen(ndft_plan_engine(*plan), check->chosen, sizeof check->chosen);
    return true;
}

void ndft_check_plan_again(ndft_fixture *fixture, const ndft_candidate *candidate,
                           ndft_check *check)
{
    const bool loads = fixture->backend->pin; /* a device with memory of its own */
    ndft_check again = *check;
    ndft_plan *plan = NULL;
    ndft_status status;
    if (!loads) return;
    if (planned(fixture, candidate, fixture->op, &plan, &again, &status)) {
        check->plan_s = again.plan_s;
        check->setpts_s = again.setpts_s;
    }
    ndft_plan_destroy(plan);
}

bool ndft_check_agrees(ndft_fixture *fixture, ndft_check *check)
{
    ndft_side in = ndft_side_in(fixture->op), out = ndft_side_out(fixture->op);
    if (ndft_fixture_reference(fixture, promised(check)) != NDFT_OK) /* it was there before */
        return ndft_set_verdict(check, NDFT_ERROR, "no reference: %s",
                                fixture->exec->error->message);
    const ndft_summed *known = fixture->reference;
    ndft_difference d =
        fixture->kind->compare(&fixture->made->problem, fixture->op, fixture->given[in],
                               fixture->fetched[out], known->outputs, known->n, known->values);
    check->rel_l2 = d.rel_l2;
    check->max_err = d.max_err;
    if (ndft_is_white(fixture) && !(d.rel_l2 <= check->claim))
        return ndft_set_verdict(check, NDFT_WRONG,
                                "its error of %.3g is above its claim of %.3g, most at %lld",
                                d.rel_l2, check->claim, (long long)d.worst);
    if (d.max_err <= check->claim_any) return true;
    return ndft_set_verdict(
        check, NDFT_WRONG,
        "its error of %.3g |x|_1 is above its claim of %.3g for any data, at %lld", d.max_err,
        check->claim_any, (long long)d.worst);
}

void ndft_check_digest(const ndft_fixture *fixture, uint64_t hash[2])
{
    const ndft_side out = ndft_side_out(fixture->op);
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, fixture->fetched[out], fixture->bytes[out]);
    ndft_digest_finish(&digest, hash);
}

/* Rounding errors of unrelated x and y average out; in the normal operator, where y is Ax, they do
 * not. Of data that are not white the errors of any data hold, for each of <Ax,y> and <x,A^H y>. */
static double adjoint_limit(const ndft_fixture *fixture, const ndft_candidate *candidate,
                            const void *ax, const void *y)
{
    const ndft_problem *p = &fixture->made->problem;
    const ndft_promise forth = ndft_claim_of(fixture->kind, candidate, p, NDFT_FORWARD);
    const ndft_promise back = ndft_claim_of(fixture->kind, candidate, p, NDFT_ADJOINT);
    const double claim = fmax(forth.typical, back.typical);
    if (!ndft_is_white(fixture))
        return (forth.any + back.any) *
               ndft_adjointness_any(p, fixture->given[NDFT_SIDE_IMAGE], ax, y);
    if (fixture->op == NDFT_NORMAL) {
        const ndft_promise both = ndft_claim_of(fixture->kind, candidate, p, NDFT_NORMAL);
        return 4 * fmax(claim, both.typical - forth.typical);
    }
    return fmax(4 * claim / sqrt((double)p->n_samples), 8 * ndft_roundoff(p->prec));
}

/* What must be run beside op to see whether they agree; 0: nothing. For the normal operator that is
 * forward, since <x, A^H A x> = |A x|^2. */
static unsigned companion(ndft_op op, const ndft_candidate *candidate)
{
    ndft_op other = op == NDFT_FORWARD ? NDFT_ADJOINT : NDFT_FORWARD;
    return ndft_served_ops(candidate->entry->variant, candidate->knobs) & other;
}

/* Runs the companion; the output of fixture->op is still fetched. */
static bool is_adjoint(ndft_fixture *fixture, const ndft_candidate *candidate, ndft_plan *plan,
                       unsigned other, ndft_check *check)
{
    if (!ndft_attempt(fixture, plan, (ndft_op)other, check)) return false;
    bool normal = fixture->op == NDFT_NORMAL;
    const void *ax = fixture->fetched[NDFT_SIDE_KSPACE];
    const void *y = normal ? ax : fixture->given[NDFT_SIDE_KSPACE];
    const double limit = adjoint_limit(fixture, candidate, ax, y);
    check->adjoint_err = ndft_adjointness(&fixture->made->problem, fixture->given[NDFT_SIDE_IMAGE],
                                          ax, y, fixture->fetched[NDFT_SIDE_IMAGE]);
    if (check->adjoint_err <= limit) return true;
    return ndft_set_verdict(check, NDFT_WRONG, "forward and %s disagree by %.3g, more than %.3g",
                            normal ? "normal" : "adjoint", check->adjoint_err, limit);
}

/* Plans and runs the candidate and holds the result against every promise. Of an ablation no more
 * is asked than numbers in every output and nothing beside. */
static bool stands(ndft_fixture *fixture, const ndft_candidate *candidate, ndft_plan **plan,
                   ndft_check *check, ndft_status *plan_status)
{
    const ndft_registered *entry = candidate->entry;
    unsigned other = entry->ablates ? 0 : companion(fixture->op, candidate);
    if (!planned(fixture, candidate, fixture->op | other, plan, check, plan_status)) return false;
    bool good = ndft_attempt(fixture, *plan, fixture->op, check);
    if (good) ndft_check_digest(fixture, check->output);
    good = good &&
           (entry->ablates || (ndft_check_agrees(fixture, check) &&
                               (!other || is_adjoint(fixture, candidate, *plan, other, check))));
    return good;
}

ndft_check ndft_check_run(ndft_fixture *fixture, const ndft_candidate *candidate, double limit_s,
                          ndft_plan **plan, ndft_status *plan_status)
{
    const ndft_registered *entry = candidate->entry;
    ndft_check check = ndft_check_blank();
    *plan = NULL;
    *plan_status = NDFT_OK;
    fixture->candidate = candidate;
    fixture->expected_s = NAN;
    ndft_watch_phase(fixture->watch, candidate, NDFT_PHASE_PLAN, NAN);
    if (!ndft_fits(fixture->kind, candidate, &fixture->made->problem, fixture->op,
                   &fixture->exec->device, &check) ||
        !is_worth_starting(fixture, candidate, limit_s, &check) ||
        (!entry->ablates && !problem_can_tell(fixture, &check)) ||
        !stands(fixture, candidate, plan, &check, plan_status)) {
        ndft_plan_destroy(*plan);
        *plan = NULL;
    } else if (entry->ablates) {
        ndft_set_verdict(&check, NDFT_UNTRUSTED, "an ablation of %s: without %s", entry->ablates,
                         entry->without);
    }
    return check;
}
