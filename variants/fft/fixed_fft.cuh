/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FFT_FIXED_FFT_CUH
#define NDFT_FFT_FIXED_FFT_CUH

#include "block_fft.cuh"

/*
 * The transforms of block_fft.cuh for lengths and numbers of lines that the compiler knows: the
 * same passes, without loops, and with places in shared memory that are a base and constants. Half
 * of what block_fft executes are sums for places.
 */

namespace
{

/* A thread's cells of a line of n, as in ndft_line_passes_of with a share of 16. */
__host__ __device__ constexpr int fixed_cells(int n)
{
    return n % 5 == 0 ? 20 : n % 3 == 0 ? 12 : 16;
}

/* The product of the passes that are not of that radix, and the first of them. */
__host__ __device__ constexpr int fixed_rest(int n, int cells)
{
    while (n % cells == 0) n /= cells;
    return n;
}

__host__ __device__ constexpr int fixed_first(int n, int cells)
{
    int first = fixed_rest(n, cells);
    while (cells != 16 && first > 4) first /= 4;
    return first;
}

/* exp(SIGN 2 pi i ...), with no factor, as block_fft. */
template <int SIGN, int N, int LINES, int CELLS, class R>
__device__ __forceinline__ void fixed_fft(int t, ndft_complex<R> *shared,
                                          const ndft_complex<R> *turns, ndft_complex<R> (&v)[CELLS])
{
    constexpr int REST = fixed_rest(N, CELLS);
    const block_part<R> part = {N, fixed_first(N, CELLS), REST, t, LINES, shared, turns};
    if constexpr (REST > 1) rest_of_passes<SIGN>(part, v);
#pragma unroll
    for (int done = REST; done < N; done *= CELLS) {
        if (done > 1) {
            const turn_pair<R> turn = turn_of<SIGN, CELLS>(part, done);
            rotate_by_powers<false>(turn.one, turn, v);
        }
        sums<SIGN, CELLS>(v);
        if (CELLS * done == N) continue;
        give<CELLS>(part, done, v);
        take(part, v);
    }
}

} // namespace

#endif
