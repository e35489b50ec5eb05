/* SPDX-License-Identifier: Apache-2.0 */
#include "known.h"

#include "measure/measure.h"
#include "problem/kinds.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 256, EXECUTE = 2 }; /* of a vector; the step of end to end */

void *known_own(const ndft_problem *problem) { return (void *)problem->t; }

const char *known_missing(const char *backend) { return ndft_backend_find(backend)->missing(); }

static ndft_status open_fixture(ndft_fixture *fixture, void *host)
{
    ndft_exec *exec = fixture->exec;
    fixture->device = ndft_device_around(fixture->backend, exec);
    if (!fixture->device) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for a device");
    for (int side = 0; side < 2; side++) {
        fixture->bytes[side] = BYTES;
        fixture->given[side] = fixture->fetched[side] = host;
        NDFT_TRY(exec->alloc(exec, "input", BYTES, &fixture->in[side]));
        NDFT_TRY(exec->alloc(exec, "output", BYTES, &fixture->out[side]));
    }
    return NDFT_OK;
}

static ndft_status measure(ndft_fixture *fixture, const ndft_variant *variant,
                           const ndft_timing_options *options, ndft_timing *timing)
{
    const ndft_registered entry = {variant->name, variant->backend, variant, "",   NULL,
                                   NULL,          NDFT_NONUNIFORM,  "",      false};
    const ndft_candidate candidate = {&entry, {0}}, *candidates[] = {&candidate};
    ndft_plan *plan;
    NDFT_TRY(ndft_plan_candidate(fixture->device, &candidate, &fixture->made->problem, NDFT_FORWARD,
                                 &plan));
    const ndft_status status = ndft_measure(fixture, candidates, &plan, NULL, 1, options, timing);
    ndft_plan_destroy(plan);
    return status;
}

static known_time told(const ndft_timing *t, ndft_mode mode, ndft_status status,
                       const ndft_error *err)
{
    int first = t->n;
    const bool steady = t->n && !strcmp(t->regime, "steady");
    while (first > 0 && (!steady || t->rounds[first - 1] == t->rounds[t->n - 1])) first--;
    known_time known = {
        t->n - first, t->repetitions, ndft_stats_of(t->samples + first, t->n - first).median,
        t->clock_mhz, t->two_modes,   ""};
    if (mode == NDFT_END_TO_END) known.median_s = t->steps[EXECUTE];
    if (status != NDFT_OK || !t->n)
        snprintf(known.failed, sizeof known.failed, "%.250s",
                 t->failed[0] ? t->failed : err->message);
    return known;
}

known_time known_measure(const char *backend, const ndft_variant *variant, void *own,
                         const char *mode, double min_time_s)
{
    ndft_error err = {0};
    ndft_timing timing = {0};
    ndft_timing_options options = {
        .budget_s = 0.2, .limit_s = 60, .min_samples = 20, .min_time_s = min_time_s};
    const ndft_case problem = {.seed = 1};
    const ndft_made made = {.problem = {.t = own}};
    unsigned modes = 0;
    char host[BYTES] = {0};
    ndft_fixture fixture = {.backend = ndft_backend_find(backend),
                            .instruments = ndft_instruments_of(backend),
                            .problem = &problem,
                            .made = &made,
                            .op = NDFT_FORWARD,
                            .label = "known"};
    ndft_status status = ndft_modes_parse(mode, &modes, &err);
    while (modes >> (options.mode + 1)) options.mode++;
    if (status == NDFT_OK) status = fixture.backend->open(0, &fixture.exec, &err);
    if (status == NDFT_OK) status = open_fixture(&fixture, host);
    if (status == NDFT_OK) status = measure(&fixture, variant, &options, &timing);
    const known_time known = told(&timing, options.mode, status, &err);
    ndft_device_close(fixture.device);
    if (fixture.exec) fixture.backend->close(fixture.exec);
    return known;
}
