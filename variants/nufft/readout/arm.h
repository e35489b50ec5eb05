/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_ARM_H
#define NDFT_NUFFT_ARM_H

#include "nufft/window/position.h"

#include <ndft/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Shots that are turned copies of one smooth arm, as a spiral's are, found from the coordinates of
 * a two-dimensional problem: with q = k/N, x + iy, sample i of shot s is at exp(2 pi i turn[s]) q_i
 * to a few units in the last place of the largest coordinate. Radius and angle of the arm are
 * cubics by least squares, on pieces of 4 samples at first, where an arm leaves the rest, and of
 * 2^shift then: a position is computed from a sample's number and a table much smaller than the
 * arm.
 */
enum { NDFT_ARM_START = 64 }; /* samples in pieces of 4 */

typedef struct ndft_arm_piece {
    double radius[4]; /* in FOV turns, coefficients of powers of samples passed in the piece */
    double angle[4];  /* in turns */
} ndft_arm_piece;

typedef struct ndft_arm {
    int64_t length, shots; /* samples of a shot; the last may be cut short */
    int shift, pieces;
    ndft_arm_piece *piece;
    double *turn; /* [shots] */
    double error; /* relative l2, of transforms from positions on the arm */
    double worst; /* of any entry */
} ndft_arm;

/* Radius and angle of sample i, in shots that are not turned. */
NDFT_INLINE void ndft_arm_at(const ndft_arm_piece *pieces, int shift, int i, double *radius,
                             double *angle)
{
    const bool starts = i < NDFT_ARM_START;
    const int after = starts ? i : i - NDFT_ARM_START, log = starts ? 2 : shift;
    const ndft_arm_piece *p = pieces + (starts ? 0 : NDFT_ARM_START / 4) + (after >> log);
    const double x = after & ((1 << log) - 1);
    *radius = fma(fma(fma(p->radius[3], x, p->radius[2]), x, p->radius[1]), x, p->radius[0]);
    *angle = fma(fma(fma(p->angle[3], x, p->angle[2]), x, p->angle[1]), x, p->angle[0]);
}

/*
 * NULL, and the arm with the longest pieces that lose little of the problem's tol, or with the
 * shortest; or a sentence saying why the samples are on none, with nothing allocated. Where a
 * problem has no coordinates yet it is on none.
 *
 * The error is that of random data: the phases' root mean square deviation over samples and voxels,
 * as it comes from the coordinates' rounding, the fit and the rounding of sines in the problem's
 * precision, with a factor of safety of 1.5.
 */
const char *ndft_arm_find(const ndft_problem *, ndft_arm *);
void ndft_arm_free(ndft_arm *);

/* What ndft_arm_find says, and the errors of the arm that it finds, else infinity. */
const char *ndft_arm_unfit(const ndft_problem *);
double ndft_arm_error(const ndft_problem *);
double ndft_arm_worst(const ndft_problem *);

#ifdef __cplusplus
}
#endif
#endif
