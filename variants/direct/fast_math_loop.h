/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FAST_MATH_LOOP_H
#define NDFT_FAST_MATH_LOOP_H

#include "core/loop.h"
#include "sum.h"

/* in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, fast_math, (const ndft_sum *, const void *in, void *out));

#endif
