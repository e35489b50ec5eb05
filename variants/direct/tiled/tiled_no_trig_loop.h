/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_NO_TRIG_LOOP_H
#define NDFT_TILED_NO_TRIG_LOOP_H

#include "direct/sum.h"

NDFT_LOOP_DECLARE(void, tiled_no_trig, (const ndft_sum *, const void *in, void *out));

#endif
