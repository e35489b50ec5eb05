/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TOY_H
#define NDFT_TOY_H

#include "measure/measure.h"

/*
 * A device whose clock only executions move, so that every time is known, and which writes down
 * what it is told to do, a letter each:
 *   h hold, l let go, f flush, s p r timer start, stop and read, < range push,
 *   c capture, g replay, x graph free, P D plan and destroy, u d upload and download, w sync,
 *   the plan's own letter for an execution.
 */
typedef struct toy {
    ndft_exec exec; /* first, so that an ndft_exec points at it */
    ndft_error error;
    double now, start[NDFT_TIMERS], stop[NDFT_TIMERS];
    double clock_mhz;
    double highest_mhz; /* what the device says of itself; 0: nothing */
    /* What executions take at a moment, in units of their cost: clock and power are as much less.
     * NULL: 1. */
    double (*pace)(double now);
    double joules_step;   /* of the energy counter, which counts 300 W; 0: none */
    double violated_each; /* s, by which every reading finds the violations grown */
    double violated_s;
    bool slow_host;      /* the device is always done when more is queued */
    bool queues_nothing; /* what is called is done when the call returns */
    bool pinned;         /* now */
    int slow;            /* this reading of the timer finds half the clock, from 1; 0: none */
    int reads;           /* of the timer */
    int states;          /* readings of the state */
    double flush_s;      /* wall time of a flush, which the timer does not see */
    unsigned throttle;   /* what state says */
    double away_s;       /* what a watch sees */
    bool no_capture;     /* capturing fails */
    bool lost;           /* sync fails */
    char log[1 << 16];
    int length;
} toy;

/* One plan on it. */
typedef struct toy_plan {
    toy *on;
    char letter;
    double cost;  /* s per execution */
    double grows; /* added to the cost by every execution */
    int fails_at; /* the execution that fails, from 1; 0: none */
    int executed;
    double launches; /* of an execution */
    double asked_s;  /* that the device waits while the host is told what an execution costs */
    int marks;       /* of an execution, after equal parts of it: "first", "second", "first" ... */
    const char *last_mark; /* in place of the last one's name; NULL: none */
} toy_plan;

/* Times n plans, in the order of their letters. */
ndft_status toy_measure(toy *, toy_plan *, int n, const ndft_timing_options *, ndft_timing *);

/* Whether all of the log matches an extended regular expression. */
bool toy_log_matches(const toy *, const char *expression);

#endif
