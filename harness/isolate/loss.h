/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LOSS_H
#define NDFT_LOSS_H

#include "harness.h"
#include "naming/verdict.h"

/* Candidates that took their worker with them, and the quarantine of variants that do so. */

/* How often each registered variant did. */
typedef struct ndft_losses {
    struct ndft_losses_of {
        int times;
        ndft_verdict verdict; /* of the last one */
        char reason[256];
    } * of; /* as long as the registry */
} ndft_losses;

ndft_status ndft_losses_begin(ndft_losses *, ndft_error *);
void ndft_losses_end(ndft_losses *);

/* Counts a verdict of crashed or timeout; others are passed over. */
void ndft_losses_take(ndft_losses *, const ndft_candidate *, const ndft_check *);

/* Whether its variant was lost twice; then verdict and reason that it gets for that. */
bool ndft_losses_bar(const ndft_losses *, const ndft_candidate *, ndft_check *);

#endif
