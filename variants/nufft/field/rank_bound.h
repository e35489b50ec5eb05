/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_BOUND_H
#define NDFT_NUFFT_RANK_BOUND_H

#include "rank_basis.h"

/*
 * What terms do at their worst, by their tables, over all offsets and times in use. Between values
 * in use c may be far larger than at them, and then powers cancel.
 */
typedef struct ndft_rank_bound {
    double lost; /* |exp(-i w s) - sum_l b_l c_l| */
    double mean; /* its root mean square over the voxels, at one time */
    double root; /* of sum_l |b_l|^2 C_l^2, C_l what the powers of c_l are without their signs */
    double sum;  /* sum_l |b_l| C_l */
} ndft_rank_bound;

/* degree and fit: of the tables' polynomials, their error. Infinite where there is no memory, or
 * the range has no looks. */
void ndft_rank_bound_of(const ndft_rank_basis *, int degree, double fit, ndft_rank_bound *);

#endif
