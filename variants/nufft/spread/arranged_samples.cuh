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
    int log_beside;           /* coils of a block */
    ndft_complex<R> *value;
};

enum { FILL_THREADS = 256, FILL_LOG = 10, FILL_LEAST = 2, FILL_MOST = 5 };

/* Block = some samples (x) and coils (y), 2^FILL_LOG in all, of which lanes read what lies side by
 * side, whichever of both that is, and write columns side by side. */
template <class R>
__global__ void __launch_bounds__(FILL_THREADS)
    fill(const __grid_constant__ fill_work<R> w, const ndft_complex<R> *in)
{
    constexpr int EACH = (1 << FILL_LOG) / FILL_THREADS;
    __shared__ ndft_complex<R> tile[(1 << FILL_LOG) + (1 << (FILL_LOG - FILL_LEAST))];
    const int log_samples = FILL_LOG - w.log_beside, beside = 1 << w.log_beside;
    const int64_t first = (int64_t)blockIdx.x << log_samples;
    const int coil0 = blockIdx.y << w.log_beside;
    const bool across = w.data.coil < w.data.element; /* coils lie side by side */
    ndft_complex<R> read[EACH];
    const auto place = [&](int k, int *c) {
        const int e = threadIdx.x + k * FILL_THREADS;
        *c = across ? e & (beside - 1) : e >> log_samples;
        return across ? e >> w.log_beside : e & ((1 << log_samples) - 1);
    };
    ndft_wait_for_kernel_before();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        int c;
        const int s = place(k, &c);
        read[k] = {0, 0};
        if (first + s < w.samples && coil0 + c < w.pass.coils)
            read[k] = in[(first + s) * w.data.element + (w.pass.coil + coil0 + c) * w.data.coil];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        int c;
        const int s = place(k, &c);
        tile[s * (beside + 1) + c] = read[k];
    }
    __syncthreads();
    const int c = threadIdx.x & (beside - 1), coil = coil0 + c, group = coil >> w.log_coils;
    if (group >= w.lanes.coil_groups) return;
    const int of_group = coil & (w.lanes.coils - 1), terms = w.lanes.term_groups << w.log_terms;
    for (int s = threadIdx.x >> w.log_beside; s < 1 << log_samples && first + s < w.samples;
         s += FILL_THREADS >> w.log_beside) {
        const int64_t j = first + s;
        const ndft_complex<R> *row = ndft_rank_row(w.rank, j);
        ndft_complex<R> *to = w.value + j * w.pitch + of_group;
        for (int l = 0; l < terms; l++) {
            ndft_complex<R> turn = {0, 0}, value;
            if (l < w.pass.terms) turn = ndft_rank_sample(w.rank, row, j, w.pass.term + l);
            turn.im = -turn.im;
            ndft_rotate(value, turn, tile[s * (beside + 1) + c]);
            const int at = group + w.lanes.coil_groups * (l >> w.log_terms);
            to[at * w.lanes.count + ((l & (w.lanes.terms - 1)) << w.log_coils)] = value;
        }
    }
}

} // namespace

#endif
