/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch.cuh"
#include "staged.cuh"
#include "walk.cuh"

/*
 * Input tiles in shared memory, outputs in registers (see staged.cuh), with the hardware's sine and
 * cosine of the phase that is left in a tile, or libm's. The special-function unit is the ceiling.
 */

namespace
{

const char *const sincos_words[] = {"auto", "hardware", "libm", nullptr};
enum { SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM };
enum { TILE, OUTPUTS, THREADS, SINCOS }; /* knobs, in order */

const ndft_knob knobs[] = {
    {"tile", "inputs", "inputs staged at a time", nullptr, 512, 6, {32, 64, 128, 256, 512, 1024}},
    {"outputs",
     "per thread",
     "outputs in the registers of a thread; 0 chooses by the problem",
     nullptr,
     0,
     5,
     {0, 1, 2, 4, 8}},
    {"threads",
     "per block",
     "most threads of a block; fewer where registers or outputs are",
     nullptr,
     1024,
     4,
     {128, 256, 512, 1024}},
    {"sincos",
     "",
     "sine and cosine; auto is hardware in f32, libm in f64",
     sincos_words,
     0,
     3,
     {SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM}},
};

ndft_staging staging_of(const int *k) { return {k[TILE], k[OUTPUTS], k[THREADS]}; }

/* The polynomial sinc goes with the hardware's sine; libm's sine with libm's sinc. */
template <class R, bool HARDWARE>
ndft_staged_kernel<R> choose_kernel(int dim, int dephasing, bool to_voxels, int outputs)
{
    constexpr int POLY = HARDWARE ? NDFT_SINC_POLY : NDFT_SINC_EXACT;
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) -> ndft_staged_kernel<R> {
            constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
            if (dephasing == NDFT_NO_SINC)
                return ndft_staged<ndft_walk<R, D, NDFT_NO_SINC, false, O, HARDWARE>>;
            if (dephasing == NDFT_SINC_POLY)
                return to_voxels ? ndft_staged<ndft_walk<R, D, POLY, true, O, HARDWARE>>
                                 : ndft_staged<ndft_walk<R, D, POLY, false, O, HARDWARE>>;
            return to_voxels ? ndft_staged<ndft_walk<R, D, NDFT_SINC_EXACT, true, O, HARDWARE>>
                             : ndft_staged<ndft_walk<R, D, NDFT_SINC_EXACT, false, O, HARDWARE>>;
        });
    });
}

template <class R> struct tiled_plan : ndft_staged_plan<R> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const bool hardware = sizeof(R) == sizeof(float) && k[SINCOS] != SINCOS_LIBM;
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

const char *unfit(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64 && k[SINCOS] == SINCOS_HARDWARE)
        return "hardware sine and cosine exist in f32 only";
    return ndft_staging_unfit(p, device, staging_of(k));
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
    ndft_cost cost = ndft_walk_cost(p, op, p->prec == NDFT_F32 && k[SINCOS] != SINCOS_LIBM);
    ndft_staged_cost(p, op, staging_of(k), &cost);
    return cost;
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
              .deterministic = true,
              .preserves_input = true},
    .unfit = unfit,
    .plan = plan,
    .execute = execute,
    .destroy = ndft_destroy_plan,
    .cost = cost,
};
