/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIT_H
#define NDFT_FIT_H

#include "kinds.h"
#include "naming/id.h"
#include "naming/verdict.h"
#include "promise.h"

/* What a candidate promises for a problem and operation. */
ndft_promise ndft_claim_of(const ndft_kind *, const ndft_candidate *, const ndft_problem *,
                           ndft_op);

/* All that can be known without running: built, operation, the variant's own sentence, the
 * claim of tol's kind against tol (not of an ablation). True when it fits; else check has verdict
 * and reason. */
bool ndft_fits(const ndft_kind *, const ndft_candidate *, const ndft_problem *, ndft_op,
               const ndft_device *, ndft_check *);

#endif
