/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONTEST_H
#define NDFT_CONTEST_H

#include "devices.h"
#include "problem/kinds.h"

#include <ndft.h>

enum { NDFT_COMPARED_PARTS = 8 }; /* whose bits are those of one device on any number of them */

/* What all that are timed beside each other by `ndft bench --gpus` have: the case, and the devices
 * of this process. */
typedef struct ndft_contest {
    ndft_case problem;
    ndft_made made;
    const ndft_backend *backend;
    int first, devices;       /* of this process: their numbers are from first on */
    ndft_device_options each; /* of every device */
    const char *variant;      /* of every part; NULL: the library chooses */
    ndft_op op;
    int iterations; /* of conjugate gradients in an execution; 0: it is the operation alone */
    double link_bytes_s, link_step_s; /* between devices, as `ndft peak` measured; 0: it did not */
    ndft_device *device;              /* the first */
    ndft_problem *whole;              /* the library's, of that */
    ndft_exec *exec[NDFT_MOST_PARTS]; /* of each device */
    void *in, *out;                   /* whole, on the first */
    size_t in_bytes, out_bytes;
    ndft_error *err;
} ndft_contest;

/* The case of this text. NDFT_EINVAL where groups do not divide it. */
ndft_status ndft_contest_parse(ndft_contest *, const char *text);

/* Its arrays; iterations are set. NDFT_EINVAL where conjugate gradients do not solve it. */
ndft_status ndft_contest_make(ndft_contest *);

/* Its devices, vectors on the first, the problem there, and what is known of links; backend, first,
 * devices and each are set. */
ndft_status ndft_contest_open(ndft_contest *);

void ndft_contest_close(ndft_contest *);

/* A message of the library is the contest's. */
ndft_status ndft_contest_status(const ndft_contest *, ndft_status);

/* A group's plan, of as many parts as devices where parts is 0: of n devices of this process, or
 * where there is a communicator of its ranks'. */
ndft_status ndft_contest_group(const ndft_contest *, ndft_communicator *, int n, int parts,
                               ndft_plan_mode, ndft_group_plan **);

/* The operation by the parts that are compared, in memory of the host. */
ndft_status ndft_contest_by_parts(const ndft_contest *, ndft_communicator *, int n, void *out);

#endif
