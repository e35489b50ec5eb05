/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SINCOS_POLY_H
#define NDFT_SINCOS_POLY_H

#include "core/inline.h"

#include <stdint.h>
#include <string.h>

/*
 * sin(pi x) and cos(pi x) by polynomials: x loses its nearest integer n, exactly, by adding and
 * subtracting 1.5 2^23 (2^52), polynomials in h^2 serve the rest |h| <= 1/2, and the parity of n
 * is the sign of both. Minimax coefficients (Remez), each rounded and the later ones refitted.
 * In exact arithmetic they are within 7.6e-9 (sin) and 5.5e-8 (cos) in f32, 4e-18 and 7e-18 in
 * f64. As evaluated: 1.4e-7 with fused multiply-adds, 1.75e-7 without, and 3e-16
 * (tests/unit_sincos_poly.c goes over every float). |x| <= 2^21 (2^50).
 */

NDFT_INLINE float ndft_flip_f32(float value, uint32_t sign)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= sign;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

NDFT_INLINE double ndft_flip_f64(double value, uint64_t sign)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= sign;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* sin(pi h)/h in z = h^2 <= 1/4 */
NDFT_INLINE float ndft_sinpi_poly_f32(float z)
{
    float p = 0.0764338076f;
    p = p * z - 0.597625375f;
    p = p * z + 2.54995775f;
    p = p * z - 5.1677022f;
    return p * z + 3.1415925f;
}

/* cos(pi h) in z = h^2 <= 1/4 */
NDFT_INLINE float ndft_cospi_poly_f32(float z)
{
    float p = 0.220007017f;
    p = p * z - 1.33206236f;
    p = p * z + 4.05844736f;
    p = p * z - 4.93479538f;
    return p * z + 1.0f;
}

NDFT_INLINE double ndft_sinpi_poly_f64(double z)
{
    double p = 7.4056306392072693e-7;
    p = p * z - 2.1872173985357175e-5;
    p = p * z + 0.00046628599530607257;
    p = p * z - 0.0073704272716444506;
    p = p * z + 0.082145886142307431;
    p = p * z - 0.59926452928641905;
    p = p * z + 2.5501640398759995;
    p = p * z - 5.1677127800499463;
    return p * z + 3.1415926535897931;
}

NDFT_INLINE double ndft_cospi_poly_f64(double z)
{
    double p = -1.1042061396901816e-7;
    p = p * z + 4.2742479494465285e-6;
    p = p * z - 0.00010462516155030392;
    p = p * z + 0.0019295711236996362;
    p = p * z - 0.02580689093146539;
    p = p * z + 0.23533063032031495;
    p = p * z - 1.3352627688527909;
    p = p * z + 4.0587121264167276;
    p = p * z - 4.934802200544679;
    return p * z + 1.0;
}

NDFT_INLINE void ndft_sincospi_poly_f32(float x, float *s, float *c)
{
    const float magic = 0x1.8p23f, shifted = x + magic, h = x - (shifted - magic), z = h * h;
    uint32_t parity;
    memcpy(&parity, &shifted, sizeof parity);
    parity <<= 31;
    *s = ndft_flip_f32(h * ndft_sinpi_poly_f32(z), parity);
    *c = ndft_flip_f32(ndft_cospi_poly_f32(z), parity);
}

NDFT_INLINE void ndft_sincospi_poly_f64(double x, double *s, double *c)
{
    const double magic = 0x1.8p52, shifted = x + magic, h = x - (shifted - magic), z = h * h;
    uint64_t parity;
    memcpy(&parity, &shifted, sizeof parity);
    parity <<= 63;
    *s = ndft_flip_f64(h * ndft_sinpi_poly_f64(z), parity);
    *c = ndft_flip_f64(ndft_cospi_poly_f64(z), parity);
}

/* The one of a loop's precision (loop.h). */
#if defined NDFT_LOOP_f32
NDFT_INLINE void ndft_sincospi(float x, float *s, float *c) { ndft_sincospi_poly_f32(x, s, c); }
#elif defined NDFT_LOOP_f64
NDFT_INLINE void ndft_sincospi(double x, double *s, double *c) { ndft_sincospi_poly_f64(x, s, c); }
#endif

#endif
