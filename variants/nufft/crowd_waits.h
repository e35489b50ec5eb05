/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_CROWD_WAITS_H
#define NDFT_NUFFT_CROWD_WAITS_H

#include "cuda_cost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches that an adjoint on CUDA waits for the samples that crowd in a tile, one after another.
 */

/* Products of interleaved grids (spread/spread_interleaved.cu): a warp's steps of eight. */
double ndft_nufft_products_wait(const ndft_problem *, const ndft_nufft_work *);

/* Sums of a cell's samples, by the lane that owns it (cells.cuh) or by atomics. */
double ndft_nufft_sums_wait(const ndft_problem *, const ndft_nufft_work *);

#ifdef __cplusplus
}
#endif
#endif
