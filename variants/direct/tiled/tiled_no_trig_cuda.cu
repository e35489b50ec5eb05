/* SPDX-License-Identifier: Apache-2.0 */
#include "tiled_ablation.cuh"

/*
 * An ablation of tiled: the phase itself stands in for its sine and cosine. What is left of the
 * time is staging, phases, sums and centres; the special-function unit rests but at the centres.
 */

namespace
{

struct without_trig {
    static __device__ __forceinline__ void add(float phase, ndft_complex<float> z,
                                               ndft_complex<float> &sum)
    {
        ndft_accumulate(sum, phase, phase, z);
    }

    static __device__ __forceinline__ void end(ndft_complex<float> &) {}
};

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    return cost_of(p, op, k, p->dim + 1 + 4, 0, 0);
}

} // namespace

extern "C" const ndft_variant ndft_tiled_no_trig_cuda = {
    .name = "tiled_no_trig",
    .backend = "cuda",
    .summary = "tiled without trigonometry: phases in place of phasors",
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
    .plan = plan<without_trig>,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = ndft_staged_chosen,
};
