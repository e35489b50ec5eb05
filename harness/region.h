/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REGION_H
#define NDFT_REGION_H

#include "rig.h"

#include <ndft/plan.h>

/* The timed part of a sample: executions of one plan between two marks of the backend's timer. */
typedef struct ndft_region {
    ndft_rig *rig;
    const ndft_plan *plan;
    int before;      /* untimed executions that go first */
    int repetitions; /* timed executions */
    int until;       /* the timed part ends with this mark (ndft_mark), from 1; 0: with the last
                        execution. There is one then. */
    bool consumes;   /* the plan overwrites its input, which is put back after each sample */
    void *graph;     /* all of the timed ones, captured; NULL: none */
    bool held;       /* the device is held back until they are queued; not under a profiler, which
                        may run launches one at a time */
} ndft_region;

/*
 * Times all repetitions together; nothing but their launches lies between the marks. clock_mhz is
 * the mean over them, NaN when unknown. NDFT_EDEVICE when an execution fails, or waits for the
 * device while that is held back. An input that is consumed is put back when the time is known.
 */
ndft_status ndft_region_time(const ndft_region *, double *seconds, double *clock_mhz);

/* Opens a profiler's range named "VARIANT CASE"; ndft_rig_pop closes it. */
void ndft_region_push(const ndft_rig *);

/* Queues the repetitions untimed, as a backend's capture wants it; region is an ndft_region. */
ndft_status ndft_region_queue(void *region);

/* Warms up, and finds the repetitions that last about a millisecond, or as many as a held device
 * can queue: one where an execution does that by itself. */
ndft_status ndft_region_calibrate(ndft_region *);

#endif
