/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_DIGEST_H
#define NDFT_LIBRARY_DIGEST_H

#include "base/problem.h"

/* By which ranks see whether their problems have the same arrays, bit for bit. */
typedef struct ndft_digest {
    uint64_t samples, voxels, maps; /* trajectory and times; all that voxels have; coil maps */
} ndft_digest;

ndft_digest ndft_digest_of(const ndft_problem *);

#endif
