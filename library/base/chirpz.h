/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BASE_CHIRPZ_H
#define NDFT_BASE_CHIRPZ_H

#include "base/problem.h"

#include <ndft/polar.h>

#include <math.h>

#ifndef NDFT_INDEX /* of functions that kernels have, too */
#define NDFT_INDEX static inline
#endif

/*
 * A chirp z-transform as a problem (ndft/chirpz.h), which begins with its ndft_problem: there n[0]
 * and n_voxels are N, n_samples is M, coils is the batch, and there are no arrays. Vectors are
 * planar. An entry is A^-n W^(n k). Lengths are at most 2^26, so that n k and n^2 are doubles.
 */
typedef struct ndft_chirpz_problem {
    ndft_problem problem;
    ndft_polar w, a;
} ndft_chirpz_problem;

enum { NDFT_CHIRPZ_LONGEST = 1 << 26, NDFT_CHIRPZ_WHY = 160 };

/* Of the moduli of W and A. */
#define NDFT_LEAST_MODULUS 1e-6
#define NDFT_MOST_MODULUS 1e6

static inline const ndft_chirpz_problem *ndft_chirpz_of(const ndft_problem *p)
{
    return (const ndft_chirpz_problem *)p;
}

/* count turns less a whole number, by one rounding: the product is reduced before it is rounded. */
NDFT_INDEX double ndft_whole_turns_off(double count, double turns)
{
    return fma(count, turns, -rint(count * turns));
}

/* log |A^-n W^(n k)|, by the logarithms of both moduli. */
NDFT_INDEX double ndft_chirpz_log(double n, double k, double log_w, double log_a)
{
    return n * (k * log_w - log_a);
}

/* The largest of them, which is linear in n and in k, and the largest magnitude. */
static inline double ndft_chirpz_log_max(const ndft_chirpz_problem *c, double *magnitude)
{
    const double log_w = log(c->w.modulus), log_a = log(c->a.modulus);
    const double n = (double)c->problem.n[0] - 1, m = (double)c->problem.n_samples - 1;
    const double first = ndft_chirpz_log(n, 0, log_w, log_a);
    const double last = ndft_chirpz_log(n, m, log_w, log_a);
    if (magnitude) *magnitude = fmax(fabs(first), fabs(last));
    return fmax(0, fmax(first, last));
}

/* NULL where the magnitudes of entries leave as much room as they take, for data and for sums of
 * them; else which of "w" and "a" makes them too large, and why, with the nearest modulus. */
const char *ndft_chirpz_beyond(const ndft_chirpz_problem *, char *why, size_t size);

#endif
