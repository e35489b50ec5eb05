/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTPUT_DRIVEN_LOOP_H
#define NDFT_OUTPUT_DRIVEN_LOOP_H

#include "sum.h"

/* sum: ndft_sum; in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, output_driven, (const void *sum, const void *in, void *out));

#endif
