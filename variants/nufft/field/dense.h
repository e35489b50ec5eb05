/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_DENSE_H
#define NDFT_NUFFT_DENSE_H

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

#endif
