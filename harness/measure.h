/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MEASURE_H
#define NDFT_MEASURE_H

#include "mode.h"
#include "rig.h"
#include "stats.h"

#include <ndft/plan.h>

#include <signal.h>

enum { NDFT_MAX_SAMPLES = 200 };

typedef struct ndft_timing_options {
    ndft_mode mode;
    double budget_s;                          /* measured time to spend on each variant */
    double limit_s;                           /* longest execution worth starting */
    int min_samples;                          /* taken even when the budget is spent; 200 at most */
    const volatile sig_atomic_t *interrupted; /* NULL: never */
} ndft_timing_options;

extern const ndft_timing_options ndft_timing_defaults;

/* Mode "batch": a sample is the mean of executions launched back to back, enough of them to last
 * about a millisecond. */
typedef struct ndft_timing {
    int n;
    double samples[NDFT_MAX_SAMPLES]; /* s per execution */
    double clocks[NDFT_MAX_SAMPLES];  /* MHz after each sample; NaN when unknown */
    int repetitions;                  /* executions in a sample */
    const char *stop;                 /* "ci", "budget", "samples", "interrupted"; NULL: not yet */
    ndft_stats stats;
    double clock_mhz; /* median */
} ndft_timing;

/*
 * Times the plans of n candidates on the rig's operation, one sample each in turn, until every one
 * has stopped: the interval of its median is narrower than 0.5 % of it, its budget is spent, or it
 * has NDFT_MAX_SAMPLES. NDFT_EDEVICE when an execution fails; NDFT_EINTR after the sample during
 * which the user asked to stop, with what was measured kept.
 */
ndft_status ndft_measure(ndft_rig *, const ndft_candidate *const *, const ndft_plan *, int n,
                         const ndft_timing_options *, ndft_timing *);

/* The two steps of a sample, for timers that have a loop of their own. Calibration warms up and
 * finds the repetitions that make a sample long enough; a batch is so many executions queued back
 * to back, timed together. NDFT_EDEVICE when an execution fails. */
ndft_status ndft_calibrate(const ndft_rig *, const ndft_plan *, int *repetitions);
ndft_status ndft_time_batch(const ndft_rig *, const ndft_plan *, int repetitions, double *seconds);

#endif
