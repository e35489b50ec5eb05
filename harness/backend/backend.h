/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BACKEND_H
#define NDFT_BACKEND_H

#include "counters.h"
#include "nvml.h"
#include "phase.h"

#include <ndft/exec.h>

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
 * Everything the harness needs from a place where variants run. The measuring loop, the checks and
 * the CLI know only this table; all knowledge of CUDA on the harness's side is in *_cuda.cu, or in
 * backend_none.c when there is no nvcc.
 */
typedef struct ndft_backend {
    const char *name; /* "cpu", "cuda" */

    /* NULL when usable, else why not: "no CUDA device is present". */
    const char *(*missing)(void);

    /* Opens device number index; error messages of the exec go to err. */
    ndft_status (*open)(int index, ndft_exec **, ndft_error *err);
    void (*close)(ndft_exec *); /* NULL is allowed */

    ndft_status (*download)(ndft_exec *, void *host, const void *device, size_t bytes);
    ndft_status (*fill)(ndft_exec *, void *device, int byte, size_t bytes); /* poison */
    /* From device to device, queued. */
    ndft_status (*copy)(ndft_exec *, void *to, const void *from, size_t bytes);
    ndft_status (*sync)(ndft_exec *); /* waits; reports errors of earlier launches */

    /* NDFT_OK while every guard band of every live buffer is intact; else NDFT_EDEVICE with a
     * message naming the buffer and the side that was overwritten. Repairs the band. */
    ndft_status (*guards)(ndft_exec *);

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
     * Holds the device back from what is queued after hold, until let_go, so that a timer sees no
     * launch latency. Everything that is queued in between must have run before (loading code may
     * wait for the device), and be at most NDFT_QUEUE launches. A device that was held longer than
     * 5 s goes on by itself, and let_go then fails with what may be the reason. NULL: this backend
     * queues nothing.
     */
    ndft_status (*hold)(ndft_exec *);
    ndft_status (*let_go)(ndft_exec *);

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

    /* Gives the threads of the processor a core each, or gives them all cores back. Whether they
     * have one each now. NULL: the work is done by no threads of the processor. */
    bool (*pin)(ndft_exec *, bool on);

    /* Profiler ranges in the domain "ndft"; nested; the phase is their category, the payload the
     * problem's content hash. */
    void (*range_push)(ndft_phase, const char *label, uint64_t payload);
    void (*range_pop)(void);

    /* Tells a profiler that waits for it (ncu, nsys) to begin, and to end. */
    ndft_status (*profiler)(ndft_exec *, bool on);
} ndft_backend;

extern const ndft_backend ndft_backend_cpu, ndft_backend_cuda;

/* "x86-64-v3" */
const char *ndft_isa_name(ndft_isa);

/* NULL when no backend has this name. */
const ndft_backend *ndft_backend_find(const char *name);

/* NULL-terminated, in report order. */
extern const ndft_backend *const ndft_backends[];

#ifdef __cplusplus
}
#endif
#endif
