/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_PHASE_CUH
#define NDFT_LINE_PHASE_CUH

#include "core/complex.cuh"
#include "phase/lines.h"

/* Phases along a line as 32-bit fixed-point turns: whole turns wrap away, and a multiple of an
 * angle by an integer is exact. */

/* x/N per axis, dw/2pi */
struct alignas(16) ndft_line_voxel {
    double v[4];
};

/* v < 0: none, whose phases are 0. */
inline ndft_line_voxel ndft_line_voxel_at(const ndft_problem *p, int64_t v)
{
    ndft_line_voxel r = {};
    double x[3];
    if (v < 0) return r;
    ndft_voxel_at(p, v, x);
    for (int d = 0; d < p->dim; d++) r.v[d] = x[d] / (double)p->n[d];
    if (p->dw) r.v[3] = ndft_real_at(p->dw, p->prec, v) / ndft_two_pi;
    return r;
}

/* a.r in turns, in units of 2^-32; |a.r| < 2^19. Adding 1.5 2^20 leaves them in the low word. */
__device__ __forceinline__ unsigned ndft_fixed_turns(const double a[4], const ndft_line_voxel &r)
{
    const double turns = fma(a[3], r.v[3], fma(a[2], r.v[2], fma(a[1], r.v[1], a[0] * r.v[0])));
    return (unsigned)__double2loint(__dadd_rn(turns, 0x1.8p20));
}

constexpr float NDFT_RADIANS = 0x1.921fb6p-30f; /* of 2^-32 turns */

/* exp(i 2 pi 2^-32 turns) */
__device__ __forceinline__ ndft_complex<float> ndft_fixed_phasor(unsigned turns)
{
    ndft_complex<float> phasor;
    __sincosf((float)(int)turns * NDFT_RADIANS, &phasor.im, &phasor.re);
    return phasor;
}

/* Phasors of the angles a + b and a - b. */
__device__ __forceinline__ void ndft_sum_difference(ndft_complex<float> a, ndft_complex<float> b,
                                                    ndft_complex<float> &sum,
                                                    ndft_complex<float> &difference)
{
    const float cosines = a.re * b.re, mixed = a.im * b.re;
    sum = {fmaf(-a.im, b.im, cosines), fmaf(a.re, b.im, mixed)};
    difference = {fmaf(a.im, b.im, cosines), fmaf(-a.re, b.im, mixed)};
}

#endif
