/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NAIVE_LOOP_H
#define NDFT_NAIVE_LOOP_H

#include "core/loop.h"

/* One operator on two sides, each with the coordinates of the bilinear phase. */
typedef struct naive_sum {
    const void *k2pi[3], *t;  /* [n_samples] 2 pi k (rad/FOV), s */
    const void *r[3], *dw;    /* [n_voxels] FOV, rad/s */
    const void *kn[3], *g[3]; /* k/N and G of the sinc factor; NULL: no gradients */
    const void *decay;        /* [n_voxels] R2*, 1/s; NULL: none */
    const ndft_higher_phase *higher;
    int64_t n_samples, n_voxels;
    int coils;
    int64_t element, coil_in, coil_out; /* strides in complex elements */
    const void *in;
    void *out;
    int threads;
} naive_sum;

typedef void naive_loop(const naive_sum *);

#endif
