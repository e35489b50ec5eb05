/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TENSOR_H
#define NDFT_TENSOR_H

#include <ndft/callback.h>
#include <ndft/types.h>

/*
 * Transforms on a uniform grid, any length, unnormalised:
 *
 *     y[m, k, j] = sum_n x[m, n, j] exp(sign 2 pi i sum_d n_d k_d / N_d)
 *
 * over tensors M x N1 x ... x Nd x K whose first and last modes are batches. Of a real signal only
 * the half k_1 = 0..floor(N1/2) of its spectrum is kept, the rest being its conjugate mirrored.
 * After the configuration of the double-batched FFT library (Intel, 2022).
 */

typedef enum ndft_domain {
    NDFT_C2C, /* either sign */
    NDFT_R2C, /* sign -1 */
    NDFT_C2R, /* sign +1; what its input holds beyond a real signal's spectrum is ignored */
} ndft_domain;

/* A tensor in memory. Strides and extent count its own elements: reals, or complex numbers. */
typedef struct ndft_tensor {
    bool real;
    int64_t shape[NDFT_MODES];
    int64_t stride[NDFT_MODES];
} ndft_tensor;

typedef struct ndft_transform {
    int dim; /* 1..3 */
    ndft_prec prec;
    ndft_domain domain;
    int sign; /* of the exponent: -1 forward, +1 backward */
    bool in_place;
    int64_t shape[NDFT_MODES]; /* of the signal: M, N1, N2, N3, K */
    ndft_tensor in, out;
    const ndft_callback *load, *store; /* in place of reading and writing elements; NULL: neither */
} ndft_transform;

#endif
