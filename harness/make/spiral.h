/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SPIRAL_H
#define NDFT_SPIRAL_H

#include <stdint.h>

/*
 * One interleaf of a spiral, k(theta) = reach (theta/theta_max)^alpha exp(i theta), theta = 0 ..
 * 2 pi turns: Archimedean for alpha = 1, denser in the centre for alpha > 1 (D. Kim, E.
 * Adalsteinsson, D. M. Spielman, "Simple analytic variable density spiral design", Magn. Reson.
 * Med. 50, 2003).
 */
typedef struct ndft_spiral {
    double reach; /* 1/m */
    double turns;
    double alpha; /* 1..2 */
} ndft_spiral;

/* Hardware of Sorensen et al. (IEEE Trans. Med. Imaging 27, 2008), for protons. */
#define NDFT_GRADIENT_LIMIT 40e-3 /* T/m */
#define NDFT_SLEW_LIMIT 140.0     /* T/m/s */
#define NDFT_GAMMA 42.577e6       /* Hz/T */

/* The shortest time, in s, in which the gradients can play the interleaf from rest; samples sets
 * the resolution of the integration. */
double ndft_spiral_time(const ndft_spiral *, int64_t samples);

/* As that, and theta (rad) at `samples` equidistant times from 0 to the end. */
double ndft_spiral_play(const ndft_spiral *, int64_t samples, double *theta);

#endif
