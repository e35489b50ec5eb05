/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_FILTER_ROWS_CUH
#define NDFT_CONVOLVE_FILTER_ROWS_CUH

#include "filter_lines.cuh"

/* Transforms the rows of signals that are matrices, in kept; back: times the spectrum, and back. */
template <class R>
ndft_status ndft_filter_rows(const ndft_filter *, bool back, unsigned signals, void *kept);

#endif
