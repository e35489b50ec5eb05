/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRIAL_H
#define NDFT_TRIAL_H

#include "gate.h"
#include "plan_objects.h"

/* Engines executed on a plan's problem, or on a part of it, on white data. */

typedef struct ndft_trials {
    ndft_plan *plan;
    const ndft_problem *problem;
    unsigned ops;
    void *in, *out; /* on the device; one where the transform is in place */
    void *kept;     /* a copy of what is overwritten then; else NULL */
    size_t in_bytes;
    int in_a_row;   /* executions before numbers grow too large in place */
    double ends;    /* when time is up; the caller's */
    ndft_gate gate; /* where there is one, rows take what the device takes for them */
} ndft_trials;

typedef struct ndft_trial {
    ndft_ranked ranked; /* seconds: by estimate */
    ndft_prepared prepared;
    bool held;      /* prepared, and executed once */
    bool searched;  /* the knobs of its engine */
    double first_s; /* of its second execution where the first is short: that loads what it needs */
    int count;      /* executions that make a row */
} ndft_trial;

/* Takes vectors. */
ndft_status ndft_trials_begin(ndft_trials *, ndft_plan *, const ndft_problem *, unsigned ops);
void ndft_trials_end(ndft_trials *);

ndft_status ndft_trials_put_gate(ndft_trials *);

/* Seconds that are left. */
double ndft_trials_left(const ndft_trials *);

/* Prepares an engine, which may try things out for so many seconds, and executes it. It is not held
 * where it is NDFT_EUNSUPPORTED after all or NDFT_ENOMEM. */
ndft_status ndft_trial_hold(const ndft_trials *, ndft_trial *, double patience_s);
void ndft_trial_drop(ndft_trial *);

/* Whether an execution takes so long that one tells as much as several. */
bool ndft_trial_is_long(const ndft_trial *);

/* What a row of executions takes, with what it waits behind. */
double ndft_trial_row_s(const ndft_trials *, const ndft_trial *);

/* Seconds of one execution of each operation, from a row of them. *queued: the host, which queues
 * them, was hardly done before a device was. */
ndft_status ndft_trial_row(const ndft_trials *, const ndft_trial *, double *seconds, bool *queued);

#endif
