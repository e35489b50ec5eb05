/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONTESTANT_H
#define NDFT_CONTESTANT_H

#include "contest.h"
#include "harness.h"
#include "measure/stats.h"
#include "ranks.h"

/* Who is timed beside others by `ndft bench --gpus`: the plain plan of one device, or a group. */

enum { NDFT_MOST_TIMES = 1000 };

/* What comes and goes over a link in one execution, bytes of one device other than the first. */
typedef struct ndft_moved {
    double in, out, sum; /* of input, of output, and of an image that is summed */
} ndft_moved;

typedef struct ndft_contestant {
    int n;          /* devices */
    bool by_ranks;  /* each is another process', of which this has the first */
    bool in_parts;  /* its arrays are; else those of the contest */
    ndft_plan *one; /* the plain plan, or */
    ndft_group_plan *group;
    ndft_communicator *communicator; /* of ranks */
    ndft_ranks *ranks;               /* the others, of whoever tells them what to do */
    bool shares;    /* plan and ranks are those of the contestant before it, with whole arrays */
    char split[16]; /* "samples"; empty of the plain plan */
    char engine[NDFT_ID_MAX];                               /* of its first part */
    void *in_of[NDFT_MOST_PARTS], *out_of[NDFT_MOST_PARTS]; /* of each device of this process that
                                                             * has an array */
    void *vectors[NDFT_MOST_PARTS];                         /* of conjugate gradients, likewise */
    double residual; /* that they left, relative; NaN: there are none */
    double seconds[NDFT_MOST_TIMES];
    ndft_stats time;
    double clock_mhz[NDFT_MOST_PARTS]; /* of each device, mean over what was read; NaN: unknown */
    int clocks;                        /* so often it was read */
    double difference; /* of its result to the plain plan's, relative; NaN: nobody looked */
    double error;      /* to the reference, relative; NaN likewise */
    int same_bits;     /* of 8 parts on n devices as on one: 1, 0; -1: nobody looked */
    ndft_moved moved;
} ndft_contestant;

/* Devices of this process that have an array each. */
int ndft_contestant_places(const ndft_contestant *);

/* Plans it, by measuring, and gives its arrays the case's input. */
ndft_status ndft_contestant_plan(const ndft_contest *, ndft_contestant *);

/* The operation alone, from in_of to out_of. Finished on return. */
ndft_status ndft_contestant_apply(const ndft_contest *, const ndft_contestant *);

/* Reads the clocks of its devices. */
void ndft_contestant_clocks(const ndft_contest *, ndft_contestant *);

void ndft_contestant_free(const ndft_contest *, ndft_contestant *);

#endif
