/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WORKER_H
#define NDFT_WORKER_H

/* A worker's descriptors: requests come and answers go on the socket, the shared state is mapped.
 */
enum { NDFT_WORKER_SOCKET = 0, NDFT_WORKER_DESK = 3 };

/*
 * The life of a worker: says that it is ready, then runs the groups that it is asked for, one after
 * the other, until its parent closes the socket. Answers are {"ready": status, "message"}, case
 * records, and {"done": status, "message"} after each group. It dies with its parent, first when
 * memory runs out, and leaves no core. On the CPU it may hold as much memory as is free when a
 * group begins, so that a variant that eats all of it fails alone. Returns an exit code.
 */
int ndft_worker_main(const char *backend, const char *parent);

#endif
