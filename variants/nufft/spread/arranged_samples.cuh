/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ARRANGED_SAMPLES_CUH
#define NDFT_NUFFT_ARRANGED_SAMPLES_CUH

#include "core/early.cuh"
#include "nufft/transform/interleaved_fft.cuh"

namespace
{

/* A pass' samples as they lie, times the conjugate weights of its terms, to the columns of its
 * lanes side by side. */
template <class R> struct fill_work {
    ndft_nufft_pass pass;
    ndft_nufft_lanes lanes;
    ndft_rank_view<R> rank;
    ndft_strides data;
    int64_t samples, pitch;
    int log_coils, log_terms; /* of the lanes */
    ndft_complex<R> *value;
};

enum { FILL = 32, FILL_ROWS = 8 }; /* samples and coils of a block; threads for them */

/* Block = some samples (x) and coils (y), of which lanes read what lies side by side, whichever of
 * both that is, and write columns side by side. */
template <class R>
__global__ void __launch_bounds__(FILL *FILL_ROWS)
    fill(const __grid_constant__ fill_work<R> w, const ndft_complex<R> *in)
{
    __shared__ ndft_complex<R> tile[FILL][FILL + 1]; /* [sample][coil] */
    const int64_t first = blockIdx.x * (int64_t)FILL;
    const int coil0 = blockIdx.y * FILL, lane = threadIdx.x;
    const bool across = w.data.coil < w.data.element; /* coils lie side by side */
    ndft_complex<R> read[FILL / FILL_ROWS];
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int k = 0; k < FILL / FILL_ROWS; k++) {
        const int r = threadIdx.y + k * FILL_ROWS, s = across ? r : lane, c = across ? lane : r;
        read[k] = {0, 0};
        if (first + s < w.samples && coil0 + c < w.pass.coils)
            read[k] = in[(first + s) * w.data.element + (w.pass.coil + coil0 + c) * w.data.coil];
    }
#pragma unroll
    for (int k = 0; k < FILL / FILL_ROWS; k++) {
        const int r = threadIdx.y + k * FILL_ROWS;
        tile[across ? r : lane][across ? lane : r] = read[k];
    }
    __syncthreads();
    const int coil = coil0 + lane, group = coil >> w.log_coils;
    if (group >= w.lanes.coil_groups) return;
    const int of_group = coil & (w.lanes.coils - 1), terms = w.lanes.term_groups << w.log_terms;
    for (int s = threadIdx.y; s < FILL && first + s < w.samples; s += FILL_ROWS) {
        const int64_t j = first + s;
        const ndft_complex<R> *row = ndft_rank_row(w.rank, j);
        ndft_complex<R> *to = w.value + j * w.pitch + of_group;
        for (int l = 0; l < terms; l++) {
            ndft_complex<R> turn = {0, 0}, value;
            if (l < w.pass.terms) turn = ndft_rank_sample(w.rank, row, j, w.pass.term + l);
            turn.im = -turn.im;
            ndft_rotate(value, turn, tile[s][lane]);
            const int at = group + w.lanes.coil_groups * (l >> w.log_terms);
            to[at * w.lanes.count + ((l & (w.lanes.terms - 1)) << w.log_coils)] = value;
        }
    }
}

} // namespace

#endif
