/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TILED_ABLATION_CUH
#define NDFT_TILED_ABLATION_CUH

#include "direct/inner_loop.cuh"
#include "tiled_knobs.cuh"

/*
 * What the ablations of tiled.cuda share: its staging, in f32 and without gradients, around a walk
 * whose arithmetic is a PART's: add() takes one input to the sum of an output, end() makes numbers
 * of a tile's sum.
 */

namespace
{

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

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64) return "it is built for f32 only";
    if (ndft_has_gradients(p)) return "it has no gradient maps";
    const char *why = ndft_staging_unsupported(p, device, staging_of(k));
    return why ? why : ndft_staging_unbuilt(p, k[OUTPUTS], true);
}

template <class PART> struct ablation_plan : ndft_staged_plan<float> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        auto choice = [](int dim, int, bool, int outputs) {
            return ndft_choose<1, 2, 3>(dim, [&](auto d) {
                return ndft_choose<1, 2, 4, 8>(outputs, [](auto o) -> ndft_staged_kernel<float> {
                    constexpr int DIM = decltype(d)::value, OUTPUTS = decltype(o)::value;
                    if constexpr (ndft_staging_built(DIM, false, OUTPUTS, true))
                        return ndft_staged<ablated_inner_loop<DIM, OUTPUTS, PART>>;
                    else
                        return nullptr;
                });
            });
        };
        return place(p, staging_of(k), ops, ndft_hardware_stretch, choice);
    }
};

template <class PART>
ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return ndft_make_plan<ablation_plan<PART>>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    return static_cast<const ndft_staged_plan<float> *>(state)->run(op, in, out);
}

/* With so many multiply-adds, special functions and integer operations a pair. */
ndft_cost cost_of(const ndft_problem *p, ndft_op op, const int *k, double fma, double special,
                  double integer)
{
    const double pairs = ndft_coil_pairs(p, op);
    ndft_cost cost = {};
    cost.fma = pairs * fma;
    cost.special = pairs * special;
    cost.integer = pairs * integer;
    cost.issue_slots = pairs * (fma + special + integer);
    cost.dram_bytes =
        (double)(ndft_vector_bytes(p, p->n_voxels) + ndft_vector_bytes(p, p->n_samples));
    ndft_staged_cost(p, op, staging_of(k), &cost);
    return cost;
}

} // namespace

#endif
