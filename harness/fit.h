/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIT_H
#define NDFT_FIT_H

#include "id.h"
#include "kinds.h"
#include "verdict.h"

#include <ndft/plan.h>

/* The errors that a variant promises, by ndft_tol_kind. */
typedef struct ndft_promise {
    double typical, any;
} ndft_promise;

/*
 * The claim of a variant for a problem and operation. That of the normal operator is the sum of
 * forward's and adjoint's: the adjoint does not amplify the error of A x by more than it amplifies
 * A x itself (docs/measurement.md derives it).
 */
ndft_promise ndft_claim_of(const ndft_kind *, const ndft_candidate *, const ndft_problem *,
                           ndft_op);
ndft_promise ndft_promise_of(const ndft_kind *, const ndft_variant *, const int *knobs,
                             const ndft_problem *, ndft_op);

/* Whether what is promised of tol's kind is within tol; else NDFT_EUNFIT with both numbers. */
ndft_status ndft_promise_holds(const ndft_promise *, const ndft_problem *, ndft_error *);

/* All that can be known without running: built, operation, the variant's own sentence, the
 * claim of tol's kind against tol (not of an ablation). True when it fits; else check has verdict
 * and reason. */
bool ndft_fits(const ndft_kind *, const ndft_candidate *, const ndft_problem *, ndft_op,
               const ndft_device *, ndft_check *);

/* What ndft_plan_create does once it is known to fit, or whatever it promises. */
ndft_status ndft_plan_make(const ndft_variant *, const int *knobs, const ndft_problem *,
                           unsigned ops, ndft_exec *, ndft_plan *);

#endif
