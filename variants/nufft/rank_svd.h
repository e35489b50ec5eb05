/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_SVD_H
#define NDFT_NUFFT_RANK_SVD_H

/*
 * Singular vectors by one-sided Jacobi (M. R. Hestenes, J. SIAM 1958), which finds small singular
 * values as accurately as large ones: columns of A, each contiguous, are rotated in pairs until all
 * are orthogonal. a[columns][rows] becomes U Sigma, v[columns][columns] the right vectors, largest
 * singular value first.
 */
void ndft_rank_svd(int rows, int columns, double *a, double *v, double *sigma);

#endif
