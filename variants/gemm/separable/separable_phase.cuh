/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_PHASE_CUH
#define NDFT_SEPARABLE_PHASE_CUH

#include "core/complex.cuh"

/*
 * Phases as sums of products a (hi + lo), each of which loses its whole steps exactly as it is
 * added. A step is a turn in f32, whose phasor comes from the special-function unit, and a 64th of
 * one in f64: there a table of 64 phasors is turned by a polynomial of the rest, 20 operations in
 * place of libm's 100.
 */
template <class R> struct ndft_phase;

template <> struct ndft_phase<float> {
    static constexpr int STEPS = 1; /* of a turn */
    float rest;

    static __device__ __forceinline__ ndft_phase of(float a, float hi, float lo)
    {
        const float magic = 0x1.8p23f; /* adding it rounds to an integer */
        const float whole = __fadd_rn(__fmaf_rn(a, hi, magic), -magic);
        return {__fmaf_rn(a, lo, __fmaf_rn(a, hi, -whole))};
    }

    __device__ __forceinline__ ndft_phase operator+(ndft_phase other) const
    {
        return {rest + other.rest};
    }

    /* exp(i phase) */
    __device__ __forceinline__ ndft_complex<float> phasor(const ndft_complex<double> *) const
    {
        ndft_complex<float> z;
        __sincosf(6.2831853f * rest, &z.im, &z.re);
        return z;
    }
};

template <> struct ndft_phase<double> {
    static constexpr int STEPS = 64;
    double rest;
    int whole;

    static __device__ __forceinline__ ndft_phase of(double a, double hi, double lo)
    {
        const double magic = 0x1.8p52, steps = __fma_rn(a, hi, magic);
        const double rest = fma(a, lo, fma(a, hi, -__dadd_rn(steps, -magic)));
        return {rest, __double2loint(steps)};
    }

    __device__ __forceinline__ ndft_phase operator+(ndft_phase other) const
    {
        return {rest + other.rest, whole + other.whole};
    }

    /* table: STEPS phasors of a turn */
    __device__ __forceinline__ ndft_complex<double> phasor(const ndft_complex<double> *table) const
    {
        const double magic = 0x1.8p52, steps = __dadd_rn(rest, magic);
        const ndft_complex<double> z = table[(whole + __double2loint(steps)) & (STEPS - 1)];
        const double x = 0x1.921fb54442d18p-4 * (rest - __dadd_rn(steps, -magic)), xx = x * x;
        const double s = x * fma(xx, fma(xx, fma(xx, -1.0 / 5040, 1.0 / 120), -1.0 / 6), 1.0);
        const double c = xx * fma(xx, fma(xx, fma(xx, 1.0 / 40320, -1.0 / 720), 1.0 / 24), -0.5);
        return {fma(c, z.re, fma(-s, z.im, z.re)), fma(c, z.im, fma(s, z.re, z.im))};
    }
};

#endif
