/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SINCOS_MINIMAX_H
#define NDFT_SINCOS_MINIMAX_H

#include "core/inline.h"

/*
 * sin(2 pi r) and cos(2 pi r) for |r| <= 1/2, a whole turn by one polynomial each in z = r^2: no
 * octants, no signs, 12 operations for both. Minimax coefficients (Lawson), each rounded to float
 * and the later ones refitted. In exact arithmetic they are within 1.1e-7 (sine) and 7.9e-7
 * (cosine), as evaluated here with fused multiply-adds within 4e-7 and 1.1e-6
 * (tests/unit_sincos_minimax.c proves it over the whole range); the hardware's sine is within
 * 4.8e-7.
 */

/* The leading coefficients, handed over so that a caller may keep them where it likes. */
static const float ndft_sine_lead = -12.244194f, ndft_cosine_lead = -21.0773506f;

NDFT_INLINE float ndft_sine_of_turns(float lead, float r, float z)
{
    float p = lead;
    p = p * z + 41.1878548f;
    p = p * z - 76.5759888f;
    p = p * z + 81.5957642f;
    p = p * z - 41.341404f;
    p = p * z + 6.28318262f;
    return p * r;
}

NDFT_INLINE float ndft_cosine_of_turns(float lead, float z)
{
    float p = lead;
    p = p * z + 58.7944832f;
    p = p * z - 85.272522f;
    p = p * z + 64.9287415f;
    p = p * z - 19.7389832f;
    return p * z + 0.999999225f;
}

#endif
