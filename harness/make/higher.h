/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HIGHER_H
#define NDFT_HIGHER_H

#include "trajectory.h"

/* A case's phase of higher order, in double. */
typedef struct ndft_higher_made {
    int terms; /* 0 for phase=none, then both are NULL */
    double *c; /* [terms][m] rad per unit of b */
    double *b; /* [terms][grid] */
} ndft_higher_made;

/* All memory comes from the arena. NDFT_EINVAL, NDFT_EIO, NDFT_ENOMEM. */
ndft_status ndft_higher_make(const ndft_case *, const ndft_trajectory *, ndft_arena *,
                             ndft_higher_made *, ndft_error *);

#endif
