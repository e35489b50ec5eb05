/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MEASURE_H
#define NDFT_MEASURE_H

#include "naming/verdict.h"
#include "timing.h"

#include <signal.h>

typedef struct ndft_timing_options {
    ndft_mode mode;
    double budget_s;   /* measured time to spend on each variant; of wall time four times that */
    double limit_s;    /* longest execution worth starting */
    int min_samples;   /* taken even when the budget is spent; 200 at most */
    double min_time_s; /* modes batch and graph are steady, and measured for as long at least; 0:
                          bursts */
    const volatile sig_atomic_t *interrupted; /* NULL: never */
} ndft_timing_options;

extern const ndft_timing_options ndft_timing_defaults;

/* The least time measured where a mode is steady with these options, else 0: bursts. */
double ndft_steady_time(ndft_mode, const ndft_timing_options *);

/*
 * Times the plans of n candidates on the fixture's operation in rounds.
 *
 * Burst: one sample each in every round, until every one has stopped: for a reason of
 * ndft_stopping_take, or because its budget is spent ("budget"), or with NDFT_MAX_SAMPLES
 * ("samples"). The order of a round is ndft_order_round's, seeded by the case.
 *
 * Steady, of modes batch and graph with min_time_s: one block each (steady.h) in each of two
 * rounds, the second in the opposite order, of half the time and the least samples each ("time").
 *
 * In mode end-to-end the plans are destroyed. Threads of the processor are pinned meanwhile.
 * Throttled samples are flagged by the rules of throttle.h; reasons and violations are read after a
 * sample and at most every 50 ms.
 *
 * A candidate that fails while the device stays usable has "failed" and the others go on.
 * NDFT_EDEVICE when the device does not stay usable; NDFT_EINTR after the sample during which the
 * user asked to stop, with what was measured kept.
 *
 * checks: what was found of each before. When all have stopped everyone that has samples is checked
 * once more in this mode (ndft_recheck), and told so in its timing. NULL: nobody is.
 */
ndft_status ndft_measure(ndft_fixture *, const ndft_candidate *const *, ndft_plan **, ndft_check *,
                         int n, const ndft_timing_options *, ndft_timing *);

#endif
