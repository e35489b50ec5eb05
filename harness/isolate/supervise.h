/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUPERVISE_H
#define NDFT_SUPERVISE_H

#include "process.h"

/* How a worker's turn ended: with an answer, or with its death. */
typedef struct ndft_ending {
    ndft_status status; /* of the start or the group; NDFT_OK when it died */
    bool died;
    ndft_verdict verdict; /* of the candidate in hand: NDFT_CRASHED or NDFT_TIMEOUT */
    char how[128];        /* "signal 11 (Segmentation fault)", "no sign of life for 30 s" */
    ndft_heartbeat_reading last;
} ndft_ending;

/* Takes what a worker found of a candidate. False: it cannot be kept. */
typedef struct ndft_answer_sink {
    bool (*take)(void *context, ndft_answer *);
    void *context;
} ndft_answer_sink;

/* Waits until a new worker is ready; its place is then on its shared state. NDFT_EDEVICE also when
 * it needs ten times the deadline. After a failure or a death, process holds no worker. */
ndft_ending ndft_supervise_start(ndft_process *, double deadline_s, ndft_error *);

/*
 * Waits until the worker has answered a request, giving what it finds to the sink. It is killed
 * when it gives no sign of life for as long as its phase may take: deadline_s, or twenty times what
 * the execution under way was estimated at; while the problem or the reference is made, ten times
 * deadline_s and 100 ns for every coil pair of them. Time in which this process did not run does
 * not count. It is killed, too, when the sink refuses one: NDFT_EIO. interrupted (NULL: never)
 * is passed on. After a death, process holds no worker.
 */
ndft_ending ndft_supervise(ndft_process *, const ndft_case *, double deadline_s,
                           const volatile sig_atomic_t *interrupted, const ndft_answer_sink *,
                           ndft_error *);

#endif
