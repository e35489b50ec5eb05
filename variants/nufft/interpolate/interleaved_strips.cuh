/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_STRIPS_CUH
#define NDFT_NUFFT_INTERLEAVED_STRIPS_CUH

#include "nufft/transform/interleaved_grids.cuh"

/* Samples of strips, of parts that are made; and reading by them. */
ndft_status ndft_nufft_strips_make(ndft_nufft_plan *, ndft_nufft_boxes *);
ndft_status ndft_nufft_strips_read(const ndft_nufft_plan *, const ndft_nufft_pass *,
                                   const ndft_nufft_lanes &, void *out);

#endif
