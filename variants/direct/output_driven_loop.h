/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OUTPUT_DRIVEN_LOOP_H
#define NDFT_OUTPUT_DRIVEN_LOOP_H

#include "core/loop.h"
#include "sum.h"

/* in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, output_driven, (const ndft_sum *, const void *in, void *out));

#endif
