/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_VECTOR_H
#define NDFT_VECTOR_H

#include "loop.h"

/* The longest vector of a loop's instruction set, of its precision, anywhere in memory. */

#if defined NDFT_LOOP_v4
enum { NDFT_VECTOR = 64 };
#elif defined NDFT_LOOP_v3
enum { NDFT_VECTOR = 32 };
#else
enum { NDFT_VECTOR = 16 };
#endif

enum { NDFT_LANES = NDFT_VECTOR / sizeof(ndft_real) };

typedef ndft_real ndft_vector
    __attribute__((vector_size(NDFT_VECTOR), aligned(sizeof(ndft_real)), may_alias));

#define NDFT_INLINED static inline __attribute__((always_inline))

#endif
