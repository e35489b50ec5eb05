/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_RANK_H
#define NDFT_RANK_H

#include "id.h"
#include "prepared.h"

/* An engine that serves a problem, with what its operations are estimated to take together. */
typedef struct ndft_ranked {
    ndft_candidate candidate;
    double seconds;
} ndft_ranked;

/*
 * All engines of the device's backend that can serve a problem by these operations within its tol,
 * the fastest first by ndft_estimate, knobs at their defaults; deterministic: only those. Their
 * number, and *ranked to be freed; 0 with a sentence in err where there are none.
 */
int ndft_rank(const ndft_problem *, unsigned ops, const ndft_device *, bool deterministic,
              ndft_ranked **ranked, ndft_error *err);

#endif
