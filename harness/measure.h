/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MEASURE_H
#define NDFT_MEASURE_H

#include "modes.h"
#include "stopping.h"
#include "verdict.h"

#include <signal.h>

typedef struct ndft_timing_options {
    ndft_mode mode;
    double budget_s; /* measured time to spend on each variant; of wall time four times that */
    double limit_s;  /* longest execution worth starting */
    int min_samples; /* taken even when the budget is spent; 200 at most */
    const volatile sig_atomic_t *interrupted; /* NULL: never */
} ndft_timing_options;

extern const ndft_timing_options ndft_timing_defaults;

/*
 * What was measured of one candidate. stop: "ci", "noise", "budget", "samples", "interrupted",
 * "failed", or "lost" where the device was lost with it; NULL while it has no sample. order: of the
 * candidates in a round, "random" or "abba".
 */
typedef struct ndft_timing {
    int n;
    double samples[NDFT_MAX_SAMPLES]; /* s per execution */
    double clocks[NDFT_MAX_SAMPLES];  /* MHz, mean over each sample; NaN when unknown */
    bool throttled[NDFT_MAX_SAMPLES]; /* flagged, and part of all statistics */
    int repetitions;                  /* executions in a sample */
    const char *stop, *order;
    ndft_stats stats;
    double clock_mhz;              /* median */
    const char *const *step_names; /* as ndft_mode_steps says; NULL: none */
    double steps[NDFT_MAX_STEPS];  /* s, medians of as many */
    ndft_state state;              /* the worst seen */
    bool rechecked;                /* the output of this mode was looked at after the last sample */
    char failed[1024];             /* why it has no further samples; empty: it has not failed */
} ndft_timing;

/*
 * Times the plans of n candidates on the rig's operation, one sample each in every round, until
 * every one has stopped: for a reason of ndft_stopping_take, or because its budget is spent
 * ("budget"), or with NDFT_MAX_SAMPLES ("samples"). The order of a round is ndft_order_round's,
 * seeded by the case. In mode end-to-end the plans are destroyed.
 *
 * A sample is throttled when a reading of the device's state, taken after it and before the next
 * reading, has a reason of NDFT_THROTTLED, or its clock is below 75 % of the median.
 *
 * A candidate that fails while the device stays usable has "failed" and the others go on.
 * NDFT_EDEVICE when the device does not stay usable; NDFT_EINTR after the sample during which the
 * user asked to stop, with what was measured kept.
 *
 * checks: what was found of each before. When all have stopped everyone that has samples is checked
 * once more in this mode (ndft_recheck), and told so in its timing. NULL: nobody is.
 */
ndft_status ndft_measure(ndft_rig *, const ndft_candidate *const *, ndft_plan *, ndft_check *,
                         int n, const ndft_timing_options *, ndft_timing *);

#endif
