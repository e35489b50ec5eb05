/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_BLUESTEIN_FILTER_CUH
#define NDFT_UNIFORM_BLUESTEIN_FILTER_CUH

#include "convolve/filter_lines.cuh"
#include "convolve/paired_lines.cuh"
#include "uniform/axes.h"

/* A pass on the device. */
struct ndft_bluestein {
    ndft_pass pass;
    ndft_filter filter;
    const void *chirp; /* [length] */
    ndft_pairs pairs;  /* of real lines */

    bool paired() const { return pairs.any; }
    /* Of the convolution. */
    unsigned lines() const { return (unsigned)(paired() ? (pass.lines + 1) / 2 : pass.lines); }
};

/* Sets the filter's spectrum, that of conj(chirp), on the stream. */
template <class R> ndft_status ndft_bluestein_set_filter(const ndft_bluestein &);

#endif
