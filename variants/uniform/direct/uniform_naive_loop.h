/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_NAIVE_LOOP_H
#define NDFT_UNIFORM_NAIVE_LOOP_H

#include "core/loop.h"

#include "base/uniform.h"

typedef struct uniform_naive {
    ndft_transform transform;
    int threads;
} uniform_naive;

/* Overwrites out from in, which differ. */
typedef void uniform_naive_loop(const uniform_naive *, const void *in, void *out);

#endif
