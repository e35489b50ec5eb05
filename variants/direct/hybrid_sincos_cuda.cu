/* SPDX-License-Identifier: Apache-2.0 */
#include "packed.cuh"
#include "phase/sincos_minimax.h"
#include "phase/worst_entry.h"
#include "staged.cuh"

/*
 * tiled.cuda with a share of the sines and cosines by polynomials on the FMA pipe (see
 * hybrid_inner_loop), so that it and the special-function unit finish together: a pair on the
 * unit keeps it busy for 16 issue slots and takes 10 of them, one by polynomials takes 22 and
 * leaves the unit alone. With gradients the sinc's polynomials fill the FMA pipe and the unit has
 * them all.
 */

namespace
{

/*
 * ndft_inner_loop in f32 with the sines and cosines of SHARE pairs in 8 by polynomials on the FMA
 * pipe, the others' on the special-function unit. Which is which is known when the loop is
 * compiled: the polynomials serve the last of four inputs, for as many outputs as it takes, or with
 * one output the middle of eight; and the pairs are taken output by output. Of the orders tried
 * these were the fastest.
 */
template <int DIMS, int OUTS, int SHARE>
struct hybrid_inner_loop : ndft_packed_inner_loop<DIMS, NDFT_NO_SINC, false, OUTS> {
    using base = ndft_packed_inner_loop<DIMS, NDFT_NO_SINC, false, OUTS>;
    using base::ROWS;
    static constexpr int VECTOR = OUTS == 1 ? 8 : 4, PAIRS = VECTOR * OUTS;
    using pack = ndft_pack<float, 4>;

    /* Constants of the polynomials that stand beside another one in their instruction, which can
     * have but one. A compiler that knows them moves them into registers anew in every round:
     * `none` is 0, and only the caller knows. 1/(2 pi) is the float that the hardware's sine
     * multiplies by, too. */
    struct constants {
        float turns, sine, cosine;

        static __device__ __forceinline__ float held(float x, int none)
        {
            return __int_as_float(__float_as_int(x) | none);
        }
        __device__ __forceinline__ explicit constants(int none)
            : turns(held(0.159154937f, none)), sine(held(ndft_sine_lead, none)),
              cosine(held(ndft_cosine_lead, none))
        {
        }
    };

    /* Whole turns are taken off by adding 1.5 2^23, which rounds to an integer. */
    static __device__ __forceinline__ void polynomial(const constants &k, float phase, float &s,
                                                      float &c)
    {
        const float magic = 0x1.8p23f;
        const float whole = __fadd_rn(fmaf(phase, k.turns, magic), -magic);
        const float r = fmaf(phase, k.turns, -whole), z = r * r;
        s = ndft_sine_of_turns(k.sine, r, z);
        c = ndft_cosine_of_turns(k.cosine, z);
    }

    static __device__ constexpr bool on_fma(int o, int v)
    {
        constexpr int some = PAIRS * SHARE / 8, middle = VECTOR / 2 - some / 2;
        return OUTS == 1 ? v >= middle && v < middle + some : v == 3 && o < some;
    }

    __device__ __forceinline__ void add_pair(int pair, const constants &k,
                                             const pack row[VECTOR / 4 * ROWS])
    {
        const int o = pair / VECTOR, v = pair % VECTOR;
        float in[ROWS], s, c;
#pragma unroll
        for (int r = 0; r < ROWS; r++) in[r] = row[v / 4 * ROWS + r].v[v % 4];
        const float phase = this->phase(o, in);
        if (on_fma(o, v))
            polynomial(k, phase, s, c);
        else
            __sincosf(phase, &s, &c);
        ndft_accumulate(this->sum[o], c, s, ndft_complex<float>{in[DIMS + 1], in[DIMS + 2]});
    }

    /* Adds count inputs, a multiple of VECTOR, to sum. */
    __device__ __forceinline__ void over(const float *tile, int stride, int count)
    {
        const constants k(OUTS == 1 ? 0 : stride >> 31); /* one output has no need */
        for (int i = 0; i < count; i += VECTOR, tile += VECTOR * ROWS) {
            pack row[VECTOR / 4 * ROWS];
#pragma unroll
            for (int r = 0; r < VECTOR / 4 * ROWS; r++) row[r] = ((const pack *)tile)[r];
#pragma unroll
            for (int pair = 0; pair < PAIRS; pair++) add_pair(pair, k, row);
        }
    }
};

/* Most threads of a block, for the registers that they leave. */
constexpr int block_of(bool sinc, int outputs) { return sinc ? 512 : outputs == 4 ? 640 : 1024; }

enum { TILE, OUTPUTS, THREADS, SHARE }; /* knobs, in order */

const ndft_knob knobs[] = {
    NDFT_KNOB("tile", "inputs", "inputs staged at a time", 1024, (256, 512, 1024, 2048)),
    NDFT_OUTPUTS_KNOB((0, 1, 2, 4)),
    NDFT_THREADS_KNOB(1024, (128, 256, 512, 1024)),
    NDFT_KNOB("share", "of 8", "pairs whose sine is a polynomial", 1, (1, 2)),
};

/* What 0 and the preset choose, and what sweeps want; with gradients there is no share. */
constexpr bool built(int dim, bool gradients, int outputs, int share)
{
    if (ndft_built_for_sweeps(dim, gradients)) return true;
    return gradients ? outputs != 2 : outputs != 4 && share == 1;
}

template <int D, int O, bool TO_VOXELS, int DEPHASING> ndft_staged_kernel<float> with_sinc()
{
    return ndft_staged_within<ndft_packed_inner_loop<D, DEPHASING, TO_VOXELS, O>,
                              block_of(true, O)>;
}

template <int D, int O, bool TO_VOXELS> ndft_staged_kernel<float> choose_sinc(int dephasing)
{
    return dephasing == NDFT_SINC_SHORT  ? with_sinc<D, O, TO_VOXELS, NDFT_SINC_SHORT>()
           : dephasing == NDFT_SINC_POLY ? with_sinc<D, O, TO_VOXELS, NDFT_SINC_POLY>()
                                         : with_sinc<D, O, TO_VOXELS, NDFT_SINC_EXACT>();
}

ndft_staged_kernel<float> choose(int share, int dim, int dephasing, bool to_voxels, int outputs)
{
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4>(outputs, [&](auto outs) -> ndft_staged_kernel<float> {
            constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
            if constexpr (built(D, true, O, 1))
                if (dephasing != NDFT_NO_SINC)
                    return to_voxels ? choose_sinc<D, O, true>(dephasing)
                                     : choose_sinc<D, O, false>(dephasing);
            return ndft_choose<1, 2>(share, [&](auto part) -> ndft_staged_kernel<float> {
                constexpr int SHARED = decltype(part)::value;
                if constexpr (built(D, false, O, SHARED))
                    return ndft_staged_within<hybrid_inner_loop<D, O, SHARED>, block_of(false, O)>;
                else
                    return nullptr;
            });
        });
    });
}

ndft_staging staging_of(const ndft_problem *p, const int *k)
{
    const bool sinc = ndft_has_gradients(p), few = ndft_coil_pairs(p, NDFT_FORWARD) < 5e7;
    const int outputs = k[OUTPUTS] ? k[OUTPUTS] : few ? 1 : sinc ? 4 : 2;
    const int most = block_of(sinc, outputs);
    return {k[TILE], outputs, k[THREADS] < most ? k[THREADS] : most};
}

struct hybrid_plan : ndft_staged_plan<float> {
    ndft_status prepare(const ndft_problem *p, const int *k, unsigned ops)
    {
        const int dephasing = ndft_shortest_dephasing_of(p);
        const auto kernel = [&](int dim, int, bool to_voxels, int outputs) {
            return choose(k[SHARE], dim, dephasing, to_voxels, outputs);
        };
        return place(p, staging_of(p, k), ops, ndft_hardware_stretch, kernel);
    }
};

const char *unsupported(const ndft_problem *p, const ndft_device *device, const int *k)
{
    if (p->prec == NDFT_F64) return "its polynomials and the hardware's sine suffice for f32 only";
    if (k[OUTPUTS] == 8) return "outputs is built for 1, 2 and 4, and 0 chooses";
    if (k[THREADS] > NDFT_BLOCK_THREADS) return ndft_block_unsupported(k[THREADS]);
    if (k[SHARE] < 1 || k[SHARE] > 2) return "share is built for 1 and 2";
    const ndft_staging staging = staging_of(p, k);
    if (!built(p->dim, ndft_has_gradients(p), staging.outputs, k[SHARE]))
        return ndft_has_gradients(p)
                   ? "with gradients outputs is built for 1 and 4, and 0 chooses; "
                     "-DNDFT_ALL=ON builds all"
                   : "outside 2D outputs is built for 1 and 2, and 0 chooses, share for 1; "
                     "-DNDFT_ALL=ON builds all";
    return ndft_staging_unsupported(p, device, staging);
}

/* By the machine code: tiled's, with 15 operations in place of FMUL.RZ and two on the unit, and two
 * fewer for a short sinc. */
ndft_cost cost(const ndft_problem *p, ndft_op op, const int *k)
{
    const double pairs = ndft_coil_pairs(p, op), poly = pairs * k[SHARE] / 8;
    ndft_cost cost = ndft_inner_loop_cost(p, op, true);
    if (!ndft_has_gradients(p)) {
        cost.fma += 13 * poly;
        cost.add += poly;
        cost.special -= 2 * poly;
        cost.issue_slots += 12 * poly;
    } else if (ndft_shortest_dephasing_of(p) == NDFT_SINC_SHORT) {
        cost.fma -= 2 * pairs * p->dim;
        cost.issue_slots -= 2 * pairs * p->dim;
    }
    ndft_staged_cost(p, op, staging_of(p, k), &cost);
    return cost;
}

} // namespace

extern "C" const ndft_variant ndft_hybrid_sincos_cuda = {
    .name = "hybrid_sincos",
    .backend = "cuda",
    .summary = "tiled, with a share of the sines and cosines by polynomials on the FMA pipe",
    NDFT_KNOBS(knobs),
    .off_grid = true,
    .claim = {.b = 0.05,
              .c = 16,
              .truncation = ndft_staged_rounding,
              .any = {.a = NDFT_ANY_OFFSET_HARDWARE,
                      .c = NDFT_ANY_CENTRE + NDFT_ANY_HARDWARE + NDFT_ANY_PRODUCT + NDFT_ANY_SINC,
                      .chain = ndft_tile_chain},
              .deterministic = true},
    .unsupported = unsupported,
    NDFT_BASE_PLAN(hybrid_plan),
    .cost = cost,
    .chosen = ndft_chosen_plan,
};
