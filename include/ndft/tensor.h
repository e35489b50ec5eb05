/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TENSOR_H
#define NDFT_TENSOR_H

#include <ndft/callback.h>
#include <ndft/types.h>

/* Which side of a transform is a real signal. */
typedef enum ndft_domain {
    NDFT_C2C, /* either sign */
    NDFT_R2C, /* sign -1 */
    NDFT_C2R, /* sign +1; finite numbers beyond a real signal's spectrum are ignored */
} ndft_domain;

/* A tensor in memory. Strides and extent count its own elements: reals, or complex numbers. */
typedef struct ndft_tensor {
    bool real;                  /* else complex */
    int64_t shape[NDFT_MODES];  /* elements along M, N1, N2, N3, K */
    int64_t stride[NDFT_MODES]; /* from one to the next along each */
} ndft_tensor;

/*
 * Transforms on a uniform grid, any length, unnormalised:
 *
 *     y[m, k, j] = sum_n x[m, n, j] exp(sign 2 pi i sum_d n_d k_d / N_d)
 *
 * over tensors M x N1 x ... x Nd x K whose first and last modes are batches. Of a real signal only
 * the half k_1 = 0..floor(N1/2) of its spectrum is kept, the rest being its conjugate mirrored.
 * ndft_transform_parse writes the structure. After the configuration of the double-batched FFT
 * library (Intel, 2022).
 */
typedef struct ndft_transform {
    int dim;                   /* 1..3 */
    ndft_prec prec;            /* of both tensors, and of the computation */
    ndft_domain domain;        /* what is real */
    int sign;                  /* of the exponent: -1 forward, +1 backward */
    bool in_place;             /* the output is where the input was */
    int64_t shape[NDFT_MODES]; /* of the signal: M, N1, N2, N3, K */
    /* Input, and behind it */
    ndft_tensor in, out; /* output; in place they have the same memory */
    /* In place of reading elements, and */
    const ndft_callback *load, *store; /* in place of writing them; NULL: neither */
} ndft_transform;

#endif
