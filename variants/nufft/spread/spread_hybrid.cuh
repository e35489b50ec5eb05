/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SPREAD_HYBRID_CUH
#define NDFT_NUFFT_SPREAD_HYBRID_CUH

#include "nufft/pipeline_cufft.cuh"

/* For plans that spread with it by no knob's choice: its source counts in their build ids. */
extern const ndft_nufft_stage ndft_spread_hybrid;

#endif
