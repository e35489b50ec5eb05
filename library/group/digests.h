/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIGESTS_H
#define NDFT_DIGESTS_H

#include "base/problem.h"

/* By which ranks see whether their problems have the same arrays, bit for bit. */
typedef struct ndft_digests {
    uint64_t samples, voxels, maps; /* trajectory and times; all that voxels have; coil maps */
} ndft_digests;

ndft_digests ndft_digests_of(const ndft_problem *);

#endif
