/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include "base/now.h"
#include "bimodal.h"
#include "order.h"
#include "recheck.h"
#include "steady.h"
#include "throttle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double wall_share = 4;   /* wall time allowed, in budgets */
static const double reading_s = 0.05; /* least time between two readings of the state */
enum { BLOCKS = 2 };                  /* of a steady timing */

const ndft_timing_options ndft_timing_defaults = {.budget_s = 0.5, .limit_s = 60, .min_samples = 3};

/* One candidate among those that are timed against each other. */
typedef struct runner {
    ndft_subject subject;
    ndft_check *check; /* NULL: nobody asks */
    ndft_timing *timing;
    ndft_stopping stopping;
    int round;
    double measured_s, executions, wall_s;
    double steps[NDFT_MAX_STEPS][NDFT_MAX_SAMPLES], calls[NDFT_MAX_SAMPLES];
    double read_at; /* of the last reading of the state */
    int unread;     /* the first sample since then */
    int n_powers;
    double powers[NDFT_MAX_SAMPLES]; /* W, of all readings */
    double counted_at;               /* of the last reading of the counters */
    ndft_counters counted;
    double joules, joule_s;
} runner;

double ndft_steady_time(ndft_mode mode, const ndft_timing_options *options)
{
    return ndft_steady_mode(mode) ? options->min_time_s : 0;
}

static bool is_steady(const ndft_timing_options *options)
{
    return ndft_steady_time(options->mode, options) > 0;
}

static bool is_interrupted(const ndft_timing_options *options)
{
    return options->interrupted && *options->interrupted;
}

static void keep(runner *r, const ndft_sample *sample)
{
    ndft_timing *t = r->timing;
    t->repetitions = r->subject.region.repetitions;
    t->samples[t->n] = sample->seconds;
    t->clocks[t->n] = sample->clock_mhz;
    t->rounds[t->n] = r->round;
    t->dry[t->n] = sample->dry;
    r->calls[t->n] = sample->call_s;
    for (int i = 0; i < NDFT_MAX_STEPS; i++) r->steps[i][t->n] = sample->steps[i];
    r->measured_s += sample->seconds * t->repetitions;
    r->executions += t->repetitions;
    t->n++;
}

static void decide(runner *r, const ndft_timing_options *options)
{
    ndft_timing *t = r->timing;
    t->stats = ndft_stats_of(t->samples, t->n);
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

/* From here on violations are counted. */
static void read_counters(runner *r)
{
    r->counted = r->subject.fixture->instruments->counters(r->subject.fixture->exec);
    r->counted_at = ndft_now_s();
}

/* Whether more than noise was counted since the last time. */
static bool count_violations(runner *r)
{
    const ndft_counters before = r->counted;
    const double since = r->counted_at;
    read_counters(r);
    const double violated_s = ndft_counters_violated(&before, &r->counted);
    return ndft_throttle_violated(violated_s, r->counted_at - since);
}

/* Reads the device's state, between samples and not after each, since that takes time. */
static void read_state(runner *r, bool now)
{
    ndft_timing *t = r->timing;
    if (r->unread == t->n || (!now && ndft_now_s() - r->read_at < reading_s)) return;
    const ndft_state state = r->subject.fixture->instruments->state(r->subject.fixture->exec);
    const bool named = state.throttle & NDFT_THROTTLED, violated = count_violations(r);
    t->state = ndft_state_merge(t->state, state);
    r->powers[r->n_powers++] = state.power_w;
    for (; r->unread < t->n; r->unread++) {
        t->idle[r->unread] = state.throttle == NDFT_GPU_IDLE;
        t->throttled[r->unread] = (unsigned char)(named << NDFT_THROTTLED_BY_REASON |
                                                  violated << NDFT_THROTTLED_BY_VIOLATION);
    }
    r->read_at = ndft_now_s();
}

/* The failure is the candidate's own when the device is still there afterwards. */
static ndft_status blame(runner *r, ndft_status status)
{
    const ndft_fixture *fixture = r->subject.fixture;
    snprintf(r->timing->failed, sizeof r->timing->failed, "%s", fixture->exec->error->message);
    r->timing->stop = "failed";
    ndft_error first = *fixture->exec->error;
    if (fixture->backend->sync(fixture->exec) == NDFT_OK) return NDFT_OK;
    *fixture->exec->error = first;
    r->timing->stop = "lost";
    return status;
}

static void beat(const runner *r)
{
    ndft_watch_phase(r->subject.fixture->watch, r->subject.candidate, NDFT_PHASE_TIME, NAN);
}

static ndft_status take_sample(runner *r, const ndft_timing_options *options)
{
    ndft_sample sample;
    double start = ndft_now_s();
    NDFT_TRY(ndft_mode_take(options->mode, &r->subject, &sample));
    r->wall_s += ndft_now_s() - start;
    keep(r, &sample);
    decide(r, options);
    read_state(r, r->timing->stop != NULL);
    return NDFT_OK;
}

static ndft_status take_samples(runner *r, ndft_steady *s, const ndft_timing_options *options)
{
    ndft_sample sample;
    read_counters(r);
    while (ndft_steady_goes_on(s) && !is_interrupted(options)) {
        NDFT_TRY(ndft_steady_take(s, &sample));
        beat(r);
        keep(r, &sample);
        read_state(r, false);
    }
    read_state(r, true);
    return NDFT_OK;
}

static ndft_status take_block(runner *r, const ndft_timing_options *options)
{
    ndft_timing *t = r->timing;
    ndft_steady s;
    ndft_status status =
        ndft_steady_begin(&s, &r->subject, options->min_time_s / BLOCKS,
                          (options->min_samples + BLOCKS - 1) / BLOCKS, NDFT_MAX_SAMPLES / BLOCKS);
    if (status == NDFT_OK) status = take_samples(r, &s, options);
    const ndft_status ended = ndft_steady_end(&s);
    t->warm_up_s = fmax(t->warm_up_s, s.warm_up_s);
    t->settled = t->settled && s.settled;
    t->stats = ndft_stats_of(t->samples, t->n);
    r->joules += s.joules;
    r->joule_s += s.joule_s;
    if (r->round + 1 == BLOCKS && !is_interrupted(options))
        t->stop = r->measured_s >= options->min_time_s ? "time" : "samples";
    return status == NDFT_OK ? ended : status;
}

static ndft_status take_turn(runner *r, const ndft_timing_options *options)
{
    ndft_fixture *fixture = r->subject.fixture;
    ndft_status status = NDFT_OK;
    fixture->candidate = r->subject.candidate;
    fixture->expected_s = NAN;
    beat(r);
    if (fixture->instruments->pin)
        r->timing->pinned = fixture->instruments->pin(fixture->exec, true);
    if (!r->subject.begun) {
        read_counters(r);
        const double start = ndft_now_s();
        status = ndft_mode_begin(options->mode, &r->subject);
        r->wall_s += ndft_now_s() - start;
    }
    if (status == NDFT_OK)
        status = is_steady(options) ? take_block(r, options) : take_sample(r, options);
    return status == NDFT_OK ? NDFT_OK : blame(r, status);
}

/* One turn of every runner that has not stopped; *active: how many there were. */
static ndft_status take_round(runner *runners, const int *order, int n, int round,
                              const ndft_timing_options *options, int *active)
{
    *active = 0;
    for (int i = 0; i < n; i++) {
        runner *r = &runners[order[i]];
        if (r->timing->stop) continue;
        if (is_interrupted(options)) return NDFT_EINTR;
        r->round = round;
        NDFT_TRY(take_turn(r, options));
        ++*active;
    }
    return NDFT_OK;
}

/* After all samples of everybody, so that no sample of another waits for it. */
static ndft_status check_again(runner *r, ndft_mode mode)
{
    ndft_fixture *fixture = r->subject.fixture;
    ndft_timing *t = r->timing;
    if (!r->check || !t->n || t->failed[0]) return NDFT_OK;
    fixture->candidate = r->subject.candidate;
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

static void begin(runner *r, const ndft_timing_options *options, int n)
{
    const bool steady = is_steady(options);
    *r->timing = (ndft_timing){.order = steady ? "abba" : ndft_order_name(n),
                               .regime = steady ? "steady" : "burst",
                               .min_time_s = ndft_steady_time(options->mode, options),
                               .pinned = -1,
                               .step_names = ndft_mode_steps(options->mode, r->subject.candidate),
                               .state = ndft_state_blank(),
                               .warm_up_s = NAN,
                               .settled = steady,
                               .working_set_bytes = NAN};
}

static ndft_range range_of(const double *values, int n)
{
    ndft_range range = {NAN, NAN, NAN};
    double sum = 0;
    int known = 0;
    for (int i = 0; i < n; i++) {
        if (isnan(values[i])) continue;
        sum += values[i];
        known++;
        range.least = fmin(range.least, values[i]);
        range.highest = fmax(range.highest, values[i]);
    }
    range.mean = sum / known;
    return range;
}

static void finish(runner *r)
{
    ndft_timing *t = r->timing;
    if (!t->stop && t->n) t->stop = "interrupted";
    t->clock_mhz = ndft_stats_of(t->clocks, t->n).median;
    t->call_s = ndft_stats_of(r->calls, t->n).median;
    t->clock = range_of(t->clocks, t->n);
    t->power = range_of(r->powers, r->n_powers);
    t->energy_j = r->joules / r->joule_s * r->measured_s / r->executions; /* NaN without joules */
    t->two_modes = ndft_two_modes(t->samples, t->n, t->mode_medians);
    for (int i = 0; i < NDFT_MAX_STEPS; i++) t->steps[i] = ndft_stats_of(r->steps[i], t->n).median;
    ndft_mode_end(&r->subject);
}

static ndft_status race(runner *runners, int *order, int n, uint64_t seed,
                        const ndft_timing_options *options)
{
    ndft_random random = {seed};
    ndft_status status = NDFT_OK;
    for (int round = 0, active = 1; active && status == NDFT_OK; round++) {
        if (is_steady(options))
            ndft_order_there_and_back(order, n, round);
        else
            ndft_order_round(order, n, round, &random);
        status = take_round(runners, order, n, round, options, &active);
    }
    return status;
}

/* What needs all timings, and gives the processor's threads back. */
static void conclude(const ndft_fixture *fixture, ndft_timing *timings, int n)
{
    bool known = false;
    for (int i = 0; i < n; i++) known = known || !isnan(timings[i].clock_mhz);
    const double told = known ? fixture->instruments->facts(fixture->exec).max_sm_clock_mhz : NAN;
    ndft_throttle_judge(timings, n, isnan(told) ? fixture->exec->device.clock_mhz : told);
    if (fixture->instruments->pin) fixture->instruments->pin(fixture->exec, false);
    if (!fixture->instruments->away) return;
    const double away_s = fixture->instruments->away(fixture->exec);
    for (int i = 0; i < n; i++) timings[i].state.away_s = away_s;
}

ndft_status ndft_measure(ndft_fixture *fixture, const ndft_candidate *const *candidates,
                         ndft_plan **plans, ndft_check *checks, int n,
                         const ndft_timing_options *options, ndft_timing *timings)
{
    runner *runners = calloc((size_t)n, sizeof *runners);
    int *order = calloc((size_t)n, sizeof *order);
    ndft_status status =
        runners && order ? NDFT_OK
                         : ndft_fail(fixture->exec->error, NDFT_ENOMEM, "no memory for samples");
    for (int i = 0; i < n; i++) {
        timings[i] = (ndft_timing){0};
        if (status != NDFT_OK) continue;
        runners[i].subject =
            (ndft_subject){.fixture = fixture, .candidate = candidates[i], .plan = &plans[i]};
        runners[i].timing = &timings[i];
        runners[i].check = checks ? &checks[i] : NULL;
        runners[i].subject.consumes = checks && checks[i].consumes;
        begin(&runners[i], options, n);
    }
    if (status == NDFT_OK) status = race(runners, order, n, fixture->problem->seed, options);
    if (status == NDFT_OK || status == NDFT_EINTR) {
        const ndft_status again = check_all_again(runners, n, options->mode);
        if (again != NDFT_OK) status = again;
    }
    for (int i = 0; i < n && runners && order; i++) finish(&runners[i]);
    conclude(fixture, timings, n);
    free(runners);
    free(order);
    return status;
}
