/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_SPLIT_LOOP_H
#define NDFT_UNIFORM_BLUESTEIN_SPLIT_LOOP_H

#include "bluestein_fftw.h"
#include "core/loop.h"

/* The six stages of a part. What concerns the filter is done with the first part of its axis. */
NDFT_LOOP_DECLARE(void, bluestein_chirp, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_pad_mul, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_fft, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_fft_mul, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_ifft, (const ndft_bluestein_part *));
NDFT_LOOP_DECLARE(void, bluestein_res_mul, (const ndft_bluestein_part *));

#endif
