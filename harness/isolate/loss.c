/* SPDX-License-Identifier: Apache-2.0 */
#include "loss.h"

#include <stdio.h>
#include <stdlib.h>

enum { TOO_OFTEN = 2 };

ndft_status ndft_losses_begin(ndft_losses *losses, ndft_error *err)
{
    losses->of = calloc((size_t)ndft_registry_size, sizeof *losses->of);
    return losses->of ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory to count crashes in");
}

void ndft_losses_end(ndft_losses *losses) { free(losses->of); }

static struct ndft_losses_of *find(const ndft_losses *losses, const ndft_candidate *candidate)
{
    return &losses->of[candidate->entry - ndft_registry];
}

void ndft_losses_take(ndft_losses *losses, const ndft_candidate *candidate, const ndft_check *check)
{
    struct ndft_losses_of *loss = find(losses, candidate);
    const ndft_verdict found = check->verdict;
    if ((found != NDFT_CRASHED && found != NDFT_TIMEOUT) || loss->times == TOO_OFTEN) return;
    loss->times++;
    loss->verdict = found;
    snprintf(loss->reason, sizeof loss->reason, "%.255s", check->reason);
}

bool ndft_losses_bar(const ndft_losses *losses, const ndft_candidate *candidate, ndft_check *check)
{
    const struct ndft_losses_of *loss = find(losses, candidate);
    if (loss->times < TOO_OFTEN) return false;
    *check = ndft_check_blank();
    ndft_set_verdict(check, loss->verdict, "quarantined after two: %s", loss->reason);
    return true;
}
