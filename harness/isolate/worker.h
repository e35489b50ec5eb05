/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORKER_H
#define NDFT_WORKER_H

#include "shared_state.h"

/* What a worker does, and in the parent's own process --in-process asks for. */

ndft_status ndft_worker_describe(const ndft_backend *, ndft_place *, ndft_error *);

/* As ndft_run_group in the group's mode; the heartbeat beats with every phase and index of
 * candidate. */
ndft_status ndft_worker_run(const ndft_work *, const ndft_candidate *, int n,
                            const ndft_group_options *, ndft_heartbeat *, const ndft_sink *,
                            ndft_error *);

/* The phase that a result which crashed was found in; -1: it did not. */
int ndft_worker_phase(const ndft_heartbeat *, const ndft_result *);

/* A worker's descriptors: requests come and answers go on the socket, the shared state is mapped.
 */
enum { NDFT_WORKER_SOCKET = 0, NDFT_WORKER_DESK = 3 };

/*
 * The life of a worker: says that it is ready, then runs the groups that it is asked for, one after
 * the other, until its parent closes the socket. It dies with its parent, first when memory runs
 * out, and leaves no core. On the CPU it may hold as much memory as is free when a group begins, so
 * that a variant that eats all of it fails alone. Returns an exit code.
 */
int ndft_worker_main(const char *backend, const char *parent);

#endif
