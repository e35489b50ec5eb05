/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_ablation.cuh"

/*
 * An ablation of tiled: the bits of phasors and values are joined by exclusive or, one instruction
 * of the integer unit where the sum takes two of the multiply-add unit. All of them reach the
 * output, so nothing is made in vain; what they add up to is made a number at the end of a tile.
 */

namespace
{

/* acc ^ a ^ b: one instruction. */
__device__ __forceinline__ float joined(float acc, float a, float b)
{
    return __int_as_float(__float_as_int(acc) ^ __float_as_int(a) ^ __float_as_int(b));
}

/* The same bits in a number from 1 to 2. */
__device__ __forceinline__ float finite(float bits)
{
    return __int_as_float((__float_as_int(bits) & 0x007fffff) | 0x3f800000);
}

struct without_mac {
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

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return cost_of(p, op, k, p->dim + 1 + 1, 2, 2);
}

} // namespace

extern "C" const ndft_variant ndft_tiled_no_mac_cuda = {
    .name = "tiled_no_mac",
    .backend = "cuda",
    .summary = "tiled without multiply-accumulate: phasors and values joined by exclusive or",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0,
              .c = 0,
              .truncation = nullptr,
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan<without_mac>,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = ndft_staged_chosen,
};
