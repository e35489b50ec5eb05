/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TEST_SMALL_PROBLEM_H
#define NDFT_TEST_SMALL_PROBLEM_H

#include "base/problem.h"

#include <math.h>
#include <stdlib.h>

/* Problems so small that every entry of their operators can be looked at, with their arrays. */

enum { SAMPLES = 94, VOXELS = 150, AXES = 2 };

static const double pi = 3.14159265358979323846;

typedef struct small {
    ndft_problem p;
    double k[AXES][SAMPLES], t[SAMPLES], dw[VOXELS], g[AXES][VOXELS], decay[VOXELS];
    float k32[AXES][SAMPLES], t32[SAMPLES], dw32[VOXELS], g32[AXES][VOXELS], decay32[VOXELS];
    double c[NDFT_HIGHER_TERMS][SAMPLES], b[NDFT_HIGHER_TERMS][VOXELS];
    float c32[NDFT_HIGHER_TERMS][SAMPLES], b32[NDFT_HIGHER_TERMS][VOXELS];
} small;

static inline double in_unit(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static inline const void *rounded(ndft_prec prec, int n, double *exact, float *single)
{
    for (int i = 0; i < n; i++) {
        single[i] = (float)exact[i];
        if (prec == NDFT_F32) exact[i] = (double)single[i];
    }
    return prec == NDFT_F32 ? (const void *)single : exact;
}

static inline double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Maximums, and arrays in the precision, once t, dw, k and g are set. */
static inline void finish(small *s, ndft_prec prec, bool gradients)
{
    s->p = (ndft_problem){.dim = AXES,
                          .prec = prec,
                          .coils = 1,
                          .n = {15, 10, 1},
                          .n_voxels = VOXELS,
                          .n_samples = SAMPLES,
                          .t = rounded(prec, SAMPLES, s->t, s->t32),
                          .dw = rounded(prec, VOXELS, s->dw, s->dw32)};
    s->p.t_max = largest(SAMPLES, s->t);
    s->p.dw_max = largest(VOXELS, s->dw);
    for (int d = 0; d < AXES; d++) {
        s->p.k[d] = rounded(prec, SAMPLES, s->k[d], s->k32[d]);
        s->p.k_max[d] = largest(SAMPLES, s->k[d]);
        if (gradients) s->p.g[d] = rounded(prec, VOXELS, s->g[d], s->g32[d]);
        s->p.g_max[d] = largest(VOXELS, s->g[d]);
    }
}

/* Decay of rates from `least` to `most`, once everything else is there. */
static inline small *decaying(small *s, double least, double most)
{
    uint64_t seed = 11;
    for (int v = 0; v < VOXELS; v++) s->decay[v] = least + (most - least) * in_unit(&seed);
    s->p.decay = rounded(s->p.prec, VOXELS, s->decay, s->decay32);
    s->p.decay_max = largest(VOXELS, s->decay);
    return s;
}

/* 2 shots of 25 ms, closer at the ends, where errors are largest; offsets of this span in Hz about
 * 120 Hz, even or like a bell. */
static inline small *problem_of(double span, bool bell, double gradient, ndft_prec prec)
{
    small *s = calloc(1, sizeof *s);
    uint64_t seed = 5;
    for (int j = 0; j < SAMPLES; j++) {
        s->t[j] = 0.004 + 0.0125 * (1 - cos(pi * (j % 47) / 46));
        for (int d = 0; d < AXES; d++) s->k[d][j] = (in_unit(&seed) - 0.5) * (d ? 10 : 15);
    }
    for (int v = 0; v < VOXELS; v++) {
        double x = in_unit(&seed) - 0.5;
        if (bell) x = 4 * x * x * x;
        s->dw[v] = 2 * pi * (120 + span * x);
        for (int d = 0; d < AXES; d++) s->g[d][v] = gradient * (2 * in_unit(&seed) - 1);
    }
    finish(s, prec, gradient > 0);
    return s;
}

#endif
