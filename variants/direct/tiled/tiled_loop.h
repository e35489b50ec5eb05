/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_LOOP_H
#define NDFT_TILED_LOOP_H

#include "core/loop.h"
#include "direct/sum.h"

/* in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, tiled_poly, (const ndft_sum *, const void *in, void *out));
NDFT_LOOP_DECLARE(void, tiled_libm, (const ndft_sum *, const void *in, void *out));

#endif
