/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_HIGHER_H
#define NDFT_NUFFT_RANK_HIGHER_H

#include "base/problem.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A phase of higher order, with field map and decay, as a short sum: with phi_jk = sum_l c_lj b_lk
 * + dw_k t_j,
 *
 *     exp(-R_k t_j - i phi_jk)  ~  sum_{l < terms} h_l(j) exp(-R_k t_l - i phi_lk)
 *
 * where l stands for some of the samples: interpolation from these, exact at as many voxels.
 * Both are found one after the other, each pair where most is left over of some samples and voxels
 * (adaptive cross approximation: M. Bebendorf, Numer. Math. 2000), to which those are added that
 * looking at others finds worst. A voxel's factors are at most 1, the samples' are solved for.
 *
 * What is left over is looked at itself, not predicted: of every pair, or where these are too many
 * of all voxels at some samples and of all samples at some voxels. Then the largest root mean
 * square over one of these stands for that over any, with a margin, and nothing is known of the
 * worst pair but what the factors allow.
 */

enum { NDFT_HIGHER_MOST = 256 }; /* terms of the sum */

typedef struct ndft_higher_sum {
    int terms;
    int64_t sample[NDFT_HIGHER_MOST]; /* those that it interpolates from */
    int64_t voxel[NDFT_HIGHER_MOST];  /* where that is exact */
    double *u, *v;     /* complex [terms][terms]: u_m(sample l), v_m(voxel l) of term m <= l */
    double error;      /* largest root mean square over a sample's or a voxel's pairs */
    double worst;      /* a bound of what is left over of any pair */
    double gain, root; /* largest sums of |h_l|, and of their squares, its root */
    bool all;          /* every pair was looked at */
    bool found;        /* what was wanted */
} ndft_higher_sum;

/* Whether there is such a phase. */
static inline bool ndft_is_higher(const ndft_problem *p) { return p->higher.most > 0; }

/* Few terms that leave at most tol of the problem's tol_kind, or as good as it gets. false: no
 * memory. */
bool ndft_higher_search(const ndft_problem *, double tol, ndft_higher_sum *);
void ndft_higher_release(ndft_higher_sum *);

#ifdef __cplusplus
}
#endif

#endif
