/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DIRECT_SUMS_LOOP_H
#define NDFT_DIRECT_SUMS_LOOP_H

#include "core/loop.h"
#include "uniform/line_plan.h"

enum { NDFT_DIRECT_LINES = 32, NDFT_DIRECT_BYTES = 256 }; /* lines of a group; outputs of a chunk */

NDFT_LOOP_DECLARE(void, uniform_tiled, (const ndft_line_sum *, const void *in, void *out));
NDFT_LOOP_DECLARE(void, uniform_sincos_table, (const ndft_line_sum *, const void *in, void *out));

#endif
