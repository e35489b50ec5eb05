/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ATTEMPT_H
#define NDFT_ATTEMPT_H

#include "fixture.h"
#include "naming/verdict.h"

/*
 * Runs one operation once on a poisoned output and verifies what needs no reference: it succeeded,
 * every guard band is intact, the input is unchanged (where claimed), every output was written, and
 * with a number. The output is then in fixture->fetched, and check says whether the input was
 * consumed. False: check has verdict and reason.
 */
bool ndft_attempt(ndft_fixture *, ndft_plan *, ndft_op, ndft_check *);

/* How an output comes about: one operation of a variant, run by whoever knows how. */
typedef struct ndft_way {
    const ndft_variant *variant;
    ndft_op op;
    ndft_status (*produce)(void *context); /* queues it; finished or not on return */
    void *context;
} ndft_way;

/* The same of an output that comes about in another way. A variant that check says consumes its
 * input is given it afresh. */
bool ndft_attempt_by(ndft_fixture *, const ndft_way *, ndft_check *);

#endif
