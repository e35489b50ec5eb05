/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_FIXED_POINTS_CUH
#define NDFT_FIXED_POINTS_CUH

#include "points.cuh"

#include <cmath>

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
