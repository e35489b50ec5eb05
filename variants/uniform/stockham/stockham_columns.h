/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_COLUMNS_H
#define NDFT_STOCKHAM_COLUMNS_H

#include "stockham_line.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Lines of a prime that is no radix times a product of radices: the first pass is of that prime,
 * whose sums, columns of the line, are convolutions in Rader's order (stockham_convolved.h), beside
 * each other in the same shared memory.
 */

/* That prime; 0: the length has none, or two. */
int ndft_stockham_prime(int64_t numbers);

/* Its passes. */
ndft_stockham_shape ndft_stockham_columns_shape(int64_t numbers, ndft_prec);

/* Lines and threads of a block, and how lines are copied. */
void ndft_stockham_cut_columns(ndft_stockham_line *, const ndft_pass *, ndft_prec);

/* Behind the turns: what the columns' convolutions have; room for them. */
void ndft_stockham_set_columns(ndft_stockham_line *, ndft_prec);

/* The columns of a block's lines, as lines that are convolutions. */
ndft_stockham_line ndft_stockham_columns_of(const ndft_stockham_line *, ndft_prec);

#ifdef __cplusplus
}
#endif

#endif
