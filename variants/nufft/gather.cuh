/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_GATHER_CUH
#define NDFT_NUFFT_GATHER_CUH

#include "footprint.cuh"

/*
 * Interpolation by a thread per sample, which evaluates its weights once for the coils of
 * blockIdx.y and reads cells 16 bytes at a time. Samples that are neighbours in their tile share
 * lines of the first cache, whose rate of lines is the ceiling.
 */

enum { NDFT_GATHER_THREADS = 128 };

template <class R, int DIM, int W>
__global__ void ndft_nufft_gather(const __grid_constant__ ndft_nufft_view<R, W> view,
                                  ndft_complex<R> *out)
{
    const int64_t i = blockIdx.x * (int64_t)NDFT_GATHER_THREADS + threadIdx.x;
    if (i >= view.samples.count) return;
    const ndft_footprint<R, DIM, W> cells(view, i);
    const int64_t j = view.samples.number[i];
    for (int coil = blockIdx.y; coil < view.pass.coils; coil += gridDim.y) {
        ndft_complex<R> sum = {0, 0};
        for (int term = 0; term < view.pass.terms; term++) {
            const ndft_complex<R> turn = ndft_sample_weight(view, j, term);
            const ndft_complex<R> *column = ndft_column(view, term, coil);
            ndft_accumulate(sum, turn.re, turn.im, cells.gather(view.grid, column));
        }
        ndft_put_sample(view, j, coil, sum, out);
    }
}

/* Coils that a thread takes, so that threads fill the device. */
inline int ndft_gather_share(const ndft_nufft_cuda *plan)
{
    const int64_t all = plan->samples.count * plan->problem->coils;
    const int64_t share = all / (plan->arrays.exec->device.units * 2048) + 1;
    return (int)(share < 8 ? share : 8);
}

inline dim3 ndft_gather_blocks(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass, int share)
{
    return {ndft_blocks(plan->samples.count, NDFT_GATHER_THREADS), ndft_blocks(pass->coils, share),
            1};
}

template <class R, int DIM, int W>
ndft_status ndft_nufft_run_gather(const ndft_nufft_cuda *plan, const ndft_nufft_pass *pass,
                                  int share, void *out)
{
    ndft_nufft_gather<R, DIM, W><<<ndft_gather_blocks(plan, pass, share), NDFT_GATHER_THREADS, 0,
                                   ndft_stream(plan->arrays.exec)>>>(
        ndft_nufft_view_of<R, W>(plan, pass), (ndft_complex<R> *)out);
    return ndft_launched(plan->arrays.exec, "interpolation");
}

#endif
