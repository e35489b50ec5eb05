/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_IN_PLACE_CUH
#define NDFT_UNIFORM_BLUESTEIN_IN_PLACE_CUH

#include "bluestein_filter.cuh"

/* Transforms a pass whose padded lines are convolved in place (fft/in_place_fft.cuh): in two
 * kernels, with `kept` for the padded lines between them, or in one where that is NULL. */
template <class R>
ndft_status ndft_bluestein_in_place(const ndft_bluestein &, const void *from, void *to, void *kept);

#endif
