/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include "order.h"
#include "recheck.h"
#include "seconds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double wall_share = 4;    /* wall time allowed, in budgets */
static const double reading_s = 0.05;  /* least time between two readings of the state */
static const double slow_clock = 0.75; /* of the median */

const ndft_timing_options ndft_timing_defaults = {.budget_s = 0.5, .limit_s = 60, .min_samples = 3};

/* One candidate among those that are timed against each other. */
typedef struct runner {
    ndft_subject subject;
    ndft_check *check; /* NULL: nobody asks */
    ndft_timing *timing;
    ndft_stopping stopping;
    double measured_s, wall_s;
    double steps[NDFT_MAX_STEPS][NDFT_MAX_SAMPLES];
    double read_at; /* of the last reading of the state */
    int unread;     /* the first sample since then */
} runner;

static void keep(runner *r, const ndft_sample *sample)
{
    ndft_timing *t = r->timing;
    t->repetitions = r->subject.region.repetitions;
    t->samples[t->n] = sample->seconds;
    t->clocks[t->n] = sample->clock_mhz;
    for (int i = 0; i < NDFT_MAX_STEPS; i++) r->steps[i][t->n] = sample->steps[i];
    r->measured_s += sample->seconds * t->repetitions;
    t->n++;
    t->stats = ndft_stats_of(t->samples, t->n);
}

static void decide(runner *r, const ndft_timing_options *options)
{
    ndft_timing *t = r->timing;
    const char *told = ndft_stopping_take(&r->stopping, &t->stats);
    bool enough = t->n >= options->min_samples;
    bool spent = r->measured_s >= options->budget_s || r->wall_s >= wall_share * options->budget_s;
    if (enough && told)
        t->stop = told;
    else if (enough && spent)
        t->stop = "budget";
    else if (t->n == NDFT_MAX_SAMPLES)
        t->stop = "samples";
}

/* Reads the device's state, between samples and not after each, since that takes time. */
static void read_state(runner *r)
{
    ndft_timing *t = r->timing;
    double now = ndft_seconds();
    if (!t->stop && now - r->read_at < reading_s) return;
    ndft_state state = r->subject.rig->backend->state(r->subject.rig->exec);
    t->state = ndft_state_merge(t->state, state);
    for (; r->unread < t->n; r->unread++)
        t->throttled[r->unread] = (state.throttle & NDFT_THROTTLED) != 0;
    r->read_at = ndft_seconds();
}

/* The failure is the candidate's own when the device is still there afterwards. */
static ndft_status blame(runner *r, ndft_status status)
{
    const ndft_rig *rig = r->subject.rig;
    snprintf(r->timing->failed, sizeof r->timing->failed, "%s", rig->exec->error->message);
    r->timing->stop = "failed";
    ndft_error first = *rig->exec->error;
    if (rig->backend->sync(rig->exec) == NDFT_OK) return NDFT_OK;
    *rig->exec->error = first;
    r->timing->stop = "lost";
    return status;
}

static ndft_status take_turn(runner *r, const ndft_timing_options *options)
{
    ndft_rig *rig = r->subject.rig;
    ndft_sample sample;
    ndft_status status = NDFT_OK;
    double start = ndft_seconds();
    rig->candidate = r->subject.candidate;
    rig->expected_s = NAN;
    ndft_watch_phase(rig->watch, rig->candidate, NDFT_PHASE_TIME, rig->expected_s);
    if (!r->subject.begun) status = ndft_mode_begin(options->mode, &r->subject);
    if (status == NDFT_OK) status = ndft_mode_take(options->mode, &r->subject, &sample);
    if (status != NDFT_OK) return blame(r, status);
    r->wall_s += ndft_seconds() - start;
    keep(r, &sample);
    decide(r, options);
    read_state(r);
    return NDFT_OK;
}

/* One turn of every runner that has not stopped; *active: how many there were. */
static ndft_status take_round(runner *runners, const int *order, int n,
                              const ndft_timing_options *options, int *active)
{
    *active = 0;
    for (int i = 0; i < n; i++) {
        runner *r = &runners[order[i]];
        if (r->timing->stop) continue;
        if (options->interrupted && *options->interrupted) return NDFT_EINTR;
        NDFT_TRY(take_turn(r, options));
        ++*active;
    }
    return NDFT_OK;
}

/* After all samples of everybody, so that no sample of another waits for it. */
static ndft_status check_again(runner *r, ndft_mode mode)
{
    ndft_rig *rig = r->subject.rig;
    ndft_timing *t = r->timing;
    if (!r->check || !t->n || t->failed[0]) return NDFT_OK;
    rig->candidate = r->subject.candidate;
    t->rechecked = true;
    if (ndft_recheck(mode, &r->subject, r->check) || r->check->verdict != NDFT_ERROR)
        return NDFT_OK;
    const ndft_status status = blame(r, NDFT_EDEVICE);
    snprintf(t->failed, sizeof t->failed, "%s", r->check->reason);
    return status;
}

static ndft_status check_all_again(runner *runners, int n, ndft_mode mode)
{
    ndft_status status = NDFT_OK;
    for (int i = 0; i < n && status == NDFT_OK; i++) status = check_again(&runners[i], mode);
    return status;
}

static void finish(runner *r)
{
    ndft_timing *t = r->timing;
    if (!t->stop && t->n) t->stop = "interrupted";
    t->clock_mhz = ndft_stats_of(t->clocks, t->n).median;
    for (int i = 0; i < t->n; i++) t->throttled[i] |= t->clocks[i] < slow_clock * t->clock_mhz;
    for (int i = 0; i < NDFT_MAX_STEPS; i++) t->steps[i] = ndft_stats_of(r->steps[i], t->n).median;
    ndft_mode_end(&r->subject);
}

static ndft_status race(runner *runners, int *order, int n, uint64_t seed,
                        const ndft_timing_options *options)
{
    ndft_random random = {seed};
    ndft_status status = NDFT_OK;
    for (int round = 0, active = 1; active && status == NDFT_OK; round++) {
        ndft_order_round(order, n, round, &random);
        status = take_round(runners, order, n, options, &active);
    }
    return status;
}

ndft_status ndft_measure(ndft_rig *rig, const ndft_candidate *const *candidates, ndft_plan *plans,
                         ndft_check *checks, int n, const ndft_timing_options *options,
                         ndft_timing *timings)
{
    runner *runners = calloc((size_t)n, sizeof *runners);
    int *order = calloc((size_t)n, sizeof *order);
    ndft_status status = runners && order
                             ? NDFT_OK
                             : ndft_fail(rig->exec->error, NDFT_ENOMEM, "no memory for samples");
    for (int i = 0; i < n; i++) {
        timings[i] = (ndft_timing){.order = ndft_order_name(n), .state = ndft_state_blank()};
        if (status != NDFT_OK) continue;
        runners[i].subject =
            (ndft_subject){.rig = rig, .candidate = candidates[i], .plan = &plans[i]};
        runners[i].timing = &timings[i];
        runners[i].check = checks ? &checks[i] : NULL;
        runners[i].subject.consumes = checks && checks[i].consumes;
        timings[i].step_names = ndft_mode_steps(options->mode, candidates[i]->entry->variant);
    }
    if (status == NDFT_OK) status = race(runners, order, n, rig->problem->seed, options);
    if (status == NDFT_OK || status == NDFT_EINTR) {
        const ndft_status again = check_all_again(runners, n, options->mode);
        if (again != NDFT_OK) status = again;
    }
    for (int i = 0; i < n && runners && order; i++) finish(&runners[i]);
    free(runners);
    free(order);
    return status;
}
