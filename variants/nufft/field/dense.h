/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_DENSE_H
#define NDFT_NUFFT_DENSE_H

#include <stdbool.h>

/* Vectors of small dense problems that plans solve. */

static inline double ndft_dot(int n, const double *x, const double *y)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* y += factor x */
static inline void ndft_add_multiple(int n, double factor, const double *x, double *y)
{
#pragma omp simd
    for (int i = 0; i < n; i++) y[i] += factor * x[i];
}

static inline void ndft_scale(int n, double factor, double *x)
{
#pragma omp simd
    for (int i = 0; i < n; i++) x[i] *= factor;
}

/*
 * Singular vectors by one-sided Jacobi (M. R. Hestenes, J. SIAM 1958) of a triangular factor, whose
 * rows a factorisation with pivots has left in almost the right directions and lengths (Z. Drmac
 * and K. Veselic, SIAM J. Matrix Anal. Appl. 2008): columns of A, each contiguous, are made
 * orthonormal, largest remainder first; rows of R are rotated in pairs until all are orthogonal.
 * a[columns][rows] becomes U, v[columns][columns] the right vectors, largest singular value first;
 * where a singular value is rounding of the first, it and both vectors are 0.
 */
void ndft_rank_svd(int rows, int columns, double *a, double *v, double *sigma);

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
