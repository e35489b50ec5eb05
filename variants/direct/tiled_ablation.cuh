/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_ABLATION_CUH
#define NDFT_TILED_ABLATION_CUH

#include "inner_loop.cuh"

namespace
{

/*
 * What tiled.cuda leaves out to be explained: its staging, in f32 and without gradients, around a
 * loop whose arithmetic is a PART's: add() takes one input to the sum of an output, end() makes
 * numbers of a tile's sum.
 */
template <int DIM, int OUTPUTS, class PART>
struct ablated_inner_loop : ndft_inner_loop<float, DIM, NDFT_NO_SINC, false, OUTPUTS, true> {
    using base = ndft_inner_loop<float, DIM, NDFT_NO_SINC, false, OUTPUTS, true>;

    __device__ __forceinline__ void over(const float *tile, int stride, int count)
    {
        ndft_each_input<float, base::ROWS, base::VECTOR>(
            tile, stride, count, [&](int, const float in[base::ROWS]) {
#pragma unroll
                for (int o = 0; o < OUTPUTS; o++)
                    PART::add(this->phase(o, in), {in[DIM + 1], in[DIM + 2]}, this->sum[o]);
            });
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) PART::end(this->sum[o]);
    }
};

/* The phase itself stands in for its sine and cosine. What is left of the time is staging, phases,
 * sums and centres; the special-function unit rests but at the centres. */
struct without_trig {
    static constexpr double FMA = 4, SPECIAL = 0, INTEGER = 0; /* of a pair, beside its phase */

    static __device__ __forceinline__ void add(float phase, ndft_complex<float> z,
                                               ndft_complex<float> &sum)
    {
        ndft_accumulate(sum, phase, phase, z);
    }

    static __device__ __forceinline__ void end(ndft_complex<float> &) {}
};

/*
 * The bits of phasors and values are joined by exclusive or, one instruction of the integer unit
 * where the sum takes two of the multiply-add unit. All of them reach the output, so nothing is
 * made in vain; what they add up to is made a number at the end of a tile.
 */
struct without_mac {
    static constexpr double FMA = 1, SPECIAL = 2, INTEGER = 2;

    /* acc ^ a ^ b: one instruction. */
    static __device__ __forceinline__ float joined(float acc, float a, float b)
    {
        return __int_as_float(__float_as_int(acc) ^ __float_as_int(a) ^ __float_as_int(b));
    }

    /* The same bits in a number from 1 to 2. */
    static __device__ __forceinline__ float finite(float bits)
    {
        return __int_as_float((__float_as_int(bits) & 0x007fffff) | 0x3f800000);
    }

    static __device__ __forceinline__ void add(float phase, ndft_complex<float> z,
                                               ndft_complex<float> &sum)
    {
        float s, c;
        __sincosf(phase, &s, &c);
        sum = {joined(sum.re, c, z.re), joined(sum.im, s, z.im)};
    }

    static __device__ __forceinline__ void end(ndft_complex<float> &sum)
    {
        sum = {finite(sum.re), finite(sum.im)};
    }
};

} // namespace

#endif
