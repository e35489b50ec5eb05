/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DOUBLED_H
#define NDFT_DOUBLED_H

#include "make/make.h"

#include "base/problem.h"

/* A nonuniform problem in double, exactly: every number is what it was in its own precision. The
 * layout is interleaved, as a reference's. */
typedef struct ndft_doubled {
    ndft_problem problem;
    ndft_arena own; /* what it points to */
} ndft_doubled;

/* NDFT_ENOMEM. */
ndft_status ndft_doubled_make(const ndft_problem *, ndft_doubled *, ndft_error *);
void ndft_doubled_free(ndft_doubled *);

/* What the operation of a problem without its coil maps reads, in double and interleaved: the
 * vector, or the images of all coils of it; NULL with NDFT_ENOMEM. */
double *ndft_doubled_input(const ndft_problem *, ndft_op, const void *vector, ndft_arena *,
                           ndft_error *);

/* The problem in double whose outputs are `count` of those of forward or adjoint, from `first` on.
 * It points to what the whole one points to. */
ndft_problem ndft_doubled_part(const ndft_problem *doubled, ndft_op, int64_t first, int64_t count);

#endif
