/* SPDX-License-Identifier: Apache-2.0 */
#include "fit.h"

#include "naming/peer.h"

ndft_promise ndft_claim_of(const ndft_kind *kind, const ndft_candidate *candidate,
                           const ndft_problem *p, ndft_op op)
{
    return ndft_promise_of(kind->form, candidate->entry->variant, candidate->knobs, p, op);
}

bool ndft_fits(const ndft_kind *kind, const ndft_candidate *candidate, const ndft_problem *p,
               ndft_op op, const ndft_device *device, ndft_check *check)
{
    const ndft_variant *v = candidate->entry->variant;
    const char *missing = ndft_not_built(candidate->entry);
    if (missing) return ndft_set_verdict(check, NDFT_NOT_BUILT, "%s", missing);
    if (candidate->entry->kind != kind->problems)
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "it does not serve %s problems",
                                kind->name);
    if (op & ~ndft_served_ops(v, candidate->knobs))
        return ndft_set_verdict(check, NDFT_UNSUPPORTED, "it does not serve %s", ndft_op_name(op));
    const char *why = ndft_plan_unsupported(v, candidate->knobs, p, op, device);
    if (why) return ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", why);
    if (candidate->entry->ablates) return true; /* it claims nothing */
    const ndft_promise promise = ndft_claim_of(kind, candidate, p, op);
    check->claim = promise.typical;
    check->claim_any = promise.any;
    ndft_error err = {0};
    return ndft_promise_holds(&promise, p, &err) == NDFT_OK ||
           ndft_set_verdict(check, NDFT_UNSUPPORTED, "%s", err.message);
}
