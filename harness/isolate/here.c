/* SPDX-License-Identifier: Apache-2.0 */
#include "here.h"

#include <math.h>
#include <stdlib.h>

ndft_status ndft_here_describe(const ndft_backend *backend, ndft_place *place, ndft_error *err)
{
    ndft_exec *exec;
    NDFT_TRY(backend->open(0, &exec, err));
    *place = (ndft_place){exec->device, exec->threads};
    backend->close(exec);
    return NDFT_OK;
}

typedef struct here {
    const ndft_candidate *candidates;
    const ndft_run *run;
    const ndft_record_sink *sink;
    ndft_heartbeat *heartbeat;
    double *expected_s; /* of every candidate, once it was estimated */
} here;

static void beat(void *context, const ndft_candidate *candidate, ndft_phase phase,
                 double expected_s)
{
    const here *h = context;
    int index = candidate ? (int)(candidate - h->candidates) : -1;
    if (index >= 0 && !isnan(expected_s)) h->expected_s[index] = expected_s;
    ndft_heartbeat_write(h->heartbeat, index, phase, index < 0 ? NAN : h->expected_s[index]);
}

static void take(void *context, const ndft_result *result)
{
    const here *h = context;
    json_t *record = ndft_record_case(h->run, result);
    if (result->check.verdict == NDFT_CRASHED)
        json_object_set_new(record, "phase",
                            json_string(ndft_phase_name(ndft_heartbeat_read(h->heartbeat).phase)));
    h->sink->take(h->sink->context, record);
    json_decref(record);
}

ndft_status ndft_here_run(const ndft_work *work, const ndft_candidate *candidates, int n,
                          const ndft_group_options *options, const ndft_run *run,
                          ndft_heartbeat *heartbeat, const ndft_record_sink *sink, ndft_error *err)
{
    here h = {candidates, run, sink, heartbeat, calloc((size_t)n, sizeof(double))};
    const ndft_watch watch = {beat, &h};
    if (!h.expected_s) return ndft_fail(err, NDFT_ENOMEM, "no memory for a group");
    ndft_group_options own = *options;
    own.timing.mode = work->mode;
    own.watch = &watch;
    ndft_status status = ndft_run_group(ndft_kind_of(&work->problem), &work->problem, work->backend,
                                        candidates, n, &own, &(ndft_sink){take, &h}, err);
    free(h.expected_s);
    return status;
}
