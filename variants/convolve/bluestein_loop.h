/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_BLUESTEIN_LOOP_H
#define NDFT_CONVOLVE_BLUESTEIN_LOOP_H

#include "convolve_batch_fftw.h"
#include "core/loop.h"

/* All of a part's lines up to its end, each through the whole convolution; nothing is kept. */
NDFT_LOOP_DECLARE(void, bluestein_whole, (const ndft_bluestein_part *));

#endif
