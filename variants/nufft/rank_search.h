/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_SEARCH_H
#define NDFT_NUFFT_RANK_SEARCH_H

#include "nufft/rank_basis.h"

/* The fewest terms whose error of that kind is at most tol, or as good as it gets; free them with
 * ndft_rank_basis_release. false: no memory. */
bool ndft_rank_search(const ndft_rank_range *range, ndft_rank_method method, ndft_tol_kind kind,
                      double tol, ndft_rank_basis *basis);

#endif
