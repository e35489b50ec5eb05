/* SPDX-License-Identifier: Apache-2.0 */
#include "higher_kernels.cuh"
#include "inner_loop.cuh"
#include "phase/worst_entry.h"
#include "staged.cuh"
#include "tiled_ablation.cuh"

/*
 * Input tiles in shared memory, outputs in registers (see staged.cuh), with the hardware's sine and
 * cosine of the phase that is left in a tile, or libm's. The special-function unit is the ceiling.
 * Two ablations leave out trigonometry, or multiply-adds (tiled_ablation.cuh).
 */

namespace
{

const char *const sincos_words[] = {"auto", "hardware", "libm", nullptr};
enum { SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM };
enum { TILE, OUTPUTS, THREADS, SINCOS, N_KNOBS }; /* in order; ablations have all but the last */

const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs staged at a time", 512, (32, 64, 128, 256, 512, 1024)),
    NDFT_OUTPUTS_KNOB((0, 1, 2, 4, 8)),
    NDFT_THREADS_KNOB(1024, (128, 256, 512, 1024)),
    NDFT_KNOB_WORDS("sincos", "sine and cosine; auto is hardware in f32, libm in f64", sincos_words,
                    0, (SINCOS_AUTO, SINCOS_HARDWARE, SINCOS_LIBM)),
};

ndft_staging staging_of(const int *k) { return {k[TILE], k[OUTPUTS], k[THREADS]}; }

/* The polynomial sinc goes with the hardware's sine; libm's sine with libm's sinc. */
template <class R, bool HARDWARE> struct kernels {
    using kernel = ndft_staged_kernel<R>;
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return ndft_staging_built(dim, gradients, outputs, HARDWARE);
    }
    template <int D, int DEPHASING, bool TO_VOXELS, int O> static kernel of()
    {
        constexpr bool SINC = DEPHASING != NDFT_NO_SINC;
        constexpr int KIND = SINC && !HARDWARE ? NDFT_SINC_EXACT : DEPHASING;
        return ndft_staged<ndft_inner_loop<R, D, KIND, SINC && TO_VOXELS, O, HARDWARE>>;
    }
};

/* With decay, of few outputs, and without gradients. */
template <class R, bool HARDWARE> struct decay_kernels {
    using kernel = ndft_staged_kernel<R>;
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return !gradients && ndft_staging_built(dim, false, outputs, false);
    }
    template <int D, int, bool, int O> static kernel of()
    {
        return ndft_staged<ndft_inner_loop<R, D, NDFT_DECAY, false, O, HARDWARE>>;
    }
};

template <class PART> struct ablated_kernels {
    using kernel = ndft_staged_kernel<float>;
    static constexpr bool built(int dim, bool gradients, int outputs)
    {
        return !gradients && ndft_staging_built(dim, false, outputs, true);
    }
    template <int D, int, bool, int O> static kernel of()
    {
        return ndft_staged<ablated_inner_loop<D, O, PART>>;
    }
};

bool by_hardware(const ndft_problem *p, const int *k)
{
    return p->prec == NDFT_F32 && k[SINCOS] != SINCOS_LIBM;
}

template <class R> struct tiled_plan : ndft_staged_plan<R> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const ndft_staging staging = staging_of(k);
        if (p->higher.terms) return place_higher(p, staging, ops, by_hardware(p, k));
        if constexpr (sizeof(R) == sizeof(float))
            if (by_hardware(p, k))
                return this->place(p, staging, ops, ndft_hardware_stretch,
                                   p->decay ? ndft_choose_sum<decay_kernels<R, true>>
                                            : ndft_choose_sum<kernels<R, true>>);
        return this->place(p, staging, ops, 1,
                           p->decay ? ndft_choose_sum<decay_kernels<R, false>>
                                    : ndft_choose_sum<kernels<R, false>>);
    }

    ndft_status place_higher(const ndft_problem *p, const ndft_staging &staging, unsigned ops,
                             bool hardware)
    {
        const int room = ndft_higher_room(p);
        const auto kernel = [&](int dim, int, bool, int outputs) {
            if constexpr (sizeof(R) == sizeof(float))
                return ndft_higher_kernel_f32(dim, outputs, room, hardware);
            else
                return ndft_higher_kernel_f64(dim, outputs, room);
        };
        return this->place(p, staging, ops, hardware ? ndft_hardware_stretch : 1, kernel);
    }
};

template <class PART> struct ablation_plan : ndft_staged_plan<float> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        return place(p, staging_of(k), ops, ndft_hardware_stretch,
                     ndft_choose_sum<ablated_kernels<PART>>);
    }
};

const char *staging_unsupported(const ndft_problem *p, const ndft_device *device, const int *k,
                                bool hardware)
{
    const char *why = ndft_staging_unsupported(p, device, staging_of(k));
    return why ? why : ndft_staging_unbuilt(p, k[OUTPUTS], hardware);
}

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64 && k[SINCOS] == SINCOS_HARDWARE)
        return "hardware sine and cosine exist in f32 only";
    if (p->decay && ndft_has_gradients(p)) return "with gradient maps it has no decay (R2*)";
    if (p->higher.terms && (p->decay || ndft_has_gradients(p)))
        return "with gradient maps or decay it has no phase of higher order";
    return staging_unsupported(p, device, k, by_hardware(p, k) && !p->decay && !p->higher.terms);
}

const char *ablation_unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64) return "it is built for f32 only";
    if (ndft_has_gradients(p)) return "it has no gradient maps";
    return staging_unsupported(p, device, k, true);
}

ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    ndft_cost cost = ndft_inner_loop_cost(p, op, by_hardware(p, k));
    ndft_staged_cost(p, op, staging_of(k), &cost);
    return cost;
}

template <class PART> ndft_cost ablation_cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op);
    ndft_cost cost = {};
    cost.fma = pairs * (p->dim + 1 + PART::FMA);
    cost.special = pairs * PART::SPECIAL;
    cost.integer = pairs * PART::INTEGER;
    cost.issue_slots = cost.fma + cost.special + cost.integer;
    cost.dram_bytes = ndft_both_bytes(p);
    ndft_staged_cost(p, op, staging_of(k), &cost);
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_tiled_cuda = {
    .name = "tiled",
    .backend = "cuda",
    .summary = "input tiles in shared memory, tile-centre phases, outputs in registers",
    NDFT_KNOBS(knobs),
    .decays = true,
    .higher = true,
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 16,
              .truncation = ndft_staged_rounding,
              .any = {.a = NDFT_ANY_OFFSET_HARDWARE,
                      .c = NDFT_ANY_CENTRE + NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_tile_chain},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(tiled_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};

extern "C" const ndft_variant ndft_tiled_no_trig_cuda = {
    .name = "tiled_no_trig",
    .backend = "cuda",
    .summary = "tiled without trigonometry: phases in place of phasors",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .claim = {.deterministic = true},
    .unsupported = ablation_unsupported,
    NDFT_BASE_PLAN(ablation_plan<without_trig>),
    .cost = ablation_cost<without_trig>,
    .chosen = ndft_chosen_plan,
};

extern "C" const ndft_variant ndft_tiled_no_mac_cuda = {
    .name = "tiled_no_mac",
    .backend = "cuda",
    .summary = "tiled without multiply-accumulate: phasors and values joined by exclusive or",
    .knobs = knobs,
    .n_knobs = SINCOS,
    .claim = {.deterministic = true},
    .unsupported = ablation_unsupported,
    NDFT_BASE_PLAN(ablation_plan<without_mac>),
    .cost = ablation_cost<without_mac>,
    .chosen = ndft_chosen_plan,
};
