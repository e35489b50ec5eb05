/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MAKING_H
#define NDFT_MAKING_H

#include "objects.h"

/* What is being made: arrays of the caller's come by way of its device. */
typedef struct ndft_making {
    const ndft_problem_desc *d;
    const ndft_owned *from; /* of which it is a change; NULL: it is new */
    ndft_owned *owned;
    ndft_problem *p; /* its own */
    ndft_exec *exec;
    const ndft_backend *backend;
    int64_t grid;
    bool k_measured; /* the largest magnitudes of k are known */
    double k_max[3];
} ndft_making;

/* Whether an array is one that a problem has. */
bool ndft_has_array(const ndft_owned *, const void *array);

/* A copy of an array of the caller's, or the same memory where the problem before has it; what
 * names it. */
ndft_status ndft_fetch_array(ndft_making *, const char *what, const void *from, int64_t count,
                             size_t size, void **array);

/* Samples with their times, which are zeros where none are given. */
ndft_status ndft_take_samples(ndft_making *);

/* The regularity of samples that were taken. */
ndft_status ndft_find_structure(ndft_making *);

#endif
