/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SINCOS_TABLE_LOOP_H
#define NDFT_SINCOS_TABLE_LOOP_H

#include "core/loop.h"
#include "sum.h"

/* in, out: interleaved complex in the problem's layout. */
NDFT_LOOP_DECLARE(void, sincos_table, (const ndft_sum *, const void *in, void *out));

#endif
