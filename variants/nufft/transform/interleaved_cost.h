/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_COST_H
#define NDFT_NUFFT_INTERLEAVED_COST_H

#include "interleaved_lanes.h"
#include "nufft/cuda_cost.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a forward execution with interleaved grids does (nufft_interleaved_cuda.cu), of a shape that
 * ndft_nufft_fit_lines made; lanes without a column are worked on as well. */
ndft_cost ndft_nufft_interleaved_cost(const ndft_nufft_work *, const ndft_nufft_lanes *);

#ifdef __cplusplus
}
#endif
#endif
