/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERPOLATE_CELLS_CUH
#define NDFT_NUFFT_INTERPOLATE_CELLS_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * A thread has a sample, whose weights it evaluates once for all coils of its share: how samples
 * and coils are dealt to threads. Interpolation is straight from the grid, whose cells are read
 * from the caches, 16 bytes at a time. Samples that are neighbours in their tile share lines of the
 * first cache, whose rate of lines is the ceiling.
 */

enum { NDFT_SAMPLE_THREADS = 128 };

/* Samples along x, shares of coils along y. */
inline dim3 ndft_nufft_sample_blocks(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass)
{
    return {ndft_blocks(plan->samples.count, NDFT_SAMPLE_THREADS),
            ndft_blocks(pass->coils, plan->share), 1};
}

#endif
