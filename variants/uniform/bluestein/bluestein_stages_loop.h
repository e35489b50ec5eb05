/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_STAGES_LOOP_H
#define NDFT_UNIFORM_BLUESTEIN_STAGES_LOOP_H

#include "convolve/convolve_batch_fftw.h"
#include "core/loop.h"

/* The six stages of bluestein_split. What concerns the filter is done with the first part of its
 * axis. */
NDFT_LOOP_DECLARE(void, bluestein_chirp, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_pad_mul, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_fft, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_fft_mul, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_ifft, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_res_mul, (const ndft_bluestein_part *));

/* The three of bluestein_fused. The filter's is of the axis, its chirp and zeros made where it is
 * loaded. */
NDFT_LOOP_DECLARE(void, bluestein_filter, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_forward, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_back, (const ndft_bluestein_part *));

#endif
