/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_SVD_H
#define NDFT_NUFFT_RANK_SVD_H

/*
 * Singular vectors by one-sided Jacobi (M. R. Hestenes, J. SIAM 1958) of a triangular factor, whose
 * rows a factorisation with pivots has left in almost the right directions and lengths (Z. Drmac
 * and K. Veselic, SIAM J. Matrix Anal. Appl. 2008): columns of A, each contiguous, are made
 * orthonormal, largest remainder first; rows of R are rotated in pairs until all are orthogonal.
 * a[columns][rows] becomes U, v[columns][columns] the right vectors, largest singular value first;
 * where a singular value is rounding of the first, it and both vectors are 0.
 */
void ndft_rank_svd(int rows, int columns, double *a, double *v, double *sigma);

#endif
