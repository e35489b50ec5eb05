/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_PAIRS_CUH
#define NDFT_UNIFORM_BLUESTEIN_PAIRS_CUH

#include "bluestein_filter.cuh"

/* Memory for the pairs of a pass whose shape is set; it belongs to the arrays. whole: in one
 * kernel, which keeps nothing. */
template <class R>
ndft_status ndft_bluestein_make_pairs(ndft_arrays *, bool whole, ndft_bluestein *);

/* Transforms a pass whose real lines are paired. Around a convolution in more than one kernel there
 * is one that sums up their sizes, and where spectra are stored by more than one block, one that
 * takes them apart. */
template <class R>
ndft_status ndft_bluestein_run_pairs(const ndft_bluestein &, bool whole, const void *from, void *to,
                                     void *kept);

#endif
