/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_SINCOS_TABLE_LOOP_H
#define NDFT_UNIFORM_SINCOS_TABLE_LOOP_H

#include "core/loop.h"
#include "uniform/line_plan.h"

NDFT_LOOP_DECLARE(void, uniform_sincos_table, (const ndft_line_sum *, const void *in, void *out));

#endif
