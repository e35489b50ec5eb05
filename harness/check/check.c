/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "attempt.h"
#include "base/bounds.h"
#include "digest.h"
#include "estimate.h"
#include "naming/peer.h"
#include "rig_reference.h"
#include "instruments/seconds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool all_zero(const void *memory, size_t bytes)
{
    const char *m = memory;
    return m[0] == 0 && !memcmp(m, m + 1, bytes - 1);
}

static bool problem_can_tell(ndft_rig *rig, ndft_check *check)
{
    ndft_side side = ndft_side_in(rig->op);
    if (all_zero(rig->given[side], rig->bytes[side]))
        return ndft_say(check, NDFT_UNTRUSTED, "the input is zero everywhere");
    ndft_status status = ndft_rig_reference(rig);
    if (status != NDFT_OK)
        return ndft_say(check, status == NDFT_EUNFIT ? NDFT_UNTRUSTED : NDFT_ERROR,
                        "no reference: %s", rig->exec->error->message);
    check->reference = rig->source;
    check->outputs = (double)rig->n_outputs;
    snprintf(check->reference_note, sizeof check->reference_note, "%s", rig->note);
    double largest = 0;
    for (int64_t i = 0; i < 2 * rig->n_outputs * rig->made->problem.coils; i++)
        largest = fmax(largest, fabs(rig->reference[i]));
    if (largest > 0) return true;
    return ndft_say(check, NDFT_UNTRUSTED, "the reference is zero everywhere");
}

static bool is_worth_starting(ndft_rig *rig, const ndft_candidate *candidate, double limit_s,
                              ndft_check *check)
{
    double seconds = ndft_estimate(rig, candidate, limit_s);
    rig->expected_s = seconds;
    if (seconds <= limit_s) return true;
    return ndft_say(check, NDFT_UNFIT, "estimated at %.3g s per execution, the limit is %g s",
                    seconds, limit_s);
}

static bool planned(ndft_rig *rig, const ndft_candidate *candidate, unsigned ops, ndft_plan *plan,
                    ndft_check *check, ndft_status *plan_status)
{
    ndft_exec *exec = rig->exec;
    size_t before = exec->live_bytes;
    double start = ndft_seconds();
    ndft_rig_push(rig, NDFT_PHASE_PLAN);
    ndft_status status = ndft_plan_make(candidate->entry->variant, candidate->knobs,
                                        &rig->made->problem, ops, exec, plan);
    if (status == NDFT_OK) status = rig->backend->sync(exec);
    ndft_rig_pop(rig);
    double seconds = ndft_seconds() - start;
    *plan_status = status;
    if (status == NDFT_EUNFIT || status == NDFT_ENOMEM)
        return ndft_say(check, NDFT_UNFIT, "%s", rig->exec->error->message);
    if (status == NDFT_OK) status = rig->backend->guards(exec);
    if (status != NDFT_OK)
        return ndft_say(check, NDFT_ERROR, "plan: %s", rig->exec->error->message);
    check->plan_s = seconds;
    const ndft_peer *peer = ndft_peer_entry(candidate->entry);
    if (peer) peer->seconds(plan->state, rig->op, &check->plan_s, &check->setpts_s);
    check->plan_bytes = (double)(exec->live_bytes - before);
    if (plan->variant->chosen)
        plan->variant->chosen(plan->state, check->chosen, sizeof check->chosen);
    return true;
}

/* Relative l2 errors are promised of white data alone: of other data |A x| may all but vanish. */
static bool is_white(const ndft_rig *rig) { return rig->problem->data.kind == NDFT_SOURCE_RANDOM; }

bool ndft_check_agrees(ndft_rig *rig, ndft_check *check)
{
    ndft_side in = ndft_side_in(rig->op), out = ndft_side_out(rig->op);
    ndft_difference d = rig->kind->compare(rig->made, rig->op, rig->given[in], rig->fetched[out],
                                           rig->outputs, rig->n_outputs, rig->reference);
    check->rel_l2 = d.rel_l2;
    check->max_err = d.max_err;
    if (is_white(rig) && !(d.rel_l2 <= check->claim))
        return ndft_say(check, NDFT_WRONG,
                        "its error of %.3g is above its claim of %.3g, most at %lld", d.rel_l2,
                        check->claim, (long long)d.worst);
    if (d.max_err <= check->claim_any) return true;
    return ndft_say(check, NDFT_WRONG,
                    "its error of %.3g |x|_1 is above its claim of %.3g for any data, at %lld",
                    d.max_err, check->claim_any, (long long)d.worst);
}

void ndft_check_digest(const ndft_rig *rig, uint64_t hash[2])
{
    const ndft_side out = ndft_side_out(rig->op);
    ndft_digest digest;
    ndft_digest_start(&digest);
    ndft_digest_add(&digest, rig->fetched[out], rig->bytes[out]);
    ndft_digest_finish(&digest, hash);
}

/* Rounding errors of unrelated x and y average out; in the normal operator, where y is Ax, they do
 * not. Of data that are not white the errors of any data hold, for each of <Ax,y> and <x,A^H y>. */
static double adjoint_limit(const ndft_rig *rig, const ndft_candidate *candidate, const void *ax,
                            const void *y)
{
    const ndft_problem *p = &rig->made->problem;
    const ndft_promise forth = ndft_claim_of(rig->kind, candidate, p, NDFT_FORWARD);
    const ndft_promise back = ndft_claim_of(rig->kind, candidate, p, NDFT_ADJOINT);
    const double claim = fmax(forth.typical, back.typical);
    if (!is_white(rig))
        return (forth.any + back.any) * ndft_adjointness_any(p, rig->given[NDFT_SIDE_IMAGE], ax, y);
    if (rig->op == NDFT_NORMAL) return 4 * claim;
    return fmax(4 * claim / sqrt((double)p->n_samples), 8 * ndft_roundoff(p->prec));
}

/* What must be run beside op to see whether they agree; 0: nothing. For the normal operator that is
 * forward, since <x, A^H A x> = |A x|^2. */
static unsigned companion(ndft_op op, const ndft_variant *v)
{
    ndft_op other = op == NDFT_FORWARD ? NDFT_ADJOINT : NDFT_FORWARD;
    return ndft_served_ops(v) & other;
}

/* Runs the companion; the output of rig->op is still fetched. */
static bool is_adjoint(ndft_rig *rig, const ndft_candidate *candidate, const ndft_plan *plan,
                       unsigned other, ndft_check *check)
{
    if (!ndft_attempt(rig, plan, (ndft_op)other, check)) return false;
    bool normal = rig->op == NDFT_NORMAL;
    const void *ax = rig->fetched[NDFT_SIDE_KSPACE];
    const void *y = normal ? ax : rig->given[NDFT_SIDE_KSPACE];
    const double limit = adjoint_limit(rig, candidate, ax, y);
    check->adjoint_err = ndft_adjointness(&rig->made->problem, rig->given[NDFT_SIDE_IMAGE], ax, y,
                                          rig->fetched[NDFT_SIDE_IMAGE]);
    if (check->adjoint_err <= limit) return true;
    return ndft_say(check, NDFT_WRONG, "forward and %s disagree by %.3g, more than %.3g",
                    normal ? "normal" : "adjoint", check->adjoint_err, limit);
}

/* Plans and runs the candidate and holds the result against every promise. Of an ablation no more
 * is asked than numbers in every output and nothing beside. */
static bool stands(ndft_rig *rig, const ndft_candidate *candidate, ndft_plan *plan,
                   ndft_check *check, ndft_status *plan_status)
{
    const ndft_registered *entry = candidate->entry;
    unsigned other = entry->ablates ? 0 : companion(rig->op, entry->variant);
    if (!planned(rig, candidate, rig->op | other, plan, check, plan_status)) return false;
    bool good = ndft_attempt(rig, plan, rig->op, check);
    if (good) ndft_check_digest(rig, check->output);
    good = good && (entry->ablates || (ndft_check_agrees(rig, check) &&
                                       (!other || is_adjoint(rig, candidate, plan, other, check))));
    if (!good) ndft_plan_destroy(plan);
    return good;
}

ndft_check ndft_check_run(ndft_rig *rig, const ndft_candidate *candidate, double limit_s,
                          ndft_plan *plan, ndft_status *plan_status)
{
    const ndft_registered *entry = candidate->entry;
    ndft_check check = ndft_check_blank();
    *plan = (ndft_plan){0};
    *plan_status = NDFT_OK;
    rig->candidate = candidate;
    rig->expected_s = NAN;
    ndft_watch_phase(rig->watch, candidate, NDFT_PHASE_PLAN, NAN);
    if (!ndft_fits(rig->kind, candidate, &rig->made->problem, rig->op, &rig->exec->device,
                   &check) ||
        !is_worth_starting(rig, candidate, limit_s, &check) ||
        (!entry->ablates && !problem_can_tell(rig, &check)) ||
        !stands(rig, candidate, plan, &check, plan_status))
        *plan = (ndft_plan){0};
    else if (entry->ablates)
        ndft_say(&check, NDFT_UNTRUSTED, "an ablation of %s: without %s", entry->ablates,
                 entry->without);
    return check;
}
