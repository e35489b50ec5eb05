/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_CELLS_CUH
#define NDFT_NUFFT_WINDOW_CELLS_CUH

#include "nufft/pipeline_cufft.cuh"

/*
 * A thread has a sample, whose weights it evaluates once for all coils of its share: how samples
 * and coils are dealt to threads, and interpolation straight from the grid, whose cells are read
 * from the caches, 16 bytes at a time. Samples that are neighbours in their tile share lines of the
 * first cache, whose rate of lines is the ceiling.
 */

enum { NDFT_SAMPLE_THREADS = 128 };

/* Coils that a thread takes, so that threads fill the device. */
inline int ndft_nufft_coil_share(const ndft_nufft_cuda *plan)
{
    const int64_t all = plan->samples.count * plan->problem->coils;
    const int64_t share = all / (plan->arrays.exec->device.units * 2048) + 1;
    return (int)(share < 8 ? share : 8);
}

/* Samples along x, shares of coils along y. */
inline dim3 ndft_nufft_sample_blocks(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass,
                                     int share)
{
    return {ndft_blocks(plan->samples.count, NDFT_SAMPLE_THREADS), ndft_blocks(pass->coils, share),
            1};
}

ndft_status ndft_nufft_interpolate_share(const ndft_nufft_cuda *, const ndft_nufft_pass *,
                                         int share, void *out);

/* With the share that fills the device: a scheme's interpolate. */
ndft_status ndft_nufft_interpolate_cells(const ndft_nufft_cuda *, const ndft_nufft_pass *,
                                         void *out);

#endif
