/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SUMS_H
#define NDFT_SUMS_H

#include "fixture.h"

/* The sums of one operation that is no normal one. */
typedef struct ndft_sums {
    const ndft_fixture *fixture;
    const ndft_candidate *variant;
    const ndft_problem *doubled; /* all of it, in double */
    ndft_op op;
    bool is_case;    /* of the case's own input, in its own operation or the first half of it */
    double *in;      /* host */
    double *out;     /* host: all outputs */
    void *device[2]; /* the input and a pass' outputs, while passes run */
} ndft_sums;

/* How they come about: several outputs, or transforms, at a time. */
typedef struct ndft_passes {
    int64_t all;
    int least;           /* of a pass, where they are to fill a device */
    double terms;        /* of one */
    size_t in;           /* bytes on the device, of the input of all of them */
    size_t each_in, out; /* and of one: its own input, and what comes out */
    ndft_status (*run)(const ndft_sums *, int64_t first, int64_t count);
} ndft_passes;

/* Runs all passes, each of few enough for a quarter of what memory is free, and holds what came of
 * them against the host's sums of the sample. */
ndft_status ndft_sum_all(ndft_sums *, const ndft_passes *);

/* The sums of one pass, a part of the problem: `bytes` of them to the host, once they are done. */
ndft_status ndft_sum_pass(const ndft_sums *, const ndft_problem *part, void *host, size_t bytes);

#endif
