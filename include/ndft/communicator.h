/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COMMUNICATOR_H
#define NDFT_COMMUNICATOR_H

#include <ndft/group.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ranks that work on one problem together: processes, of one host or of several, each with one
 * device. */
typedef struct ndft_communicator ndft_communicator;

/* What NCCL's ranks find each other by (ncclUniqueId): made by one, handed round by the caller. */
typedef struct ndft_nccl_id {
    char bytes[128]; /* as NCCL has them */
} ndft_nccl_id;

/* NDFT_EUNSUPPORTED where NCCL (libnccl.so.2, the one in the process if there is one) cannot be
 * loaded, and why. */
NDFT_API ndft_status ndft_nccl_id_create(ndft_nccl_id *);

/* Who the ranks are, and one of the three ways by which they reach each other. */
typedef struct ndft_communicator_options {
    size_t struct_size;  /* sizeof(ndft_communicator_options) */
    int rank;            /* of this process, 0 to size - 1 */
    int size;            /* how many there are, up to NDFT_MOST_PARTS */
    double timeout_s;    /* how long a call waits for ranks that do not come; 0: 25 */
    const char *address; /* "host:port" of rank 0, which listens there: processors by TCP; GPUs by
                          * NCCL, whose id goes by TCP, and a rank that dies is known at once */
    const ndft_nccl_id *id; /* GPUs by a communicator of NCCL that the library makes */
    void *nccl;             /* or by the caller's own (ncclComm_t), which outlives this one. Where a
                             * rank fails it is aborted, and the caller's no more */
    double meeting_s;       /* by an address, how long ranks may take to come; 0: ten timeouts. One
                             * that dies when it has come ends the call on all at once */
} ndft_communicator_options;

/* Made by all ranks together. NDFT_EINVAL with the nearest valid, NDFT_EUNSUPPORTED without NCCL,
 * NDFT_EDEVICE where a rank does not come. */
NDFT_API ndft_status ndft_communicator_create(const ndft_communicator_options *,
                                              ndft_communicator **);

/* Groups keep their communicator: it goes with the last of them. NULL is allowed. */
NDFT_API void ndft_communicator_destroy(ndft_communicator *);

/*
 * A group of all ranks' devices, to which each brings the one of this name; the device's number is
 * the rank. They are alike, parts is the same on all, and both are refused elsewhere with what
 * differs. Of one rank it is the group of one device. Of processors whose threads are 0, each has
 * those of its process, and where parts are given a share for one of them: the same bits on 1, 2, 4
 * and 8 ranks, and as devices of one process, take the same number.
 *
 * All ranks make the same calls of it in the same order: plans of the same problem, whose arrays
 * are the same in every bit, and the same executions. Other plans are refused with both sides
 * named, and where ranks have an address an execution of another plan or operation is NDFT_EDEVICE
 * on all that exchange something; by id or nccl alone executions are not compared. Whole arrays are
 * whole on every rank, in memory of its own device or its host, out as well as in; of
 * ndft_group_execute_parts in[0] and out[0] are this rank's part, and what is summed goes to all.
 *
 * A rank that dies, fails or does not come for timeout_s ends the call on the others with
 * NDFT_EDEVICE; so does every later call with the communicator, but plans, groups and it can be
 * destroyed.
 */
NDFT_API ndft_status ndft_group_join(ndft_communicator *, const char *name, int parts,
                                     const ndft_device_options *options, ndft_group **group);

#ifdef __cplusplus
}
#endif
#endif
