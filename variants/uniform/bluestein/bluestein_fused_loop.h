/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_FUSED_LOOP_H
#define NDFT_UNIFORM_BLUESTEIN_FUSED_LOOP_H

#include "bluestein_fftw.h"
#include "core/loop.h"

/* The three stages. The filter's is of the axis, its chirp and zeros made where it is loaded. */
NDFT_LOOP_DECLARE(void, bluestein_filter, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_forward, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_back, (const ndft_bluestein_part *));

#endif
