/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONTESTANT_H
#define NDFT_CONTESTANT_H

#include "devices.h"
#include "harness.h"
#include "measure/stats.h"

#include <ndft.h>

/* Who is timed beside others by `ndft bench --gpus`: the plain plan of one device, or a group. */

enum { NDFT_MOST_TIMES = 1000 };

/* What all of them have. */
typedef struct ndft_contest {
    const ndft_backend *backend;
    ndft_device_options each; /* of every device */
    const char *variant;      /* of every part; NULL: the library chooses */
    ndft_op op;
    double link_bytes_s, link_step_s; /* between devices, as `ndft peak` measured; 0: it did not */
    ndft_device *device;              /* the first */
    ndft_problem *whole;              /* the library's, of that */
    ndft_exec *exec[NDFT_MOST_PARTS]; /* of each device */
    void *in, *out;                   /* whole, on the first */
    ndft_error *err;
} ndft_contest;

/* What comes and goes over a link in one execution, bytes of one device other than the first. */
typedef struct ndft_moved {
    double in, out, sum; /* of input, of output, and of an image that is summed */
} ndft_moved;

typedef struct ndft_contestant {
    int n;          /* devices */
    bool in_parts;  /* its arrays are, by in_of and out_of; else those of the contest */
    ndft_plan *one; /* the plain plan, or */
    ndft_group_plan *group;
    bool shares;              /* the plan is that of the contestant before it, with whole arrays */
    char split[16];           /* "samples"; empty of the plain plan */
    char engine[NDFT_ID_MAX]; /* of its first part */
    void *in_of[NDFT_MOST_PARTS], *out_of[NDFT_MOST_PARTS];
    double seconds[NDFT_MOST_TIMES];
    ndft_stats time;
    double clock_mhz[NDFT_MOST_PARTS]; /* of each device, mean over what was read; NaN: unknown */
    int clocks;                        /* so often it was read */
    double difference; /* of its result to the plain plan's, relative; NaN: nobody looked */
    double error;      /* to the reference, relative; NaN likewise */
    int same_bits;     /* of 8 parts on n devices as on one: 1, 0; -1: nobody looked */
    ndft_moved moved;
} ndft_contestant;

/* A message of the library is the contest's. */
ndft_status ndft_contest_status(const ndft_contest *, ndft_status);

/* A group's plan, of as many parts as devices where parts is 0. */
ndft_status ndft_contest_group(const ndft_contest *, int n, int parts, ndft_plan_mode,
                               ndft_group_plan **);

/* The link between its devices, if it was measured: groups are told. */
void ndft_contest_link(ndft_contest *);

/* Plans it, by measuring. in: as many bytes as the whole input has. */
ndft_status ndft_contestant_plan(const ndft_contest *, const void *in, ndft_contestant *);

/* Reads the clocks of its devices. */
void ndft_contestant_clocks(const ndft_contest *, ndft_contestant *);

/* Finished on return. */
ndft_status ndft_contestant_execute(const ndft_contest *, const ndft_contestant *);

void ndft_contestant_free(const ndft_contest *, ndft_contestant *);

#endif
