/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TUNE_H
#define NDFT_TUNE_H

#include "search.h"
#include "session.h"

enum { NDFT_TUNED_BACKENDS = 2 };

/* The knobs of every variant searched on each case of a workload in each of its modes, every
 * setting checked, timed and recorded. */
typedef struct ndft_tune {
    const ndft_workload *load;
    ndft_session session;    /* its log opened by the caller */
    double time_s;           /* for a case in a mode; what is under way then is finished */
    int processes;           /* that the best settings are confirmed in; below 2: they are not */
    ndft_isolate *confirmer; /* for that; NULL: none */
    void (*tell)(struct ndft_tune *); /* what was found, after each case in a mode */
    int passed;                       /* for its use */

    const ndft_work *works[NDFT_TUNED_BACKENDS]; /* the case and mode under way, by backend */
    int n_works;
    double start;
    ndft_search *searches; /* one for each variant that is built and usable */
    int n, ended;          /* those that found nothing more to try */
} ndft_tune;

/* Describes the devices in use. NDFT_EUNSUPPORTED where none is usable. */
ndft_status ndft_tune_begin(ndft_tune *, const ndft_workload *, const ndft_isolate_options *,
                            ndft_error *);

/*
 * On one case after the other tries every preset, then searches one variant after the other, the
 * fastest first, until the time is up or nothing is left to try; beside peers each has the same
 * share of it. Of many settings the best is partly the luckiest: so the best of every variant are
 * timed once more, against each other, in processes that did not pick them. What was tried and
 * confirmed is appended to the log as case records, and it is closed. NDFT_EINTR when the user
 * asked to stop; NDFT_EIO as soon as a record is lost; NDFT_EDEVICE.
 */
ndft_status ndft_tune_run(ndft_tune *, ndft_error *);

void ndft_tune_end(ndft_tune *);

#endif
