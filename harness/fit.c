/* SPDX-License-Identifier: Apache-2.0 */
#include "fit.h"

#include <ndft/plan.h>

double ndft_claim_of(const ndft_kind *kind, const ndft_candidate *candidate, const ndft_problem *p,
                     ndft_op op)
{
    if (op == NDFT_NORMAL) {
        ndft_problem half;
        p = ndft_problem_of_parts(candidate->entry->variant, p, op, &half);
        return ndft_claim_of(kind, candidate, p, NDFT_FORWARD) +
               ndft_claim_of(kind, candidate, p, NDFT_ADJOINT);
    }
    const ndft_claim *claim = &candidate->entry->variant->claim;
    double truncation = claim->truncation ? claim->truncation(p, candidate->knobs) : 0;
    return ndft_claim_bound(p->prec, claim->a, claim->b, claim->c, p->phi_max, kind->terms(p, op),
                            truncation);
}

bool ndft_fits(const ndft_kind *kind, const ndft_candidate *candidate, const ndft_problem *p,
               ndft_op op, const ndft_device *device, ndft_check *check)
{
    const ndft_variant *v = candidate->entry->variant;
    if (!v)
        return ndft_say(check, NDFT_NOT_BUILT, "it was not built: no nvcc, or no library it needs");
    if (candidate->entry->kind != kind->problems)
        return ndft_say(check, NDFT_UNFIT, "it does not serve %s problems", kind->name);
    if (op & ~ndft_served_ops(v))
        return ndft_say(check, NDFT_UNFIT, "it does not serve %s", ndft_op_name(op));
    const char *why = ndft_plan_unfit(v, candidate->knobs, p, op, device);
    if (why) return ndft_say(check, NDFT_UNFIT, "%s", why);
    if (candidate->entry->ablates) return true; /* it claims nothing */
    check->claim = ndft_claim_of(kind, candidate, p, op);
    if (check->claim > p->tol)
        return ndft_say(check, NDFT_UNFIT, "its claim of %.3g is above tol=%g", check->claim,
                        p->tol);
    return true;
}
