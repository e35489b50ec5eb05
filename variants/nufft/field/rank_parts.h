/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_PARTS_H
#define NDFT_NUFFT_RANK_PARTS_H

#include "rank_basis.h"

/* How a problem's field map is expanded: the choice, and the functions that its tables hold. */

typedef struct ndft_rank_parts {
    ndft_rank_choice choice;
    bool plain; /* nothing to expand */
    double fit; /* error of tables */
    ndft_quadrature quadrature;
    ndft_rank_range range;
    ndft_rank_basis basis;
} ndft_rank_parts;

/* NULL: no memory. */
ndft_rank_parts *ndft_rank_parts_make(const ndft_problem *p, ndft_rank_method method, double tol);

/* Of the polynomials of c. */
int ndft_rank_c_degree(ndft_prec prec);

void ndft_rank_parts_release(ndft_rank_parts *parts);

#endif
