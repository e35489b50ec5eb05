/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_LOOP_H
#define NDFT_TILED_LOOP_H

#include "sum.h"

/* sum: ndft_sum; in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, tiled_poly, (const void *sum, const void *in, void *out));
NDFT_LOOP_DECLARE(void, tiled_libm, (const void *sum, const void *in, void *out));
NDFT_LOOP_DECLARE(void, tiled_no_trig, (const void *sum, const void *in, void *out));
NDFT_LOOP_DECLARE(void, tiled_no_mac, (const void *sum, const void *in, void *out));

#endif
