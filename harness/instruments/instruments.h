/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_INSTRUMENTS_H
#define NDFT_INSTRUMENTS_H

#include "device/backend.h"
#include "nvml.h"
#include "phase.h"
#include "state.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Launches that a held device is sure to queue: the driver has room for 1024, and a variant's
 * declared launches may leave out a few. */
enum { NDFT_QUEUE = 256 };

/* Stretches of queued work that can be timed before the first of them is read. */
enum { NDFT_TIMERS = 4 };

/*
 * What measures the work of a backend. The measuring loop, the checks and the CLI know only this
 * table and the backend's own. What an instrument keeps for a device lies in exec->instruments from
 * its first use on.
 */
typedef struct ndft_instruments {
    const char *backend; /* its name */

    /* Start and stop mark a stretch of queued work on one of the timers, 0 to NDFT_TIMERS - 1. Read
     * waits for it, not for what is queued behind, and gives its seconds, by the steady clock or by
     * events on the stream, and the mean core clock over it in MHz: NaN where that is unknown, or
     * the stretch too short to tell. */
    ndft_status (*timer_start)(ndft_exec *, int timer);
    ndft_status (*timer_stop)(ndft_exec *, int timer);
    ndft_status (*timer_read)(ndft_exec *, int timer, double *seconds, double *clock_mhz);

    /* Whether the device has passed the timer's stop already. NULL: this backend queues nothing. */
    bool (*timer_passed)(ndft_exec *, int timer);

    /*
     * Holds the device back from what is queued after hold, until release_stream, so that a timer
     * sees no launch latency. Everything that is queued in between must have run before (loading
     * code may wait for the device), and be at most NDFT_QUEUE launches. A device that was held
     * longer than 5 s goes on by itself, and release_stream then fails with what may be the reason.
     * NULL: this backend queues nothing.
     */
    ndft_status (*block_stream)(ndft_exec *);
    ndft_status (*release_stream)(ndft_exec *);

    /* Evicts from the caches what work queued so far has left there; leaves nothing to write back.
     * NDFT_ENOMEM. */
    ndft_status (*flush)(ndft_exec *);

    /* Captures what queue queues, instead of running it, for replay. NULL: this backend has no
     * graphs. NDFT_EDEVICE when it cannot be captured. */
    ndft_status (*capture)(ndft_exec *, ndft_status (*queue)(void *context), void *context,
                           void **graph);
    ndft_status (*replay)(ndft_exec *, void *graph);
    void (*graph_free)(ndft_exec *, void *graph);
    /* How many nodes it would have: kernels, copies, fills. NULL and NDFT_EDEVICE as above. */
    ndft_status (*count_nodes)(ndft_exec *, ndft_status (*queue)(void *context), void *context,
                               size_t *nodes);

    ndft_state (*state)(ndft_exec *);       /* now; the first call may take a second */
    ndft_counters (*counters)(ndft_exec *); /* as is said of state */
    double (*energy)(ndft_exec *);          /* J, counted from anywhere; NaN when unknown */
    ndft_nvml_facts (*facts)(ndft_exec *);  /* as is said of state */

    /* The longest, in s, that the device did another program's work in some milliseconds of
     * watching it; NaN when unknown. NULL: nobody can tell. */
    double (*away)(ndft_exec *);

    /* Gives the threads of the processor a core each, or gives them all cores back. Whether they
     * have one each now. NULL: the work is done by no threads of the processor. */
    bool (*pin)(ndft_exec *, bool on);

    /* Profiler ranges in the domain "ndft"; nested; the phase is their category, the payload the
     * problem's content hash. */
    void (*range_push)(ndft_phase, const char *label, uint64_t payload);
    void (*range_pop)(void);

    /* Tells a profiler that waits for it (ncu, nsys) to begin, and to end. */
    ndft_status (*profiler)(ndft_exec *, bool on);
} ndft_instruments;

extern const ndft_instruments ndft_instruments_cpu, ndft_instruments_cuda;

/* NULL-terminated, one for every backend. */
extern const ndft_instruments *const ndft_all_instruments[];

/* Those of the backend of this name. */
const ndft_instruments *ndft_instruments_of(const char *backend);

#ifdef __cplusplus
}
#endif
#endif
