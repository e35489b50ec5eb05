/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TOEPLITZ_H
#define NDFT_NUFFT_TOEPLITZ_H

#include "base/problem.h"
#include "base/status.h"
#include "base/variant.h"

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
 * exp(i w tau_l) has to hold for all differences w = dw_x - dw_x' in use; b is real, for with w
 * there is -w. A phase common to all voxels drops out. Least squares over points of the differences
 * (in_use.h), all of one weight, since weights by a histogram save no term and lose rare values.
 * With times tau at mapped Chebyshev points (Kosloff and Tal-Ezer, J. Comput. Phys. 1993) about
 * 2 B T + 8 terms do; D distinct differences but 0 never take more than 2 D + 1, and
 * no more are needed than there are times.
 */

enum { NDFT_TOEPLITZ_TERMS = 96, NDFT_TOEPLITZ_POINTS = 1024 };

typedef struct ndft_toeplitz {
    int terms; /* more than NDFT_TOEPLITZ_TERMS: out of reach, only `error` means anything */
    bool each; /* of the times is a tau, in ascending order: no fit, b is 0 or 1 */
    double tau[NDFT_TOEPLITZ_TERMS]; /* s */
    double middle, half;             /* of the readout, s */
    double most;                     /* the largest difference, rad/s */
    double phase;                    /* the largest |dw t|, rad */
    double lost;  /* bound of what is lost of exp(i w t), any pair of voxels, any sample */
    double error; /* typical, relative: lost, and what b makes of errors of each term */
    double gain;  /* the largest sum of |b_l(t)|, by which errors of a term grow at most */
    int points;
    double point[NDFT_TOEPLITZ_POINTS]; /* of the differences, rad/s */
} ndft_toeplitz;

/* As few terms as bring the error to at most tol; each: that of one convolution. */
void ndft_toeplitz_choose(const ndft_problem *, double each, double tol, ndft_toeplitz *);

/* The weights b, a row for each distinct time; free both arrays. */
typedef struct ndft_toeplitz_weights {
    int64_t rows;
    int32_t *row; /* [n_samples] */
    double *b;    /* [rows][terms] */
} ndft_toeplitz_weights;

ndft_status ndft_toeplitz_weigh(const ndft_problem *, const ndft_toeplitz *, ndft_error *,
                                ndft_toeplitz_weights *);

/* What nufft_toeplitz says of a problem on either backend. */

/* The terms of the problem's field map, within their part of tol. */
void ndft_toeplitz_fit(const ndft_problem *, ndft_toeplitz *);

const char *ndft_toeplitz_unsupported(const ndft_problem *);

/* The claim of A^H A is twice that of an operation, hence half of what is lost. Every pair of
 * voxels is within it at every sample, and white data see a fraction of that. */
double ndft_toeplitz_truncation(const ndft_problem *);

/* The same, of any entry over the number of samples, with all roundings but one phasor's. */
double ndft_toeplitz_any(const ndft_problem *, ndft_op, const int *knobs);

/* passes: how often the grid of a column, as long as its spectrum, is read or written. */
ndft_cost ndft_toeplitz_cost(const ndft_problem *, double passes, double launches);

#ifdef __cplusplus
}
#endif
#endif
