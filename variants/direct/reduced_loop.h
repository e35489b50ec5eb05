/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REDUCED_LOOP_H
#define NDFT_REDUCED_LOOP_H

#include "sum.h"

/* sum: ndft_sum; in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, fast_math, (const void *sum, const void *in, void *out));
NDFT_LOOP_DECLARE(void, sincos_table, (const void *sum, const void *in, void *out));

#endif
