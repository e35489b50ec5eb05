/* SPDX-License-Identifier: Apache-2.0 */
#include "uniform/callback/uniform_index.cuh"

#include "direct_plan.cuh"
#include "phase/worst_entry.h"

/*
 * Direct sums axis by axis from a table of the N roots of unity, made in plan: inputs in shared
 * memory, a thread's output of up to four lines in registers, the phasor of a pair at n k mod N in
 * the table, by addition with a wrap, and good for all of the thread's lines. A warp's look-ups
 * are scattered over the table: the load path is the ceiling.
 */

namespace
{

const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs of each line in shared memory", nullptr, 32, 3, {16, 32, 64}},
};

template <class R, int LINES> struct table_inner_loop {
    const ndft_complex<R> *roots;
    int n, at, step;

    __device__ table_inner_loop(const ndft_direct<R> &d, int k)
        : roots(d.roots), n((int)d.pass.length), at(0), step(k % n)
    {
    }

    __device__ __forceinline__ void add(const ndft_values<R, LINES> *values, int terms,
                                        ndft_complex<R> (&sum)[LINES])
    {
        ndft_complex<R> part[LINES] = {}; /* of the tile, that no sum is long */
#pragma unroll 4
        for (int j = 0; j < terms; j++) {
            const ndft_values<R, LINES> x = values[j];
            const ndft_complex<R> root = roots[at];
#pragma unroll
            for (int l = 0; l < LINES; l++) ndft_accumulate(part[l], root.re, root.im, x.z[l]);
            at = at >= n - step ? at - (n - step) : at + step;
        }
#pragma unroll
        for (int l = 0; l < LINES; l++) {
            sum[l].re += part[l].re;
            sum[l].im += part[l].im;
        }
    }
};

using table_plan = ndft_direct_plan<table_inner_loop, true>;

ndft_cost cost(const ndft_problem *p, ndft_op, const int *k)
{
    return ndft_direct_inner_loop_cost(p, k, 4, 0);
}

} // namespace

extern "C" const ndft_variant ndft_uniform_sincos_table_cuda = {
    .name = "uniform_sincos_table",
    .backend = "cuda",
    .summary = "direct sums axis by axis, phasors from the roots of unity",
    .knobs = knobs,
    .n_knobs = 1,
    .ops = NDFT_FORWARD,
    .claim = {.a = 0,
              .b = 0.2,
              .c = 8,
              .truncation = nullptr,
              .any = {.a = 0,
                      .c = 3 * (NDFT_ANY_LIBM + 2 * NDFT_ANY_PRODUCT),
                      .chain = nullptr,
                      .truncation = nullptr},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = ndft_direct_inner_loop_unsupported,
    .plan = ndft_make_plan<table_plan>,
    .execute = table_plan::execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = table_plan::chosen,
};
