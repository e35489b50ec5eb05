/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAF_H
#define NDFT_NUFFT_INTERLEAF_H

#include "core/inline.h"

#include "base/problem.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Shots that are turned copies of one smooth interleaf, as a spiral's are, found from the
 * coordinates of a two-dimensional problem: with q = k/N, x + iy, sample i of shot s is at exp(2 pi
 * i turn[s]) q_i to a few units in the last place of the largest coordinate. Radius and angle of
 * the interleaf are cubics by least squares, on pieces of 4 samples at first, where an interleaf
 * leaves the rest, and of 2^shift then: a position is computed from a sample's number and a table
 * much smaller than the interleaf.
 */
enum { NDFT_INTERLEAF_START = 64 }; /* samples in pieces of 4 */

typedef struct ndft_interleaf_piece {
    double radius[4]; /* in FOV turns, coefficients of powers of samples passed in the piece */
    double angle[4];  /* in turns */
} ndft_interleaf_piece;

typedef struct ndft_interleaf {
    int64_t length, shots; /* samples of a shot; the last may be cut short */
    int shift, pieces;
    ndft_interleaf_piece *piece;
    double *turn; /* [shots] */
    double error; /* relative l2, of transforms from positions on the interleaf */
    double worst; /* of any entry */
} ndft_interleaf;

/* Radius and angle of sample i, in shots that are not turned. */
NDFT_INLINE void ndft_interleaf_at(const ndft_interleaf_piece *pieces, int shift, int i,
                                   double *radius, double *angle)
{
    const bool starts = i < NDFT_INTERLEAF_START;
    const int after = starts ? i : i - NDFT_INTERLEAF_START, log = starts ? 2 : shift;
    const ndft_interleaf_piece *p =
        pieces + (starts ? 0 : NDFT_INTERLEAF_START / 4) + (after >> log);
    const double x = after & ((1 << log) - 1);
    *radius = fma(fma(fma(p->radius[3], x, p->radius[2]), x, p->radius[1]), x, p->radius[0]);
    *angle = fma(fma(fma(p->angle[3], x, p->angle[2]), x, p->angle[1]), x, p->angle[0]);
}

/*
 * NULL, and the interleaf with the longest pieces that lose little of the problem's tol, or with
 * the shortest; or a sentence saying why the samples are on none, with nothing allocated. Where a
 * problem has no coordinates yet it is on none.
 *
 * The error is that of random data: the phases' root mean square deviation over samples and voxels,
 * as it comes from the coordinates' rounding, the fit and the rounding of sines in the problem's
 * precision, with a factor of safety of 1.5.
 */
const char *ndft_interleaf_find(const ndft_problem *, ndft_interleaf *);
void ndft_interleaf_free(ndft_interleaf *);

/* What ndft_interleaf_find says, and the errors of the interleaf that it finds, else infinity. */
const char *ndft_interleaf_unsupported(const ndft_problem *);
double ndft_interleaf_error(const ndft_problem *);
double ndft_interleaf_worst(const ndft_problem *);

#ifdef __cplusplus
}
#endif
#endif
