/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REGION_H
#define NDFT_REGION_H

#include "check/fixture.h"

/* The timed part of a sample: executions of one plan between two marks of the backend's timer. */
typedef struct ndft_region {
    ndft_fixture *fixture;
    ndft_plan *plan;
    double launches; /* of an execution, as declared */
    int before;      /* untimed executions that go first */
    int repetitions; /* timed executions */
    int until;       /* the timed part ends with this mark (ndft_mark), from 1; 0: with the last
                        execution. There is one then. */
    bool consumes;   /* the plan overwrites its input, which is put back after each sample */
    void *graph;     /* so many of the timed ones, captured; NULL: none */
    int captured;    /* how many, 0 without a graph; repetitions is a multiple of it */
    bool held;       /* the device is held back until they are queued; not under a profiler, which
                        may run launches one at a time */
} ndft_region;

/* What a timer has read of a region. */
typedef struct ndft_reading {
    double seconds;   /* of all repetitions together */
    double clock_mhz; /* the mean over them; NaN when unknown */
    double call_s; /* the host's for each execution, or its share of a replay; NaN where the device
                      was not held back, as on a CPU, which is done when a call returns */
    bool dry;      /* the device had done all before it when only a part of it was queued */
} ndft_reading;

/* Of one execution, nothing before it, not held. Asks the variant for its cost, which may take as
 * long as an execution. */
ndft_region ndft_region_of(ndft_fixture *, ndft_plan *);

/*
 * Times all repetitions together; nothing but their launches lies between the marks. NDFT_EDEVICE
 * when an execution fails, or waits for the device while that is held back. An input that is
 * consumed is put back when the time is known.
 */
ndft_status ndft_region_time(const ndft_region *, ndft_reading *);

/* Queues the timed part alone, between the marks of one of the backend's timers, and does not wait.
 * previous: the timer of what was queued before; -1: nothing was. Sets call_s, of any device, and
 * dry. An input that is consumed is not put back. */
ndft_status ndft_region_start(const ndft_region *, int timer, int previous, ndft_reading *);

/* Opens a profiler's range named "VARIANT CASE"; ndft_fixture_pop closes it. */
void ndft_region_push(const ndft_fixture *);

/* Queues the repetitions untimed, or those of them that a graph has captured, as a backend's
 * capture wants it; region is an ndft_region. */
ndft_status ndft_region_queue(void *region);

/* Queues one execution, whose marks (ndft_mark) are told to the listener. */
ndft_status ndft_region_listen(const ndft_region *, void (*mark)(ndft_exec *, const char *stage),
                               void *listener);

/* Warms up, and finds the repetitions that last about a millisecond, or as many as a held device
 * can queue, or as an input that is consumed allows: one where an execution does that by itself.
 * last: of the last ones. */
ndft_status ndft_region_calibrate(ndft_region *, ndft_reading *last);

#endif
