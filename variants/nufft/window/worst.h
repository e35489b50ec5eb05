/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WORST_H
#define NDFT_NUFFT_WORST_H

#include "window.h"

#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a window loses along one axis whatever the data: bounds over all samples and voxels. */
typedef struct ndft_window_worst {
    double error;     /* of exp(-2 pi i xi u), by the weights in use */
    double amplified; /* an error of all cells: the largest sum of |weights| over the least hat */
    double rounding;  /* of evaluating weights, in eps of that sum */
} ndft_window_worst;

/* By polynomials (density 0), or by the table of that density; of the voxels at -farthest..farthest
 * on an axis of so many cells. */
ndft_window_worst ndft_window_worst_of(const ndft_window *, int density, int64_t farthest,
                                       int64_t cells);

/* What phi itself loses of the voxel at xi and a sample on a cell: no bound is below. */
double ndft_window_worst_least(const ndft_window *, double xi);

/*
 * What a transform without its field map loses at worst (NDFT_TOL_ANY): an output errs by at most
 * (entry + eps amplified (units + chain)) |x|_1.
 *
 * entry is the window's: along d axes prod (1 + e_d) - 1. An error of all cells, relative to the
 * |.|_1 of what they are made of, comes out `amplified`: prod sum|weights|/hat at the image's edge.
 * To first order there are, in units of eps,
 *
 *     2 an axis       deapodisation: its table, the product
 *     sqrt 5 + 2      for each doubling of the FFT: a twiddle factor, a complex product (Brent,
 *                     Percival and Zimmermann, Math. Comp. 76, 2007), a sum. Factors of the
 *                     transform's matrix amplify nothing of the 1-norm, for the product of their
 *                     moduli is that of its entries, 1 (cf. Higham, Accuracy and Stability of
 *                     Numerical Algorithms, 2002, section 24.1)
 *     weights         their evaluation, their products along axes and with a value; and of a place,
 *                     4 eps of s at most, the phase pi xi_max
 *     chain           of sums: forward of W cells, of W^(d-1) rows, of lanes; adjoint of as many
 *                     samples as touch one cell (below), in whatever order (Higham, section 4.2)
 */
typedef struct ndft_nufft_worst {
    double entry, amplified, units;
} ndft_nufft_worst;

/* density: of a table of weights, 0 for polynomials. */
ndft_nufft_worst ndft_nufft_worst_of(const ndft_problem *, const ndft_window *, int density,
                                     const int64_t grid[3]);

double ndft_nufft_chain(const ndft_problem *, ndft_op, int width, const int64_t grid[3]);

/* The bound, with a chain and whatever else the caller rounds. */
double ndft_nufft_worst_sum(const ndft_nufft_worst *, ndft_prec, double units);

/* An entry's error is at least this, of phi itself, by far less work. */
double ndft_nufft_worst_least(const ndft_problem *, const ndft_window *, const int64_t grid[3]);

/* The most samples whose windows touch one cell of the grid, or a little more where the grid has
 * many cells for a sample: what the longest sum of a cell has terms. All samples without memory. */
int64_t ndft_nufft_crowd(const ndft_problem *, int width, const int64_t grid[3]);

#ifdef __cplusplus
}
#endif
#endif
