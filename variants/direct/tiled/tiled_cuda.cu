/* SPDX-License-Identifier: Apache-2.0 */
#include "direct/inner_loop.cuh"
#include "phase/worst_entry.h"
#include "tiled_knobs.cuh"

/*
 * Input tiles in shared memory, outputs in registers (see staged.cuh), with the hardware's sine and
 * cosine of the phase that is left in a tile, or libm's. The special-function unit is the ceiling.
 */

namespace
{

/* The polynomial sinc goes with the hardware's sine; libm's sine with libm's sinc. */
template <class R, bool HARDWARE, int D, int O, bool TO_VOXELS>
ndft_staged_kernel<R> choose_sinc(int dephasing)
{
    constexpr int POLY = HARDWARE ? NDFT_SINC_POLY : NDFT_SINC_EXACT;
    return dephasing == NDFT_SINC_POLY
               ? ndft_staged<ndft_inner_loop<R, D, POLY, TO_VOXELS, O, HARDWARE>>
               : ndft_staged<ndft_inner_loop<R, D, NDFT_SINC_EXACT, TO_VOXELS, O, HARDWARE>>;
}

template <class R, bool HARDWARE>
ndft_staged_kernel<R> choose_kernel(int dim, int dephasing, bool to_voxels, int outputs)
{
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) -> ndft_staged_kernel<R> {
            constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
            if constexpr (ndft_staging_built(D, false, O, HARDWARE))
                if (dephasing == NDFT_NO_SINC)
                    return ndft_staged<ndft_inner_loop<R, D, NDFT_NO_SINC, false, O, HARDWARE>>;
            if constexpr (ndft_staging_built(D, true, O, HARDWARE))
                return to_voxels ? choose_sinc<R, HARDWARE, D, O, true>(dephasing)
                                 : choose_sinc<R, HARDWARE, D, O, false>(dephasing);
            return nullptr;
        });
    });
}

bool by_hardware(const ndft_problem *p, const int *k)
{
    return p->prec == NDFT_F32 && k[SINCOS] != SINCOS_LIBM;
}

template <class R> struct tiled_plan : ndft_staged_plan<R> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const bool hardware = by_hardware(p, k);
        const double stretch = hardware ? ndft_hardware_stretch : 1;
        return this->place(p, staging_of(k), ops, stretch,
                           [&](int dim, int sinc, bool to_voxels, int outs) {
                               if constexpr (sizeof(R) == sizeof(float))
                                   if (hardware)
                                       return choose_kernel<R, true>(dim, sinc, to_voxels, outs);
                               return choose_kernel<R, false>(dim, sinc, to_voxels, outs);
                           });
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64 && k[SINCOS] == SINCOS_HARDWARE)
        return "hardware sine and cosine exist in f32 only";
    const char *why = ndft_staging_unsupported(p, device, staging_of(k));
    return why ? why : ndft_staging_unbuilt(p, k[OUTPUTS], by_hardware(p, k));
}

ndft_status plan(const ndft_problem *p, const int *k, unsigned ops, ndft_exec *exec, void **out)
{
    return p->prec == NDFT_F32 ? ndft_make_plan<tiled_plan<float>>(p, k, ops, exec, out)
                               : ndft_make_plan<tiled_plan<double>>(p, k, ops, exec, out);
}

ndft_status execute(void *state, ndft_op op, const void *in, void *out)
{
    return ((ndft_base_plan *)state)->prec == NDFT_F32
               ? ((tiled_plan<float> *)state)->run(op, in, out)
               : ((tiled_plan<double> *)state)->run(op, in, out);
}

double rounding(const ndft_problem *p, const int *k) { return ndft_staged_rounding(p, k[TILE]); }

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_inner_loop_cost(p, op, by_hardware(p, k));
    ndft_staged_cost(p, op, staging_of(k), &cost);
    return cost;
}

double chain(const ndft_problem *p, ndft_op op, const int *k)
{
    return ndft_cut_chain(p, op, k[TILE]);
}

} // namespace

extern "C" const ndft_variant ndft_tiled_cuda = {
    .name = "tiled",
    .backend = "cuda",
    .summary = "input tiles in shared memory, tile-centre phases, outputs in registers",
    .knobs = knobs,
    .n_knobs = sizeof knobs / sizeof *knobs,
    .ops = NDFT_FORWARD | NDFT_ADJOINT,
    .claim = {.a = 0,
              .b = 0.05,
              .c = 16,
              .truncation = rounding,
              .any = {.a = NDFT_ANY_OFFSET_HARDWARE,
                      .c = NDFT_ANY_CENTRE + NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = chain,
                      .truncation = nullptr},
              .deterministic = true,
              .preserves_input = true},
    .unsupported = unsupported,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
    .chosen = ndft_staged_chosen,
};
