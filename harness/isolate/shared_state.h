/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SHARED_STATE_H
#define NDFT_SHARED_STATE_H

#include "work.h"

#include <signal.h>

/*
 * What a worker shares with its parent: memory, and a socket that carries structures, each whole.
 * Both are the same program, so that structs cross as they are, and a field that is new crosses
 * too; pointers in them mean nothing to the other side.
 */

/* What a group is doing right now, kept where it survives the process that does it. Writing it
 * costs three stores, so that every sample of a timing can be a sign of life and none is disturbed.
 */
typedef struct ndft_heartbeat {
    _Atomic uint32_t beats;     /* grows with every sign of life */
    _Atomic int64_t in_hand;    /* candidate and phase together: never half of each */
    _Atomic double expected_s;  /* NaN: not known */
    volatile sig_atomic_t stop; /* not 0: the group shall end early */
} ndft_heartbeat;

typedef struct ndft_heartbeat_reading {
    uint32_t number;
    int candidate; /* -1: nobody's */
    ndft_phase phase;
    double expected_s;
} ndft_heartbeat_reading;

void ndft_heartbeat_write(ndft_heartbeat *, int candidate, ndft_phase, double expected_s);
ndft_heartbeat_reading ndft_heartbeat_read(const ndft_heartbeat *);

/* A device, and what a record says of the host beside it. */
typedef struct ndft_place {
    ndft_device device;
    int threads;
} ndft_place;

typedef struct ndft_shared_state {
    ndft_heartbeat heartbeat;
    ndft_place place;           /* by the worker, once it is ready */
    ndft_group_options options; /* by the parent, for the group asked for */
} ndft_shared_state;

/* A shared, and in *fd the descriptor that a worker maps it from. NULL: no memory. */
ndft_shared_state *ndft_shared_state_new(int *fd);
ndft_shared_state *ndft_shared_state_map(int fd); /* NULL: fd is no shared state */
void ndft_shared_state_free(ndft_shared_state *); /* NULL is allowed */

/* What a parent asks of a worker: so many candidates of a case, each of which follows. */
typedef struct ndft_request {
    ndft_case problem;
    ndft_mode mode;
    int n;
} ndft_request;

typedef struct ndft_request_candidate {
    int entry; /* in the registry */
    int knobs[NDFT_MAX_KNOBS];
} ndft_request_candidate;

/* What a worker answers: once that it is ready, for each request what it found of each candidate,
 * and that it is done. */
typedef struct ndft_answer {
    enum { NDFT_READY, NDFT_FOUND, NDFT_DONE } what;
    ndft_error error; /* of the start or the group */

    int candidate; /* of those asked for */
    int phase;     /* in which it crashed; -1: it did not */
    bool opened;   /* there was a device */
    ndft_check check;
    bool timed;
    ndft_timing timing;
    ndft_cost cost;
    double coil_pairs;
    char words[4][16]; /* what check and timing point to: reference, stop, order, regime */
} ndft_answer;

/* False: the other end is gone. */
bool ndft_channel_send(int fd, const void *message, size_t size);

typedef enum ndft_received { NDFT_MESSAGE, NDFT_SILENCE, NDFT_GONE } ndft_received;

/* Waits up to timeout_ms (-1: for ever). NDFT_GONE when the other end is closed, or sends something
 * else. */
ndft_received ndft_channel_receive(int fd, int timeout_ms, void *message, size_t size);

#endif
