/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GROUP_RUN_H
#define NDFT_GROUP_RUN_H

#include "group_plan.h"

#include "promise.h"

/* An execution by a group. */

/* Where in and out are. */
typedef enum ndft_place { ON_HOST, ON_FIRST, IN_PARTS } ndft_place;

typedef struct ndft_run ndft_run;

/* What each device does, all of them together. */
typedef ndft_status ndft_step(const ndft_run *, int device);

struct ndft_run {
    ndft_group_plan *plan;
    const ndft_division *division;
    ndft_op op;
    bool sums;
    ndft_place from, to;               /* where in and out are */
    const char *in;                    /* whole */
    char *out;                         /* likewise */
    const void *const *in_of;          /* of each device, in parts */
    void *const *out_of;               /* likewise */
    int apart;                         /* devices whose sums come together */
    bool is_for_all;                   /* each of two such has the sum of both */
    char *whole;                       /* where ranks gather; NULL: they do not */
    size_t block[NDFT_MOST_PARTS + 1]; /* of each in there, and the end */
    ndft_step *step;                   /* what devices are at, */
    bool is_last;                      /* and wait for on the host */
};

/* Whether the device reaches what is there. */
static inline bool ndft_run_near(const ndft_run *r, int device, ndft_place where)
{
    const bool has_memory = ndft_seat_device(r->plan, device)->backend->pin != NULL;
    return !has_memory || where == IN_PARTS || (device == 0 && where == ON_FIRST);
}

static inline size_t ndft_image_bytes(const ndft_run *r)
{
    return ndft_output_bytes(&r->plan->problem->problem, NDFT_ADJOINT);
}

/* What a device writes to: a whole output, or its part. */
char *ndft_run_out(const ndft_run *, int device);
/* Queued there. */
ndft_status ndft_run_copy(const ndft_run *, ndft_exec *, void *to, const void *from, size_t bytes);
ndft_status ndft_run_add(const ndft_run *, ndft_exec *, const void *x, const void *y, void *sum);
/* What is wanted of a whole vector, one row behind the other, and back. */
ndft_status ndft_run_pack(const ndft_run *, ndft_exec *, const ndft_piece *, const char *whole,
                          char *rows);
ndft_status ndft_run_unpack(const ndft_run *, ndft_exec *, const ndft_piece *, const char *rows,
                            char *whole);
/* All that is queued on the other so far comes before what the one queues next. */
ndft_status ndft_run_wait(const ndft_run *, ndft_exec *waits, const ndft_exec *other);

/* A device's parts: their outputs, or their sum. */
ndft_status ndft_run_parts(const ndft_run *, int device);

/* Where a device has its sum: it becomes the output where that is, and others do not read it. */
char *ndft_run_sum(const ndft_run *, int device);
/* The sum of all goes where it is wanted. */
ndft_status ndft_run_leave_sum(const ndft_run *, int device);

/* Of ranks: where each one's block of a whole output goes. */
void ndft_lay_blocks(ndft_run *);
/* Its parts, and then sums of all ranks, or their blocks of the output, come to all. */
ndft_status ndft_run_as_rank(const ndft_run *, int device);

#endif
