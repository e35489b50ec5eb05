/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLVE_PAIR_WEIGHTS_CUH
#define NDFT_CONVOLVE_PAIR_WEIGHTS_CUH

/* How large lines are, and what makes two of them as large as each other (real_pair.h), on the
 * device. */

namespace
{

/* With what a line goes into its pair and comes out. */
template <class R> struct pair_weight {
    R into, out_of;
};

template <class R> __device__ __forceinline__ R power_of_two(int exponent)
{
    if constexpr (sizeof(R) == 4) return __int_as_float((127 + exponent) << 23);
    return __hiloint2double((1023 + exponent) << 20, 0);
}

/* Powers of two by which a line's size becomes 1/2 to 1; in place of one with a number that is none
 * come zeros. By the bits: every thread does so. */
template <class R> __device__ __forceinline__ pair_weight<R> weight_of(double size)
{
    constexpr int most = sizeof(R) == 4 ? 126 : 1022; /* either is a normal number */
    if (size == 0) return {0, 0};
    if (!isfinite(size)) return {0, (R)NAN};
    const int exponent = max(-most, min(most, (__double2hiint(size) >> 20) - 1022));
    return {power_of_two<R>(-exponent), power_of_two<R>(exponent)};
}

/* Those of the two lines of a pair. */
template <class R> struct pair_weights {
    R into[2], out_of[2];
};

template <class R> __device__ __forceinline__ pair_weights<R> weights_of(double x, double y)
{
    const pair_weight<R> first = weight_of<R>(x), second = weight_of<R>(y);
    return {{first.into, second.into}, {first.out_of, second.out_of}};
}

/* A sum of magnitudes. It may overflow, but is no number only where one of them is none. */
template <class R> struct magnitudes {
    R sum, none;

    __device__ __forceinline__ void add(R x)
    {
        sum += abs(x);
        none = fma((R)0, x, none);
    }
};

} // namespace

#endif
