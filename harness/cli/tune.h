/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TUNE_H
#define NDFT_TUNE_H

#include "search.h"
#include "session.h"

/* The knobs of every variant of a workload searched, each setting checked, timed and recorded. */
typedef struct ndft_tune {
    const ndft_workload *load;
    ndft_session session;    /* its log opened by the caller */
    double time_s;           /* for all of it; what is under way then is finished */
    int processes;           /* that the best settings are confirmed in; below 2: they are not */
    ndft_isolate *confirmer; /* for that; NULL: none */
    ndft_search *searches;   /* one for each built candidate of the workload */
    int n, ended;            /* those that found nothing more to try */
} ndft_tune;

/* Describes the devices in use. */
ndft_status ndft_tune_begin(ndft_tune *, const ndft_workload *, const ndft_isolate_options *,
                            ndft_error *);

/*
 * Tries every preset, then searches one variant after the other, the fastest first, until the time
 * is up or nothing is left to try; beside peers each has the same share of it. Of many settings the
 * best is partly the luckiest: so the best of every variant are timed once more, against each
 * other, in processes that did not pick them. What was tried and confirmed is appended to the log
 * as case records, and it is closed. NDFT_EINTR when the user asked to stop; NDFT_EIO as soon as a
 * record is lost; NDFT_EDEVICE.
 */
ndft_status ndft_tune_run(ndft_tune *, ndft_error *);

void ndft_tune_end(ndft_tune *);

#endif
