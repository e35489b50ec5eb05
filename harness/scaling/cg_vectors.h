/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CG_VECTORS_H
#define NDFT_CG_VECTORS_H

#include "base/exec.h"
#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sums that an inner product comes in: always the same ones, so that its bits are. */
enum { NDFT_DOT_PARTS = 1024 };

/* What conjugate gradients do with vectors where these are: of n reals, two of each complex number.
 */
typedef struct ndft_cg_vectors {
    /* The inner product of a and b in parts, in double, to memory of the device; queued. */
    ndft_status (*dot)(ndft_exec *, ndft_prec, int64_t n, const void *a, const void *b,
                       double *parts);
    /* y = a x + b y; queued. */
    ndft_status (*combine)(ndft_exec *, ndft_prec, int64_t n, double a, const void *x, double b,
                           void *y);
} ndft_cg_vectors;

extern const ndft_cg_vectors ndft_cg_vectors_cpu, ndft_cg_vectors_cuda;

#ifdef __cplusplus
}
#endif
#endif
