/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_GEMM_LOOP_H
#define NDFT_COIL_GEMM_LOOP_H

#include "direct/sum.h"

enum { NDFT_COIL_GEMM_ROWS = 32 }; /* inputs of one product; tiles are whole numbers of them */

/* sum: ndft_sum; in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, coil_gemm, (const void *sum, const void *in, void *out));

#endif
