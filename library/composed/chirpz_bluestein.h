/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRPZ_BLUESTEIN_H
#define NDFT_CHIRPZ_BLUESTEIN_H

#include "base/chirpz.h"
#include "prepared.h"

/*
 * A chirp z-transform by Bluestein (1970), with complex chirps: n k = (n^2 + k^2 - (k-n)^2)/2, so
 *
 *     X_k = W^(k^2/2) sum_n (x_n A^-n W^(n^2/2)) W^(-(k-n)^2/2)
 *
 * is a convolution (convolution.h) of C cells, at least N + M - 1, between two products. Where |W|
 * is not 1 chirps grow or decay as exponentials of squares: before the sum and in it they are
 * scaled to 1 at most, the last one makes up for that, and the error grows. The adjoint has the
 * conjugates, from right to left.
 */

/* Cells of the convolution: the least number with factors of 2, 3 and 5 alone. */
int64_t ndft_chirpz_cells(const ndft_chirpz_problem *);

/* The chirps, [count][re, im], scaled: before [N], kernel [C], after [M]. */
typedef struct ndft_chirps {
    double *before, *kernel, *after;
} ndft_chirps;

void ndft_chirpz_fill(const ndft_chirpz_problem *, int64_t cells, const ndft_chirps *);

/*
 * How many times as large as the convolution's own the error of X is, or of the adjoint, each
 * relative to its result, of white data and of any (docs/convolution.md derives both); about 1, and
 * up to the root of C, where |W| = |A| = 1.
 */
typedef struct ndft_chirpz_growth {
    double typical, any;
} ndft_chirpz_growth;

ndft_chirpz_growth ndft_chirpz_growth_of(const ndft_chirpz_problem *, int64_t cells);

/* What an execution declares to launch, where that is what was prepared; NaN: another engine. */
double ndft_chirpz_launches(const ndft_prepared *, ndft_op op);

/* A bound on the logarithms of their magnitudes, whose rounding in double is an error of chirps. */
double ndft_chirpz_exponents(const ndft_chirpz_problem *);

#endif
