/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_HALF_TURNS_CUH
#define NDFT_CONVOLVE_HALF_TURNS_CUH

#include "core/complex.cuh"

#include <cmath>
#include <cstdint>

/*
 * The turns of halves of lines (half_lines.cuh), of N cells. In all lengths exp(-2 pi i j/N), then
 * exp(-pi i j/N), j < N. Halves of two passes have a table of their own behind them: what lies
 * between the passes, [even, odd forward, odd back][CELLS/2][N/CELLS] turns of two cells. An odd
 * half's cell x = i + CELLS m is turned by exp(-pi i x/N) beforehand: m's part of it is one of a
 * few constants, and i's goes with the turn between the passes. So does t's of x = t + i N/CELLS on
 * the way back.
 */

template <class R> struct alignas(4 * sizeof(R)) turns_of_two {
    ndft_complex<R> a, b;
};

namespace
{

__host__ __device__ constexpr bool is_two_passes(int n, int cells)
{
    return n > cells && n <= cells * cells && (cells == 8 || cells == 16) && (n & (n - 1)) == 0;
}

/* cos(pi i/16), -8 <= i < 16 */
__host__ __device__ constexpr double half_cosine(int i)
{
    constexpr double cosines[9] = {1,
                                   0.98078528040323044913,
                                   0.92387953251128675613,
                                   0.83146961230254523708,
                                   0.70710678118654752440,
                                   0.55557023301960222474,
                                   0.38268343236508977173,
                                   0.19509032201612826785,
                                   0};
    i = i < 0 ? -i : i;
    return i > 8 ? -cosines[16 - i] : cosines[i];
}

/* How many that table has, and how many are before it. */
template <class L> __host__ __device__ constexpr int turns_kept()
{
    return is_two_passes(L::N, L::CELLS) ? 3 * L::N : 0;
}

template <class L> __host__ __device__ constexpr int turns_before()
{
    return is_two_passes(L::N, L::CELLS) ? 2 * L::N : 0;
}

/* Of a table those of an even half, or of an odd one, forward (SIGN -1) or back. */
template <class R>
__device__ __forceinline__ const turns_of_two<R> *turns_between(const ndft_complex<R> *table, int n,
                                                                int odd, int sign)
{
    return (const turns_of_two<R> *)(table + odd * (sign < 0 ? 1 : 2) * n);
}

/* Turns of a length in all, and the j-th, as multiples of -pi/N; cells: of a thread. */
inline int64_t half_turns(int64_t n, int cells)
{
    return is_two_passes((int)n, cells) ? 5 * n : 2 * n;
}

inline int64_t half_turn(int64_t n, int cells, int64_t j)
{
    if (j < 2 * n) return j < n ? 2 * j : j - n;
    const int64_t threads = n / cells, kind = j / n - 2, within = j % n;
    const int64_t t = within / 2 % threads, i = within / 2 / threads * 2 + within % 2;
    if (kind == 0) return 2 * t * i;
    return kind == 1 ? (2 * t + 1) * i : t * (2 * i + 1);
}

} // namespace

#endif
