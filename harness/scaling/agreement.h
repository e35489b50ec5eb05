/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_AGREEMENT_H
#define NDFT_AGREEMENT_H

#include "contestant.h"
#include "truth.h"

/* Whether what a group makes of a case is what the plain plan makes of it, on the host. */
typedef struct ndft_agreement {
    const ndft_contest *contest;
    const ndft_contestant *plain; /* whose arrays are the contest's */
    ndft_truth truth;             /* of the operator; empty of iterations */
    void *result, *right;         /* whole outputs: of one, and of the plain plan */
    double side;                  /* norm of the right hand side of conjugate gradients */
} ndft_agreement;

/* Memory for results, and the reference. Free it also on failure. */
ndft_status ndft_agreement_open(ndft_agreement *, const ndft_contest *,
                                const ndft_contestant *plain);

/* Looks at the output of one that has executed, the plain plan's first: its error and difference.
 * wrong is set where both cannot be within the tolerance. */
ndft_status ndft_agreement_look(ndft_agreement *, ndft_contestant *one, bool *wrong);

void ndft_agreement_free(ndft_agreement *);

#endif
