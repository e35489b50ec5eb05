/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_OPERANDS_H
#define NDFT_OPERANDS_H

#include <ndft/problem.h>
#include <ndft/status.h>

enum { NDFT_LANES = 8, NDFT_BLOCK = 256 };

/*
 * The problem as the reference reads it: for both sides of the operator one array of doubles per
 * coordinate. Each is padded to a whole number of blocks with zeros, which contribute nothing
 * because the vectors are padded with zeros too.
 *
 *     phi/(2 pi) = sum_d (k_hi + k_lo)_d x_d + (f_hi + f_lo) t,    k = k_d/N_d, f = dw/(2 pi)
 */
typedef struct ndft_operands {
    int dim;
    bool field, gradients;
    int64_t samples, voxels; /* padded lengths */
    double *k_hi[3], *k_lo[3], *t;
    double *x[3], *f_hi, *f_lo, *g[3];
    double *memory;
} ndft_operands;

/* NDFT_ENOMEM. */
ndft_status ndft_operands_make(const ndft_problem *, ndft_operands *, ndft_error *);
void ndft_operands_free(ndft_operands *);

/* length rounded up to whole blocks. */
int64_t ndft_padded(int64_t length);

/* A vector of the problem's precision and layout as planar padded doubles: coil c has its real
 * parts at [2*c*padded] and its imaginary parts at [(2*c+1)*padded]. NULL: no memory. */
double *ndft_split(const ndft_problem *, const void *vector, int64_t length);

#endif
