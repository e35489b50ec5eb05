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
    ndft_device *device;              /* the first */
    ndft_problem *whole;              /* the library's, of that */
    ndft_exec *exec[NDFT_MOST_PARTS]; /* of each device */
    void *in, *out;                   /* whole, on the first */
    ndft_error *err;
} ndft_contest;

typedef struct ndft_contestant {
    int n;          /* devices */
    bool in_parts;  /* its arrays are, by in_of and out_of; else those of the contest */
    ndft_plan *one; /* the plain plan, or */
    ndft_group_plan *group;
    char what[NDFT_ID_MAX + 16]; /* "samples: nufft.cpu", its split and engine */
    void *in_of[NDFT_MOST_PARTS], *out_of[NDFT_MOST_PARTS];
    double seconds[NDFT_MOST_TIMES];
    ndft_stats time;
    double difference; /* of its result to the plain plan's, relative; NaN: nobody looked */
} ndft_contestant;

/* A message of the library is the contest's. */
ndft_status ndft_contest_status(const ndft_contest *, ndft_status);

/* A group's plan, of as many parts as devices where parts is 0. */
ndft_status ndft_contest_group(const ndft_contest *, int n, int parts, ndft_plan_mode,
                               ndft_group_plan **);

/* Plans it, by measuring. in: as many bytes as the whole input has. */
ndft_status ndft_contestant_plan(const ndft_contest *, const void *in, ndft_contestant *);

/* Finished on return. */
ndft_status ndft_contestant_execute(const ndft_contest *, const ndft_contestant *);

void ndft_contestant_free(const ndft_contest *, ndft_contestant *);

#endif
