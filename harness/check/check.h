/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHECK_H
#define NDFT_CHECK_H

#include "fixture.h"
#include "problem/kinds.h"

/*
 * Plans the candidate for the fixture's operation (and, where it has it, the opposite one, as an
 * iterative reconstruction needs, for adjointness; with normal, forward for <x,A^H A x> = |Ax|^2),
 * runs it and holds the result against every
 * promise. The order of the questions is the order of causes: the first true reason is reported.
 * An execution estimated above limit_s is unsupported. An ablation is untrusted at best: it runs,
 * nothing is compared. After that as after a pass the plan is alive and the caller destroys it;
 * else it is NULL. *plan_status is what plan has returned, NDFT_OK where it was not asked:
 * NDFT_ENOMEM may be different with fewer plans alive, and with NDFT_EINVAL the case is wrong,
 * whoever serves it, as one whose load function does not compile; the message is exec's.
 */
ndft_check ndft_check_run(ndft_fixture *, const ndft_candidate *, double limit_s, ndft_plan **plan,
                          ndft_status *plan_status);

/*
 * On a device a process loads kernels and libraries with the first plan that needs them, whoever's
 * it is: up to 200 ms, which are no plan's. So there the times are of one more plan of the
 * candidate, for the fixture's operation alone; where it does not fit they stay as they were.
 */
void ndft_check_plan_again(ndft_fixture *, const ndft_candidate *, ndft_check *);

/* Holds the fetched output of the fixture's operation against the reference, within the claims that
 * check has, and sets the errors there; false: verdict and reason too. */
bool ndft_check_agrees(ndft_fixture *, ndft_check *);

/* The digest of that output, by which its bits are known again. */
void ndft_check_digest(const ndft_fixture *, uint64_t hash[2]);

#endif
