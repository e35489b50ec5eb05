/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HARNESS_GROUP_H
#define NDFT_HARNESS_GROUP_H

#include "harness.h"
#include "measure/measure.h"
#include "naming/verdict.h"
#include "problem/kinds.h"

/* The unit of work: one case, and the variants of one backend. */

/* How a result was, or will be, come by. */
typedef struct ndft_sampling {
    const char *mode;  /* of the timing; NULL: only checked */
    int processes;     /* below 2: one */
    double min_time_s; /* of a steady timing; 0: a burst */
} ndft_sampling;

/* All that is known of one variant on one case; valid only while the sink runs. */
typedef struct ndft_result {
    const ndft_case *problem;
    const ndft_candidate *candidate;
    const ndft_device *device; /* NULL when the backend is missing */
    int threads;               /* host threads, 0 with device NULL */
    ndft_sampling how;
    ndft_check check;
    const ndft_timing *timing; /* NULL: not timed */
    ndft_cost cost;            /* zeros unless it fits */
    double coil_pairs;
} ndft_result;

typedef struct ndft_sink {
    void (*take)(void *context, const ndft_result *);
    void *context;
} ndft_sink;

typedef struct ndft_group_options {
    bool timed; /* false: check only */
    ndft_timing_options timing;
    int processes;           /* that the group is run in, one after the other; below 2: one */
    const ndft_watch *watch; /* NULL: nobody watches */
} ndft_group_options;

/* How a group with these options comes by its results in a mode. */
ndft_sampling ndft_sampling_of(const ndft_group_options *, ndft_mode);

/*
 * Makes the problem once, opens the backend's first device, checks every candidate, times those
 * that passed and the ablations, interleaved, and gives the sink one result each: failures at once,
 * passes when timed. Needs no state from outside, so that it can run in a process of its own.
 * Candidates of a missing backend are unsupported with the backend's sentence. Errors: what
 * ndft_make and plans (NDFT_EINVAL) say of the case, and those that wait to be timed then have no
 * result; 16 are timed at once, or fewer for want of memory, so that earlier ones may have theirs.
 * NDFT_EDEVICE from the device, NDFT_EINTR when the user asked to stop.
 */
ndft_status ndft_run_group(const ndft_kind *, const ndft_case *, const ndft_backend *,
                           const ndft_candidate *, int n, const ndft_group_options *,
                           const ndft_sink *, ndft_error *);

#endif
