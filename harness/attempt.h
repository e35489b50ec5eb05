/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ATTEMPT_H
#define NDFT_ATTEMPT_H

#include "rig.h"
#include "verdict.h"

#include <ndft/plan.h>

/*
 * Runs one operation once on a poisoned output and verifies what needs no reference: it succeeded,
 * every guard band is intact, the input is unchanged (where claimed), every output was written, and
 * with a number. The output is then in rig->fetched. False: check has verdict and reason.
 */
bool ndft_attempt(ndft_rig *, const ndft_plan *, ndft_op, ndft_check *);

#endif
