/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROCESS_H
#define NDFT_PROCESS_H

#include "shared_state.h"

#include <sys/types.h>

/* A worker, seen from its parent. All zeros: there is none. */
typedef struct ndft_process {
    pid_t pid;
    int socket;
    ndft_shared_state *shared;
} ndft_process;

/* Starts this program again as a worker of the backend. Nothing that the worker prints can reach
 * stdout, signals that a terminal or a batch system sends to all processes do not reach it, and no
 * descriptor is left open in it. NDFT_EDEVICE. */
ndft_status ndft_process_start(const ndft_backend *, ndft_process *, ndft_error *);

/* Waits for a worker that is about to end, kills it when it does not within patience_s, and returns
 * its status as waitpid does; then there is none. */
int ndft_process_end(ndft_process *, double patience_s);

#endif
