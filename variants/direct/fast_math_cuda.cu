/* SPDX-License-Identifier: Apache-2.0 */
#include "reduced.cuh"

/*
 * The naive mapping, no shared memory: only the arithmetic changes. Phases in turns, each product
 * reduced exactly, the hardware's sine and cosine, sinc as a polynomial in u^2 up to |u| = 1.5 and
 * by sine and division beyond. With the phase reduced, the hardware's absolute error of 2^-21 is
 * all that "fast" costs. Issue slots are the ceiling, about 20 a pair in 2D.
 */

namespace
{

enum { OUTPUTS, THREADS }; /* knobs, in order */
enum { USUAL_OUTPUTS = 2 };

const ndft_knob knobs[] = {
    {"outputs",
     "per thread",
     "outputs in the registers of a thread",
     nullptr,
     USUAL_OUTPUTS,
     4,
     {1, 2, 4, 8}},
    {"threads", "per block", "threads of a block", nullptr, 128, 3, {64, 128, 256}},
};

struct hardware_sincos {
    __device__ __forceinline__ void operator()(float turns, float &s, float &c) const
    {
        __sincosf(6.28318531f * turns, &s, &c);
    }
};

template <class SUM>
__global__ void fast_math(ndft_reduced_operands s, const ndft_complex<float> *in,
                          ndft_complex<float> *out)
{
    SUM::run(hardware_sincos{}, s, in, out);
}

using kernel = void (*)(ndft_reduced_operands, const ndft_complex<float> *, ndft_complex<float> *);

struct choose_kernel {
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return outputs == USUAL_OUTPUTS || ndft_built_for_sweeps(dim, gradients);
    }
    template <class SUM> kernel operator()() const { return fast_math<SUM>; }
};

struct fast_math_plan : ndft_reduced_plan<kernel> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned)
    {
        return place(p, k[THREADS], k[OUTPUTS], choose_kernel{});
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *, const int *k)
{
    if (p->prec != NDFT_F32) return "it is built for f32 only";
    if (k[OUTPUTS] != 1 && k[OUTPUTS] != 2 && k[OUTPUTS] != 4 && k[OUTPUTS] != 8)
        return "outputs is built for 1, 2, 4 and 8";
    if (!choose_kernel::built(p->dim, ndft_has_gradients(p), k[OUTPUTS]))
        return "with gradients and outside 2D outputs is built for 2; -DNDFT_ALL=ON builds all";
    if (k[THREADS] < 32 || k[THREADS] > 1024 || k[THREADS] % 32)
        return "threads must be a multiple of 32 up to 1024";
    return ndft_phase_range_exceeded(p);
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<fast_math_plan>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    const auto *plan = (const fast_math_plan *)state;
    const bool adjoint = op == NDFT_ADJOINT;
    const kernel run = plan->kernels[adjoint];
    run<<<plan->grid(adjoint), plan->threads, 0, ndft_stream(plan->arrays.exec)>>>(
        plan->sides[adjoint], (const ndft_complex<float> *)in, (ndft_complex<float> *)out);
    return ndft_launched(plan->arrays.exec, "fast_math");
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_reduced_cost(p, op, k[THREADS], k[OUTPUTS]);
    const double pairs = ndft_coil_pairs(p, op);
    cost.fma += 2 * pairs; /* turns to rad, and back inside the hardware's sine */
    cost.special = 2 * pairs;
    cost.issue_slots += 4 * pairs;
    cost.launches = 1;
    return cost;
}

double truncation(const ndft_problem *p, const int *) { return ndft_reduced_rounding(p); }

} // namespace

extern "C" const ndft_variant ndft_fast_math_cuda = {
    .name = "fast_math",
    .backend = "cuda",
    .summary = "naive's mapping, every product reduced in turns, hardware sincos",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 24,
              .truncation = truncation,
              .any = {.a = 1,
                      .c = NDFT_ANY_REDUCED + NDFT_ANY_ANGLE + NDFT_ANY_HARDWARE +
                           NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_reduced_chain,
                      .truncation = nullptr},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
