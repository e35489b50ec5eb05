/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_TILED_LOOP_H
#define NDFT_UNIFORM_TILED_LOOP_H

#include "core/loop.h"
#include "uniform/line_plan.h"

NDFT_LOOP_DECLARE(void, uniform_tiled, (const ndft_line_sum *, const void *in, void *out));

#endif
