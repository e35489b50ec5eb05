/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_READ_CUH
#define NDFT_NUFFT_INTERLEAVED_READ_CUH

#include "nufft/transform/interleaved_fft.cuh"

/* Samples from interleaved grids. Two cells of a row are read at a time, by as many threads as
 * their lanes have 16 bytes: 128 neighbouring bytes by 8 threads that share a sample. */
ndft_status ndft_nufft_read_interleaved(const ndft_nufft_plan *, const ndft_nufft_pass *,
                                        const ndft_nufft_lanes &, void *out);

#endif
