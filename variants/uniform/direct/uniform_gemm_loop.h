/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_GEMM_LOOP_H
#define NDFT_UNIFORM_GEMM_LOOP_H

#include "core/loop.h"
#include "uniform/line_plan.h"

/* table: the cosines' matrix, then the sines', whose rows and columns go from N/2 down. */
NDFT_LOOP_DECLARE(void, uniform_gemm, (const ndft_line_sum *, const void *in, void *out));

enum { NDFT_GEMM_BYTES = 256 }; /* a row of lanes: numbers of as many lines */

#endif
