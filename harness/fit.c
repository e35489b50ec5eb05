/* SPDX-License-Identifier: Apache-2.0 */
#include "fit.h"

#include "peer.h"

ndft_promise ndft_promise_of(const ndft_kind *kind, const ndft_variant *v, const int *knobs,
                             const ndft_problem *p, ndft_op op)
{
    if (op == NDFT_NORMAL) {
        ndft_problem half;
        p = ndft_problem_of_parts(v, p, op, &half);
        const ndft_promise forward = ndft_promise_of(kind, v, knobs, p, NDFT_FORWARD);
        const ndft_promise adjoint = ndft_promise_of(kind, v, knobs, p, NDFT_ADJOINT);
        return (ndft_promise){forward.typical + adjoint.typical, forward.any + adjoint.any};
    }
    const ndft_claim *claim = &v->claim;
    const ndft_claim_any *any = &claim->any;
    const double terms = kind->terms(p, op);
    return (ndft_promise){
        ndft_claim_bound(p->prec, claim->a, claim->b, claim->c, p->phi_max, terms,
                         claim->truncation ? claim->truncation(p, knobs) : 0),
        ndft_claim_any_bound(p->prec, any->a, any->c, p->phi_max,
                             any->chain ? any->chain(p, op, knobs) : terms,
                             any->truncation ? any->truncation(p, op, knobs) : 0)};
}

ndft_promise ndft_claim_of(const ndft_kind *kind, const ndft_candidate *candidate,
                           const ndft_problem *p, ndft_op op)
{
    return ndft_promise_of(kind, candidate->entry->variant, candidate->knobs, p, op);
}

ndft_status ndft_promise_holds(const ndft_promise *promise, const ndft_problem *p, ndft_error *err)
{
    const bool any = p->tol_kind == NDFT_TOL_ANY;
    const double claim = any ? promise->any : promise->typical;
    if (claim <= p->tol) return NDFT_OK;
    return ndft_fail(err, NDFT_EUNFIT, "its claim of %.3g%s is above tol=%g", claim,
                     any ? " for any data" : "", p->tol);
}

bool ndft_fits(const ndft_kind *kind, const ndft_candidate *candidate, const ndft_problem *p,
               ndft_op op, const ndft_device *device, ndft_check *check)
{
    const ndft_variant *v = candidate->entry->variant;
    const char *missing = ndft_not_built(candidate->entry);
    if (missing) return ndft_say(check, NDFT_NOT_BUILT, "%s", missing);
    if (candidate->entry->kind != kind->problems)
        return ndft_say(check, NDFT_UNFIT, "it does not serve %s problems", kind->name);
    if (op & ~ndft_served_ops(v))
        return ndft_say(check, NDFT_UNFIT, "it does not serve %s", ndft_op_name(op));
    const char *why = ndft_plan_unfit(v, candidate->knobs, p, op, device);
    if (why) return ndft_say(check, NDFT_UNFIT, "%s", why);
    if (candidate->entry->ablates) return true; /* it claims nothing */
    const ndft_promise promise = ndft_claim_of(kind, candidate, p, op);
    check->claim = promise.typical;
    check->claim_any = promise.any;
    ndft_error err = {0};
    return ndft_promise_holds(&promise, p, &err) == NDFT_OK ||
           ndft_say(check, NDFT_UNFIT, "%s", err.message);
}
