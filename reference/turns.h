/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TURNS_H
#define NDFT_TURNS_H

#include <math.h>

/*
 * Phases in turns. A coefficient that is not a double (k/N, dw/(2 pi)) is kept as an unevaluated
 * sum hi + lo; its product with a double is split by FMA into a rounded part and its exact error,
 * so that whole turns are dropped before anything is lost (Dekker 1971; Muller et al., Handbook of
 * Floating-Point Arithmetic, chapters 5 and 11). Needs contraction off and explicit fma().
 *
 * Everything is inlined into callers that are compiled for a given instruction set.
 */
#define NDFT_INLINE static inline __attribute__((always_inline))

typedef struct ndft_pair_sum {
    double hi, lo;
} ndft_pair_sum;

/* a/n. The remainder is exact, so the error is about 2^-106 relative. */
NDFT_INLINE ndft_pair_sum ndft_quotient(double a, double n)
{
    double hi = a / n;
    return (ndft_pair_sum){hi, fma(-hi, n, a) / n};
}

/* a/(2 pi), same accuracy. */
NDFT_INLINE ndft_pair_sum ndft_cycles(double a)
{
    const double hi = 0x1.45f306dc9c883p-3, lo = -0x1.6b01ec5417056p-57; /* 1/(2 pi) */
    double product = a * hi;
    return (ndft_pair_sum){product, fma(a, lo, fma(a, hi, -product))};
}

/* (hi + lo) y less a whole number of turns: in [-1/2, 1/2], error below 2^-54. */
NDFT_INLINE double ndft_fraction(double hi, double lo, double y)
{
    double product = hi * y;
    double error = fma(lo, y, fma(hi, y, -product));
    return (product - rint(product)) + error;
}

/* sum + error += value, the error kept apart (Knuth, TAOCP 2, theorem 4.2.2 B). */
NDFT_INLINE void ndft_add(double *sum, double *error, double value)
{
    double total = *sum + value, back = total - *sum;
    *error += (*sum - (total - back)) + (value - back);
    *sum = total;
}

/*
 * cos and sin of 2 pi f, |f| < 2^50, within 1 ulp of 1. f = q/4 + a with |a| <= 1/8 exactly; on
 * that octant Taylor's polynomials of degree 16 and 15 leave 2.1e-18 and 4.7e-17. Rotating by q
 * quarter turns multiplies by 0 and +-1 and is exact.
 */
NDFT_INLINE void ndft_cos_sin(double f, double *cosine, double *sine)
{
    f -= rint(f);
    double q = rint(4 * f), a = 0x1.921fb54442d18p+2 * (f - 0.25 * q), z = a * a;
    double c = 0x1.ae7f3e733b81fp-45; /* 1/16! */
    c = fma(c, z, -0x1.93974a8c07c9dp-37);
    c = fma(c, z, 0x1.1eed8eff8d898p-29);
    c = fma(c, z, -0x1.27e4fb7789f5cp-22);
    c = fma(c, z, 0x1.a01a01a01a01ap-16);
    c = fma(c, z, -0x1.6c16c16c16c17p-10);
    c = fma(c, z, 0x1.5555555555555p-5);
    c = fma(c, z, -0.5);
    c = fma(c, z, 1);
    double s = -0x1.ae7f3e733b81fp-41; /* -1/15! */
    s = fma(s, z, 0x1.6124613a86d09p-33);
    s = fma(s, z, -0x1.ae64567f544e4p-26);
    s = fma(s, z, 0x1.71de3a556c734p-19);
    s = fma(s, z, -0x1.a01a01a01a01ap-13);
    s = fma(s, z, 0x1.1111111111111p-7);
    s = fma(s, z, -0x1.5555555555555p-3);
    s = fma(s * z, a, a);
    double cos_q = 1 - fabs(q), sin_q = q * (2 - fabs(q)); /* q = -2..2 */
    *cosine = c * cos_q - s * sin_q;
    *sine = s * cos_q + c * sin_q;
}

/* sin(pi x)/(pi x), even. The slope is at most 1.4, so stepping 2^-60 away from 0/0 costs nothing
 * that a double could show, and the loop around it stays free of branches. */
NDFT_INLINE double ndft_sinc(double x)
{
    double away = fabs(x) + 0x1p-60, cosine, sine;
    ndft_cos_sin(0.5 * away, &cosine, &sine);
    return sine / (0x1.921fb54442d18p+1 * away);
}

#endif
