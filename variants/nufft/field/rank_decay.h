/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_DECAY_H
#define NDFT_NUFFT_RANK_DECAY_H

#include "base/problem.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Decay and off-resonance together as a short sum: with w0 the middle of the field's range,
 *
 *     exp(-(R + i (w - w0)) t)  ~  sum_{l < terms} h_l(t) exp(-(R + i (w - w0)) t_l)
 *
 * for all rates and offsets of the rectangle that those in use lie in: interpolation at times t_l,
 * which are found one after the other with the rates and offsets that they are to be exact at, each
 * where most is left over (adaptive cross approximation with full pivots: M. Bebendorf, Numer.
 * Math. 2000; as interpolation, M. Barrault et al., C. R. Acad. Sci. Paris 2004). A voxel's factors
 * are at most 1, whatever its rate, since no time is below 0.
 *
 * What is left over is, times a phase, an analytic function of R + i w at any time, so that it is
 * largest on the rectangle's edge; along an edge and in time it is to rounding a polynomial, and
 * points enough for its degree bound it in between (in_use.h).
 */
typedef struct ndft_decay_terms {
    int terms, points;    /* of h: Chebyshev points of the clock's range */
    double t_mid, t_half; /* s */
    double *time;         /* [terms] t_l */
    double *h;            /* complex [points][terms] */
    double worst;         /* a bound of what is left over anywhere */
    double gain, root;    /* largest sums of |h_l exp(-R t_l)|, and of their squares, its root */
    const char *out_of_reach; /* NULL, or a sentence saying why it was not tried */
} ndft_decay_terms;

/* The ranges of a clock and a field, w less its middle, and of the rates. */
typedef struct ndft_decay_range {
    double t_mid, t_half, w_half, rate_low, rate_high;
} ndft_decay_range;

enum { NDFT_DECAY_TERMS = 320 }; /* the most */

/* Whether there is something that decays. */
bool ndft_decays(const ndft_problem *);

/* The fewest terms that leave at most tol, or as good as it gets. false: no memory. */
bool ndft_decay_search(const ndft_decay_range *, double tol, ndft_decay_terms *);
void ndft_decay_release(ndft_decay_terms *);

/* h_l(t), complex [terms]. */
void ndft_decay_h(const ndft_decay_terms *, double t, double *h);

/* exp(-(rate + i w) t) */
void ndft_decay_entry(double rate, double w, double t, double value[2]);

#ifdef __cplusplus
}
#endif

#endif
