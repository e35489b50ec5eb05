/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_COMMUNICATOR_H
#define NDFT_LIBRARY_COMMUNICATOR_H

#include "public/objects.h"

/* To a peer and from it, in memory of the device. */
typedef struct ndft_parcel {
    int peer;
    const void *out;
    size_t out_bytes;
    void *in;
    size_t in_bytes;
} ndft_parcel;

/* What ranks are at, all of them the same; plan: by the order in which they made theirs, 0 where
 * they agree on something. */
typedef struct ndft_call {
    uint32_t plan, op;
    uint64_t number; /* of all calls */
} ndft_call;

/* How messages go between ranks. Failures are the thread's message. */
typedef struct ndft_transport {
    /* All of them at once, a message to a peer at most; queued where the device has a stream. */
    ndft_status (*exchange)(ndft_communicator *, const ndft_exec *, const ndft_parcel *, int n);
    /* Waits for what is queued, but for no peer longer than it may take; what else may wait for the
     * stream comes after it. NULL: nothing is. */
    ndft_status (*settle)(ndft_communicator *, const ndft_exec *);
    void (*leave)(ndft_communicator *, bool in_order); /* or whatever is under way is given up */
} ndft_transport;

struct ndft_communicator {
    int users;
    int rank, size;
    double timeout_s, meeting_s;
    bool meshed;                 /* there are sockets */
    int socket[NDFT_MOST_PARTS]; /* to each peer; -1: none */
    ndft_call call;              /* the one that is under way */
    uint32_t plans;              /* that ranks began to make */
    const ndft_transport *transport;
    bool has_id;
    ndft_nccl_id id;
    void *nccl;     /* ncclComm_t; NULL: not yet, or none */
    bool lent;      /* it is the caller's */
    bool is_broken; /* for good */
    ndft_error why;
};

extern const ndft_transport ndft_tcp, ndft_nccl;

/* Connects all ranks with each other, by the address of the first. */
ndft_status ndft_mesh(ndft_communicator *, const char *address);
void ndft_close_mesh(ndft_communicator *);

/* The first peer whose process has gone; -1: none has. */
int ndft_gone_peer(const ndft_communicator *);

/* NDFT_EUNSUPPORTED where there is no NCCL. */
ndft_status ndft_nccl_found(void);
/* With all ranks, of the device that the thread has entered. */
ndft_status ndft_nccl_open(ndft_communicator *);

/* Gives up, so that peers that wait learn of it; says why and remembers it. */
ndft_status ndft_communicator_break(ndft_communicator *, ndft_status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The next call of all ranks. Messages by sockets say which one they are of; where others go by
 * NCCL and there are sockets ranks say it by these, while devices compute, and look at it before
 * they exchange anything. */
void ndft_call_begin(ndft_communicator *, uint32_t plan, uint32_t op);
ndft_status ndft_call_say(ndft_communicator *);
ndft_status ndft_call_check(ndft_communicator *);

void ndft_communicator_keep(ndft_communicator *);

/* The device is the one by which messages go from now on: of GPUs NCCL is opened. The thread has
 * entered it. */
ndft_status ndft_communicator_use(ndft_communicator *, const ndft_opened *);

ndft_status ndft_exchange(ndft_communicator *, const ndft_exec *, const ndft_parcel *, int n);
ndft_status ndft_settle(ndft_communicator *, const ndft_exec *);

/*
 * What all ranks must have alike, in words, and how each of them fares: the first failure is
 * everybody's, and so is a difference. value becomes that of rank 0; NULL: none is asked for.
 * opened, by which words go where there are no sockets, may be NULL where it failed.
 */
ndft_status ndft_agree(ndft_communicator *, const ndft_opened *, ndft_status, const char *words,
                       int *value);

/* Adds up terms of all ranks, which are a power of two or fewer, as a binary tree over them would:
 * sum is this rank's term, and then that of all; received has as many bytes. */
typedef ndft_status ndft_adder(void *context, const void *term, void *sum);
ndft_status ndft_sum_over_ranks(ndft_communicator *, const ndft_exec *, size_t bytes,
                                ndft_adder *add, void *context, void *sum, void *received);

/* Each rank's block, from first[rank] up to first[rank + 1], to all. */
ndft_status ndft_gather_over_ranks(ndft_communicator *, const ndft_exec *, char *all,
                                   const size_t first[]);

#endif
