/* SPDX-License-Identifier: Apache-2.0 */
#include "loss.h"

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

void ndft_losses_take(ndft_losses *losses, const ndft_candidate *candidate, const json_t *record)
{
    const char *verdict = json_string_value(json_object_get(record, "verdict"));
    const char *reason = json_string_value(json_object_get(record, "reason"));
    struct ndft_losses_of *loss = find(losses, candidate);
    ndft_verdict found = ndft_verdict_find(verdict);
    if ((found != NDFT_CRASHED && found != NDFT_TIMEOUT) || loss->times == TOO_OFTEN) return;
    loss->times++;
    loss->verdict = found;
    snprintf(loss->reason, sizeof loss->reason, "%s", reason ? reason : "");
}

bool ndft_losses_bar(const ndft_losses *losses, const ndft_candidate *candidate, ndft_check *check)
{
    const struct ndft_losses_of *loss = find(losses, candidate);
    if (loss->times < TOO_OFTEN) return false;
    *check = ndft_check_blank();
    ndft_set_verdict(check, loss->verdict, "quarantined after two: %s", loss->reason);
    return true;
}

json_t *ndft_loss_record(const ndft_work *work, const ndft_candidate *candidate,
                         const ndft_group_options *options, const ndft_run *run,
                         const ndft_place *place, const ndft_check *check, const char *phase)
{
    const ndft_result result = {
        .problem = &work->problem,
        .candidate = candidate,
        .device = &place->device,
        .threads = place->threads,
        .mode = options->timed ? ndft_mode_name(work->mode) : NULL,
        .processes = options->processes,
        .min_time_s = options->timed ? ndft_steady_time(work->mode, &options->timing) : 0,
        .check = *check};
    json_t *record = ndft_record_case(run, &result);
    if (phase) json_object_set_new(record, "phase", json_string(phase));
    return record;
}
