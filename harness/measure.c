/* SPDX-License-Identifier: Apache-2.0 */
#include "measure.h"

#include <math.h>

static const double sample_s = 1e-3, narrow = 0.005;
enum { MAX_REPETITIONS = 10000 };

const ndft_timing_options ndft_timing_defaults = {.budget_s = 0.5, .limit_s = 60, .min_samples = 3};

ndft_status ndft_time_batch(const ndft_rig *rig, const ndft_plan *plan, int repetitions,
                            double *seconds)
{
    const void *in = rig->in[ndft_side_in(rig->op)];
    void *out = rig->out[ndft_side_out(rig->op)];
    NDFT_TRY(rig->backend->timer_start(rig->exec));
    for (int i = 0; i < repetitions; i++) NDFT_TRY(ndft_execute(plan, rig->op, in, out));
    return rig->backend->timer_stop(rig->exec, seconds);
}

ndft_status ndft_calibrate(const ndft_rig *rig, const ndft_plan *plan, int *repetitions)
{
    double seconds;
    *repetitions = 1;
    NDFT_TRY(ndft_time_batch(rig, plan, 1, &seconds));
    while (seconds < 10 * sample_s) { /* a long execution has warmed up, and needs no company */
        NDFT_TRY(ndft_time_batch(rig, plan, *repetitions, &seconds));
        if (seconds >= 0.8 * sample_s || *repetitions >= MAX_REPETITIONS) return NDFT_OK;
        double factor = fmin(fmax(sample_s / fmax(seconds, 1e-9), 1.25), 10);
        *repetitions = (int)fmin(ceil(factor * *repetitions), MAX_REPETITIONS);
    }
    return NDFT_OK;
}

static ndft_status take_sample(const ndft_rig *rig, const ndft_plan *plan, ndft_timing *timing)
{
    double seconds;
    NDFT_TRY(ndft_time_batch(rig, plan, timing->repetitions, &seconds));
    double clock = rig->backend->clock_mhz(rig->exec);
    timing->samples[timing->n] = seconds / timing->repetitions;
    timing->clocks[timing->n] = clock > 0 ? clock : NAN;
    timing->n++;
    return NDFT_OK;
}

static ndft_status take_turn(const ndft_rig *rig, const ndft_plan *plan, ndft_timing *timing)
{
    if (!timing->repetitions) NDFT_TRY(ndft_calibrate(rig, plan, &timing->repetitions));
    return take_sample(rig, plan, timing);
}

static void decide(ndft_timing *timing, const ndft_timing_options *options)
{
    double spent = 0;
    for (int i = 0; i < timing->n; i++) spent += timing->samples[i] * timing->repetitions;
    timing->stats = ndft_stats_of(timing->samples, timing->n);
    timing->clock_mhz = ndft_stats_of(timing->clocks, timing->n).median;
    const ndft_stats *s = &timing->stats;
    bool enough = timing->n >= options->min_samples;
    if (enough && s->ci_hi - s->ci_lo < narrow * s->median)
        timing->stop = "ci";
    else if (enough && spent >= options->budget_s)
        timing->stop = "budget";
    else if (timing->n == NDFT_MAX_SAMPLES)
        timing->stop = "samples";
}

/* One sample of every timing that has not stopped; how many there were. */
static ndft_status take_round(ndft_rig *rig, const ndft_candidate *const *candidates,
                              const ndft_plan *plans, int n, const ndft_timing_options *options,
                              ndft_timing *timings, int *active)
{
    *active = 0;
    for (int i = 0; i < n; i++) {
        if (timings[i].stop) continue;
        if (options->interrupted && *options->interrupted) return NDFT_EINTR;
        rig->candidate = candidates[i];
        rig->expected_s = NAN;
        ndft_rig_push(rig, NDFT_PHASE_TIME);
        ndft_status status = take_turn(rig, &plans[i], &timings[i]);
        ndft_rig_pop(rig);
        NDFT_TRY(status);
        decide(&timings[i], options);
        ++*active;
    }
    return NDFT_OK;
}

ndft_status ndft_measure(ndft_rig *rig, const ndft_candidate *const *candidates,
                         const ndft_plan *plans, int n, const ndft_timing_options *options,
                         ndft_timing *timings)
{
    ndft_status status = NDFT_OK;
    for (int i = 0; i < n; i++) timings[i] = (ndft_timing){0};
    for (int active = 1; active && status == NDFT_OK;)
        status = take_round(rig, candidates, plans, n, options, timings, &active);
    for (int i = 0; i < n; i++)
        if (!timings[i].stop && timings[i].n) timings[i].stop = "interrupted";
    return status;
}
