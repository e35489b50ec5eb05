/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TOEPLITZ_H
#define NDFT_NUFFT_TOEPLITZ_H

#include <ndft/problem.h>
#include <ndft/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The normal operator as a sum of convolutions (Fessler et al., IEEE Trans. Signal Process. 2005):
 *
 *     (A^H A m)_x = sum_l conj(c_l(x)) sum_x' h_l(x - x') c_l(x') m_x'
 *     h_l(x) = sum_j b_l(t_j) exp(2 pi i k_j.x/N),   c_l(x) = exp(-i dw_x tau_l)
 *
 * Without a field map there is one term and it is exact. With one, exp(i w t) ~ sum_l b_l(t)
 * exp(i w tau_l) has to hold for all differences w = dw_x - dw_x'. Least squares over all pairs of
 * voxels needs only the autocorrelation of the map's histogram; it is even, so b is real. A phase
 * common to all voxels drops out. With times tau at mapped Chebyshev points (Kosloff and Tal-Ezer,
 * J. Comput. Phys. 1993), about 2 B T + 8 terms do.
 */

enum { NDFT_TOEPLITZ_TERMS = 96, NDFT_TOEPLITZ_BINS = 1024 };

/* The share weight[k] of pairs of voxels that are k step apart, either way. */
typedef struct ndft_pairs {
    int bins;
    double step; /* rad/s */
    double weight[NDFT_TOEPLITZ_BINS];
} ndft_pairs;

typedef struct ndft_toeplitz {
    int terms; /* more than NDFT_TOEPLITZ_TERMS: out of reach, only `error` means anything */
    double tau[NDFT_TOEPLITZ_TERMS]; /* s */
    double middle;                   /* of the readout, s */
    double error;                    /* of the worst time, relative l2 over pairs of voxels */
    ndft_pairs pairs;
} ndft_toeplitz;

/* The fewest terms whose error is at most tol. */
void ndft_toeplitz_choose(const ndft_problem *, double tol, ndft_toeplitz *);

/* The weights b, a row for each distinct time; free both arrays. */
typedef struct ndft_toeplitz_weights {
    int64_t rows;
    int32_t *row; /* [n_samples] */
    double *b;    /* [rows][terms] */
} ndft_toeplitz_weights;

ndft_status ndft_toeplitz_weigh(const ndft_problem *, const ndft_toeplitz *, ndft_error *,
                                ndft_toeplitz_weights *);

#ifdef __cplusplus
}
#endif
#endif
