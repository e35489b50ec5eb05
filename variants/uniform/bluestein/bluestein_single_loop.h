/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_SINGLE_LOOP_H
#define NDFT_UNIFORM_BLUESTEIN_SINGLE_LOOP_H

#include "bluestein_fftw.h"
#include "core/loop.h"

/* A part, which keeps nothing. */
NDFT_LOOP_DECLARE(void, bluestein_single, (const ndft_bluestein_part *));

#endif
