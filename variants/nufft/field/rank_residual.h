/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_RESIDUAL_H
#define NDFT_NUFFT_RANK_RESIDUAL_H

#include "rank_basis.h"

/* What terms leave of exp(-i w s), at the range's points and at evenly spaced times s >= 0: c is
 * real, so that what is left at -s is the conjugate. */

typedef struct ndft_rank_residual {
    int times;     /* as many of both signs */
    double *value; /* [times][re, im][points] */
    double *gain;  /* [times] sum of |b_l| times the largest |c_l|, of the terms taken */
} ndft_rank_residual;

/* Nothing taken. */
void ndft_rank_residual_set(ndft_rank_residual *residual, const ndft_rank_basis *basis);

/* Subtracts terms first..end - 1, each by projection or with Hanning's window. */
void ndft_rank_residual_subtract(ndft_rank_residual *residual, const ndft_rank_basis *basis,
                                 int first, int end);

/* Sets the basis' errors and gain. */
void ndft_rank_residual_look(const ndft_rank_residual *residual, ndft_rank_basis *basis);

#endif
