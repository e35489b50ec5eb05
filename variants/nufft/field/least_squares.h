/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_LEAST_SQUARES_H
#define NDFT_NUFFT_LEAST_SQUARES_H

#include <stdbool.h>

/* Least squares by Gram and Schmidt's method, modified, with pivots: column order[i] is
 * sum_{k <= i} r[k][i] q[k]. What is left of a column that adds nothing is not used. */
typedef struct ndft_least_squares {
    int n, used, rows;
    int *order;             /* [n] */
    double *column, *q, *r; /* [n][rows] as given and made orthonormal, [n][n] */
    double *rest, *part;    /* [rows], [n] room for solving */
} ndft_least_squares;

/* Columns are to be filled, then factored; false: no memory. */
bool ndft_least_squares_make(int n, int rows, ndft_least_squares *);
void ndft_least_squares_factor(ndft_least_squares *);
void ndft_least_squares_release(ndft_least_squares *);

/* x, [n], so that the columns times x are near target; target becomes what x leaves over. */
void ndft_least_squares_solve(const ndft_least_squares *, double *target, double *x);

#endif
