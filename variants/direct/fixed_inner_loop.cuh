/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXED_INNER_LOOP_CUH
#define NDFT_FIXED_INNER_LOOP_CUH

#include "packed.cuh"
#include "phase/points.cuh"

#include <cmath>

/*
 * The inner loop with phases in fixed point: a turn is 2^32, so that integers wrap around by whole
 * turns and what is left is exact. k/N 2^32 of a sample times the integer x of a voxel is a phase
 * already. Readout times are t = n T + e, n an integer and |e| <= T/2: the integer dw T 2^32/(2 pi)
 * of a voxel times n, and the small rest dw e in float. Sums are short runs, added up with
 * compensation (Kahan, CACM 8 (1965) 40).
 *
 * Rows of a tile: DIM integers, the field's integer, dw or e, re, im, then as in ndft_inner_loop
 * the input's part of the sinc's argument.
 */
template <int DIMS, int DEPHASING, bool TO_VOXELS, int OUTS>
struct ndft_fixed_inner_loop : ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true> {
    using base = ndft_inner_loop<float, DIMS, DEPHASING, TO_VOXELS, OUTS, true>;
    using base::DIM;
    using base::OUTPUTS;
    using base::sum;
    static constexpr int ROWS = base::ROWS + 1;

    int turns[OUTPUTS][DIM + 1];
    float slow[OUTPUTS]; /* dw or e */
    ndft_complex<float> total[OUTPUTS], lost[OUTPUTS];

    static __device__ __forceinline__ int place(int row, int i)
    {
        return ndft_packed_place<ROWS>(row, i);
    }

    __device__ __forceinline__ void fixed_pair(int o, const float in[ROWS])
    {
        const float unit = (float)(6.283185307179586 * 0x1p-32 * ndft_hardware_stretch);
        unsigned u = 0;
#pragma unroll
        for (int d = 0; d <= DIM; d++) u += (unsigned)turns[o][d] * __float_as_uint(in[d]);
        float s, c;
        __sincosf(fmaf((float)(int)u, unit, slow[o] * in[DIM + 1]), &s, &c);
        if constexpr (base::SINC) {
            const float b = this->dephasing(o, in + DIM + 4);
            s *= b;
            c *= b;
        }
        ndft_accumulate(sum[o], c, s, ndft_complex<float>{in[DIM + 2], in[DIM + 3]});
    }

    /* Adds a run of inputs, a multiple of 4, to total. */
    __device__ __forceinline__ void over(const float *tile, int count)
    {
        this->clear();
        ndft_each_packed<ROWS>(tile, count, [&](const float in[ROWS]) {
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) fixed_pair(o, in);
        });
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
            compensated(total[o].re, lost[o].re, sum[o].re);
            compensated(total[o].im, lost[o].im, sum[o].im);
        }
    }

    static __device__ __forceinline__ void compensated(float &total, float &lost, float value)
    {
        const float wanted = __fsub_rn(value, lost), next = __fadd_rn(total, wanted);
        lost = __fsub_rn(__fsub_rn(next, total), wanted);
        total = next;
    }
};

/* The points of one side in fixed point, as ndft_fixed_inner_loop takes them. */
struct ndft_fixed_points {
    const int32_t *turns[4]; /* per axis x or k/N 2^32, then the field's integer or n */
    const float *slow;       /* dw or e */
    const float *part[4];    /* of the sinc's argument */
};

/*
 * Steps that the largest readout time is divided into. Phases of the field err by steps 2^-33 turns
 * for the rounding of dw T, and by 2^-25 of their rest for its product in float: with 4 steps per
 * root of a radian both stay small.
 */
inline double ndft_fixed_steps(const ndft_problem *p)
{
    return fmax(1, ceil(4 * sqrt(p->dw_max * p->t_max)));
}

/* T, in s */
inline double ndft_fixed_time(const ndft_problem *p)
{
    return p->t_max > 0 ? p->t_max / ndft_fixed_steps(p) : 1;
}

/* Coordinate d (3: the field's) of a point as an integer, modulo 2^32. sign goes with samples. */
inline int32_t ndft_fixed_turns(const ndft_problem *p, ndft_side side, int d, double sign,
                                const double at[4])
{
    const double turn = 0x1p32, time = ndft_fixed_time(p);
    if (side == NDFT_VOXELS)
        return (int32_t)(uint32_t)llrint(d < 3 ? at[d] : turn * at[3] * time / ndft_two_pi);
    return (int32_t)(uint32_t)llrint(sign *
                                     (d < 3 ? turn * at[d] / (double)p->n[d] : rint(at[3] / time)));
}

/* count points, padded with zeros. */
inline ndft_status ndft_place_fixed(ndft_arrays *arrays, const ndft_problem *p, ndft_side side,
                                    double sign, int64_t count, int64_t padded,
                                    ndft_fixed_points *points)
{
    const ndft_order order = {nullptr, count};
    const double time = ndft_fixed_time(p);
    for (int d = 0; d < 4; d++) {
        if (d >= p->dim && d < 3) continue;
        NDFT_TRY(ndft_place(arrays, "fixed-point turns", padded, &points->turns[d], [&](int64_t i) {
            double at[4];
            if (i >= count) return (int32_t)0;
            ndft_point(p, side, i, at);
            return ndft_fixed_turns(p, side, d, sign, at);
        }));
    }
    NDFT_TRY(ndft_place_ordered(
        arrays, "rests of times", order, padded, &points->slow, [&](int64_t i, int64_t) {
            double at[4];
            ndft_point(p, side, i, at);
            return side == NDFT_VOXELS ? at[3] : sign * (at[3] - time * rint(at[3] / time));
        }));
    return ndft_place_parts(arrays, p, side, order, padded, points->part);
}

/* Rounding of the integers, as a phase. */
inline double ndft_fixed_rounding(const ndft_problem *p)
{
    double turns = p->dw ? ndft_fixed_steps(p) : 0;
    for (int d = 0; d < p->dim; d++) turns += (double)(p->n[d] / 2);
    return 0x1p-33 * ndft_two_pi * turns;
}

#endif
