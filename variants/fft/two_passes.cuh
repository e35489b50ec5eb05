/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_TWO_PASSES_CUH
#define NDFT_FFT_TWO_PASSES_CUH

#include "block_fft.cuh"
#include "radix_dft.cuh"

namespace
{

/* Of memory for a line: of A rows of an odd number of cells, so that columns are in other banks. */
__host__ __device__ constexpr int two_passes_room(int a, int b) { return a * (b | 1); }

template <int SIGN, int CELLS, class R>
__device__ __forceinline__ void pass_dft(ndft_complex<R> (&v)[CELLS])
{
    if constexpr (CELLS == 32)
        dft_of_powers<SIGN, 4, 8>(v);
    else
        small_dft<SIGN>(v);
}

/* exp(SIGN 2 pi i ...), with no factor, of lines of A B cells in two passes of these radices, with
 * one exchange where block_fft's equal passes take two or three: before, thread t < B has cells
 * t + i B, after it t < A cells t + i A, in `out`. A line has as many threads as the larger. Cell i
 * of a line's memory, which nobody else uses, is at shared[i * LINES]. */
template <int SIGN, int A, int B, int LINES, class R>
__device__ __forceinline__ void two_passes(int t, ndft_complex<R> *shared,
                                           const ndft_complex<R> *turns, ndft_complex<R> (&v)[A],
                                           ndft_complex<R> (&out)[B])
{
    constexpr int ROW = B | 1;
    if (A <= B || t < B) {
        const turn_pair<R> turn = turns_at<SIGN>(turns, t);
        pass_dft<SIGN>(v);
        rotate_by_powers<false>(turn.one, turn, v);
#pragma unroll
        for (int i = 0; i < A; i++) shared[(i * ROW + t) * LINES] = v[i];
    }
    __syncthreads();
    if (A < B && t >= A) return;
#pragma unroll
    for (int i = 0; i < B; i++) out[i] = shared[(t * ROW + i) * LINES];
    pass_dft<SIGN>(out);
}

} // namespace

#endif
