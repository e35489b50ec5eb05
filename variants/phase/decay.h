/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DECAY_H
#define NDFT_DECAY_H

#include "core/inline.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * exp(-rate t), both at least 0, by a polynomial: with n the integer nearest to rate t / ln 2,
 * rate t - n ln 2 is exact before it is rounded, by FMA and an ln 2 whose first part has so few
 * bits that n times it is exact (as in Sun's fdlibm; W. J. Cody, W. Waite, Software Manual for the
 * Elementary Functions, 1980). So the error is relative, of any product: coefficients within 5e-9
 * in f32 and 8e-18 in f64, all of it within 3 roundoffs (tests/unit/variants/unit_decay.c), and 1
 * exactly where the product is 0. Beyond 87 (707) it stays about exp(-87), which no sum notices.
 */

/* exp(-x) for |x| <= ln 2 / 2 */
NDFT_INLINE float ndft_exp_poly_f32(float x)
{
    float p = 0.00139336859f;
    p = p * x - 0.00836918438f;
    p = p * x + 0.0416664646f;
    p = p * x - 0.16666505f;
    p = p * x + 0.5f;
    p = p * x - 1.0f;
    return p * x + 1.0f;
}

NDFT_INLINE double ndft_exp_poly_f64(double x)
{
    double p = -2.5105259538448502e-8;
    p = p * x + 2.7626426376580344e-7;
    p = p * x - 2.7557255297969644e-6;
    p = p * x + 2.4801504180838371e-5;
    p = p * x - 0.00019841269874901259;
    p = p * x + 0.0013888888932619635;
    p = p * x - 0.0083333333333261121;
    p = p * x + 0.041666666666572768;
    p = p * x - 0.16666666666666671;
    p = p * x + 0.5;
    p = p * x - 1.0;
    return p * x + 1.0;
}

NDFT_INLINE float ndft_decay_f32(float rate, float t)
{
    const float magic = 0x1.8p23f, most = 87.0f, product = rate * t;
    const float shifted = (product < most ? product : most) * 1.44269504f + magic;
    const float n = shifted - magic, first = fmaf(rate, t, -0.693145752f * n);
    const float rest = first - 1.42860677e-6f * n;
    uint32_t bits;
    float power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (127u - (bits & 0xffu)) << 23;
    memcpy(&power, &bits, sizeof power);
    return power * ndft_exp_poly_f32(rest < 0.5f ? rest : 0.5f);
}

NDFT_INLINE double ndft_decay_f64(double rate, double t)
{
    const double magic = 0x1.8p52, most = 707.0, product = rate * t;
    const double shifted = (product < most ? product : most) * 1.4426950408889634 + magic;
    const double n = shifted - magic, first = fma(rate, t, -0.69314718036912382 * n);
    const double rest = first - 1.9082149292705877e-10 * n;
    uint64_t bits;
    double power;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (1023u - (bits & 0x7ffu)) << 52;
    memcpy(&power, &bits, sizeof power);
    return power * ndft_exp_poly_f64(rest < 0.5 ? rest : 0.5);
}

/* The one of a loop's precision (loop.h), or of a number's. */
#if defined __cplusplus
NDFT_INLINE float ndft_decay(float rate, float t) { return ndft_decay_f32(rate, t); }
NDFT_INLINE double ndft_decay(double rate, double t) { return ndft_decay_f64(rate, t); }
#elif defined NDFT_LOOP_f32
NDFT_INLINE float ndft_decay(float rate, float t) { return ndft_decay_f32(rate, t); }
#elif defined NDFT_LOOP_f64
NDFT_INLINE double ndft_decay(double rate, double t) { return ndft_decay_f64(rate, t); }
#endif

#endif
