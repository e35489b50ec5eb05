/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_SEARCH_H
#define NDFT_NUFFT_RANK_SEARCH_H

#include "rank_basis.h"

/* What is wanted, and the tables to come: polynomials of c, the errors of fitting and rounding. */
typedef struct ndft_rank_wish {
    ndft_tol_kind kind;
    double tol;
    int degree;
    double fit, rounding;
} ndft_rank_wish;

/* The fewest terms whose error of the kind is at most tol, or as good as it gets; free them with
 * ndft_rank_basis_release. false: no memory. */
bool ndft_rank_search(const ndft_rank_range *range, ndft_rank_method method,
                      const ndft_rank_wish *wish, ndft_rank_basis *basis);

#endif
