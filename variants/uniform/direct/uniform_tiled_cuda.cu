/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "direct_plan.cuh"
#include "phase/worst_entry.h"

/*
 * Direct sums axis by axis, tile by tile: inputs in shared memory, a thread's output of up to four
 * lines in registers. Within a tile there are no phasors at all, for its sum is a polynomial in
 * w = exp(i k): Horner's rule, from the last input to the first, takes one complex multiply-add
 * each. The tile's sum is then turned to its place, by an exact integer phase, so that the errors
 * of w's powers end with the tile. FMA issue is the ceiling, 4 a pair.
 */

namespace
{

const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs summed about one exact phase", nullptr, 16, 3, {8, 16, 32}},
};

/* exp(sign 2 pi i index/n) */
template <class R> __device__ ndft_complex<R> turn_of(int index, int n, int sign)
{
    ndft_complex<R> turn;
    const int near = index > n / 2 ? index - n : index;
    sincospi((R)(2 * sign) * ((R)near / (R)n), &turn.im, &turn.re);
    return turn;
}

template <class R, int LINES> struct horner_inner_loop {
    int n, sign, at, step; /* at: the tile's phase */
    ndft_complex<R> w;

    __device__ horner_inner_loop(const ndft_direct<R> &d, int k)
        : n((int)d.pass.length), sign(d.pass.sign), at(0), step((int)((int64_t)k * d.tile % n)),
          w(turn_of<R>(k % n, n, sign))
    {
    }

    __device__ __forceinline__ void add(const ndft_values<R, LINES> *values, int terms,
                                        ndft_complex<R> (&sum)[LINES])
    {
        ndft_complex<R> power[LINES] = {};
#pragma unroll 4
        for (int j = terms - 1; j >= 0; j--) {
            ndft_values<R, LINES> x = values[j];
#pragma unroll
            for (int l = 0; l < LINES; l++) {
                ndft_accumulate(x.z[l], w.re, w.im, power[l]);
                power[l] = x.z[l];
            }
        }
        const ndft_complex<R> turn = turn_of<R>(at, n, sign);
#pragma unroll
        for (int l = 0; l < LINES; l++) ndft_accumulate(sum[l], turn.re, turn.im, power[l]);
        at = at >= n - step ? at - (n - step) : at + step;
    }
};

using tiled_plan = ndft_direct_plan<horner_inner_loop, false>;

ndft_cost cost(const ndft_problem *p, ndft_op, const int *k)
{
    return ndft_direct_inner_loop_cost(p, k, 1, 40);
}

/* The j-th power of a rounded w is off by j of its roundings. */
double truncation(const ndft_problem *p, const int *k)
{
    return (p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53) * 0.5 * k[0];
}

/* And each step multiplies the sum so far, on each of three axes. */
double worst(const ndft_problem *p, ndft_op, const int *k)
{
    return (p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53) * 3 * 4 * k[0];
}

} // namespace

extern "C" const ndft_variant ndft_uniform_tiled_cuda = {
    .name = "uniform_tiled",
    .backend = "cuda",
    .summary = "direct sums axis by axis, tiles by Horner's rule about exact phases",
    .knobs = knobs,
    .n_knobs = 1,
    .ops = NDFT_FORWARD,
    .claim = {.a = 0,
              .b = 0.2,
              .c = 8,
              .truncation = truncation,
              .any = {.a = 0,
                      .c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT),
                      .chain = nullptr,
                      .truncation = worst},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = ndft_direct_inner_loop_unsupported,
    .plan = ndft_make_plan<tiled_plan>,
    .execute = tiled_plan::execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = tiled_plan::chosen,
};
