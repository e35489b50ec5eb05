/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_INNER_LOOP_CUH
#define NDFT_INNER_LOOP_CUH

#include "core/complex.cuh"
#include "core/dispatch.cuh"
#include "phase/decay.h"
#include "phase/dephasing.h"

#include "base/variant.h"

#include <cmath>

/* Rows of knobs that variants with outputs in registers have. */
#define NDFT_OUTPUTS_KNOB(candidates)                                                              \
    NDFT_KNOB("outputs", "per thread",                                                             \
              "outputs in the registers of a thread; 0 chooses by the problem", 0, candidates)
#define NDFT_THREADS_KNOB(preset, candidates)                                                      \
    NDFT_KNOB("threads", "per block",                                                              \
              "most threads of a block; fewer where registers or outputs are", preset, candidates)

enum { NDFT_BLOCK_THREADS = 1024 }; /* the most */

/* NULL, or why a block cannot have so many threads. */
inline const char *ndft_block_unsupported(int threads)
{
    if (threads < 32 || threads > NDFT_BLOCK_THREADS || threads % 32)
        return "threads must be a multiple of 32 up to 1024";
    return nullptr;
}

/*
 * The inner loop that the tiling variants share: a thread goes through a tile of inputs in shared
 * memory for the OUTPUTS outputs in its registers.
 *
 * The phase (rad) is sum_d a[d] b[d] over DIM space coordinates and the field's. With gradients a
 * pair also carries prod_d sinc(u_d), u = k/N + G t, whose parts belong to the sample and to the
 * voxel; sinc is even, so either sign of the side serves. Rows of a tile, each `stride` long:
 * b[0..DIM], re, im, then the input's part of u: G[0..DIM-1] of voxels, or k/N[0..DIM-1], t of
 * samples. With decay in place of gradients it is exp(-R t), and both parts are one number.
 */

/*
 * The hardware's sine multiplies its argument by a float below 1/(2 pi) by 4.03e-8 of it, and cuts
 * the product off, by 4.13e-8 on the mean. Phases for it are made so much larger in plan, which
 * leaves half the error.
 */
constexpr double ndft_hardware_stretch = 1 + 8.16e-8;

/* each(v, in): the ROWS numbers of one input after the other, `count` of them from `tile` on. They
 * are loaded VECTOR at a time, a multiple of 16 bytes, and v is the place among those. */
template <class R, int ROWS, int VECTOR, class EACH>
__device__ __forceinline__ void ndft_each_input(const R *tile, int stride, int count, EACH each)
{
    for (int i = 0; i < count; i += VECTOR) {
        ndft_pack<R, VECTOR> row[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            row[r] = *(const ndft_pack<R, VECTOR> *)(tile + r * stride + i);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            R in[ROWS];
#pragma unroll
            for (int r = 0; r < ROWS; r++) in[r] = row[r].v[v];
            each(v, in);
        }
    }
}

/* Which kernel: everything a template argument decides. */
template <class REAL, int DIMS, int DEPHASING, bool TO_VOXELS, int OUTS, bool HARDWARE>
struct ndft_inner_loop {
    using R = REAL;
    static constexpr int DIM = DIMS, OUTPUTS = OUTS;
    static constexpr bool SINC = DEPHASING != NDFT_NO_SINC, DECAY = DEPHASING == NDFT_DECAY;
    /* The parts of u that an output and an input bring along. */
    static constexpr int OUT_PARTS = !SINC ? 0 : DECAY ? 1 : TO_VOXELS ? DIM : DIM + 1;
    static constexpr int IN_PARTS = !SINC ? 0 : DECAY ? 1 : TO_VOXELS ? DIM + 1 : DIM;
    static constexpr int ROWS = DIM + 3 + IN_PARTS;
    static constexpr int VECTOR = 16 / (int)sizeof(R);

    /* Place in a tile of number `row` of input i. */
    static __device__ __forceinline__ int place(int stride, int row, int i)
    {
        return row * stride + i;
    }

    R a[OUTPUTS][DIM + 1];
    R part[OUTPUTS][OUT_PARTS > 0 ? OUT_PARTS : 1];
    ndft_complex<R> sum[OUTPUTS];

    static __device__ __forceinline__ void sine_cosine(R phase, R &s, R &c)
    {
        if constexpr (HARDWARE)
            __sincosf(phase, &s, &c);
        else
            sincos(phase, &s, &c);
    }

    static __device__ __forceinline__ R sinc(R u)
    {
        if constexpr (DEPHASING == NDFT_SINC_SHORT)
            return ndft_sinc_short(u * u);
        else if constexpr (DEPHASING == NDFT_SINC_POLY)
            return ndft_sinc_poly(u * u);
        else
            return u == 0 ? (R)1 : sinpi(u) / ((R)3.14159265358979323846 * u);
    }

    __device__ __forceinline__ R dephasing(int o, const R in[IN_PARTS > 0 ? IN_PARTS : 1]) const
    {
        if constexpr (DECAY) return ndft_decay(part[o][0], in[0]);
        R product = 1;
#pragma unroll
        for (int d = 0; d < DIM; d++)
            product *= sinc(TO_VOXELS ? fma(part[o][d], in[IN_PARTS - 1], in[d])
                                      : fma(in[d], part[o][OUT_PARTS > 0 ? DIM : 0], part[o][d]));
        return product;
    }

    __device__ __forceinline__ R phase(int o, const R in[ROWS]) const
    {
        R phase = a[o][0] * in[0];
#pragma unroll
        for (int d = 1; d <= DIM; d++) phase = fma(a[o][d], in[d], phase);
        return phase;
    }

    __device__ __forceinline__ void pair(int o, const R in[ROWS])
    {
        R s, c;
        sine_cosine(phase(o, in), s, c);
        if constexpr (SINC) {
            const R b = dephasing(o, in + DIM + 3);
            s *= b;
            c *= b;
        }
        ndft_accumulate(sum[o], c, s, ndft_complex<R>{in[DIM + 1], in[DIM + 2]});
    }

    /* Adds count inputs, a multiple of VECTOR, to sum. */
    __device__ __forceinline__ void over(const R *tile, int stride, int count)
    {
        ndft_each_input<R, ROWS, VECTOR>(tile, stride, count, [&](int, const R in[ROWS]) {
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) pair(o, in);
        });
    }

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) sum[o] = {0, 0};
    }
};

/* KERNELS::of<DIM, DEPHASING, TO_VOXELS, OUTPUTS>() for the run-time values: a kernel's address,
 * nullptr where KERNELS::built(dim, gradients, outputs) says that there is none. */
template <class KERNELS>
typename KERNELS::kernel ndft_choose_sum(int dim, int dephasing, bool to_voxels, int outputs)
{
    using kernel = typename KERNELS::kernel;
    return ndft_choose<1, 2, 3>(dim, [&](auto dims) {
        return ndft_choose<1, 2, 4, 8>(outputs, [&](auto outs) {
            return ndft_choose<NDFT_NO_SINC, NDFT_SINC_POLY, NDFT_SINC_EXACT>(
                dephasing, [&](auto kind) -> kernel {
                    constexpr int D = decltype(dims)::value, O = decltype(outs)::value;
                    constexpr int K = decltype(kind)::value;
                    if constexpr (KERNELS::built(D, K != NDFT_NO_SINC, O))
                        return to_voxels ? KERNELS::template of<D, K, true, O>()
                                         : KERNELS::template of<D, K, false, O>();
                    else
                        return nullptr;
                });
        });
    });
}

/* What the loop itself executes, loads apart. */
inline ndft_cost ndft_inner_loop_cost(const ndft_problem *p, ndft_op op, bool hardware)
{
    const double pairs = ndft_coil_pairs(p, op), axes = ndft_has_gradients(p) ? p->dim : 0;
    const bool single = p->prec == NDFT_F32;
    const double sincos = hardware ? 1 : single ? 14 : 20; /* FMUL.RZ, or libm's */
    ndft_cost cost = {};
    cost.fma = pairs * (p->dim + 1 + sincos + 4 + (axes > 0 ? 2 + 10 * axes : 0));
    cost.special = hardware ? 2 * pairs : 0;
    cost.issue_slots = cost.fma + cost.special;
    if (!hardware) cost.issue_slots += pairs * (single ? 15 : 62); /* reduction, signs, constants */
    if (axes > 0 && (!hardware || ndft_dephasing_of(p) == NDFT_SINC_EXACT))
        ndft_exact_sinc_cost(pairs * axes * (single ? 1 : 1.6), &cost); /* longer in double */
    if (p->decay) { /* a polynomial, its reduction, and the product with a phasor */
        cost.fma += pairs * (single ? 13 : 18);
        cost.issue_slots += pairs * (single ? 20 : 25);
    }
    cost.fma += 2 * pairs * p->higher.terms; /* fractions of products, and their sum */
    cost.add += 2 * pairs * p->higher.terms;
    cost.issue_slots += 4 * pairs * p->higher.terms;
    cost.dram_bytes = ndft_both_bytes(p);
    return cost;
}

#endif
