/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_H
#define NDFT_NUFFT_WINDOW_H

#include "base/problem.h"
#include "core/inline.h"

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The window phi of the nonuniform FFT. Lengths are in cells of the oversampled grid, so that phi
 * is even, 1 at 0, and 0 beyond W/2 cells. With u the position of a sample on a grid of n cells and
 * hat(xi) = int phi(z) exp(-2 pi i xi z) dz, xi in cycles per cell, Poisson's formula reads
 *
 *     exp(-2 pi i x u/n) = 1/hat(x/n) sum_i phi(i - u) exp(-2 pi i x i/n) - aliases
 *
 * for integer x: the transform is sum_i phi(i - u) FFT(image/hat), without any further factor. What
 * is left are the aliases hat(x/n + p)/hat(x/n), p = +-1, +-2, ...
 *
 * A sample touches the W cells first .. first + W - 1 (mod n), first = ceil(u - W/2), and its place
 * among them is one number s = 2 (first + W/2 - u) - 1 in [-1, 1): the weight of cell first + w is
 * phi(w + (s + 1)/2 - W/2), on line a polynomial in s for each w. As phi is even,
 * poly[W-1-w][q] = (-1)^q poly[w][q]: the even and odd parts of one polynomial serve two cells.
 */

typedef enum ndft_window_kind {
    NDFT_WINDOW_KB, /* Kaiser-Bessel: I0(beta sqrt(1 - v^2)) - 1/2, over that at 0; v = 2 z/W */
    NDFT_WINDOW_GAUSSIAN, /* truncated: exp(-beta v^2/2) */
    NDFT_WINDOW_ES,       /* exponential of semicircle: exp(beta (sqrt(1 - v^2) - 1)) */
} ndft_window_kind;

enum {
    NDFT_MIN_WIDTH = 2,
    NDFT_MAX_WIDTH = 16,
    NDFT_MAX_DEGREE = 20,
    /* The widest that CUDA's kernels are compiled for, 1e-7 in f32 and 1e-11 in f64 on a grid of
     * twice the image; wider ones go through loops. */
    NDFT_UNROLLED_F32 = 10,
    NDFT_UNROLLED_F64 = 12,
    NDFT_WINDOW_NODES = 40 /* of the quadrature over half the window */
};

typedef struct ndft_window {
    ndft_window_kind kind;
    int width;                                        /* W, cells */
    double sigma;                                     /* oversampling that it is shaped for */
    double beta;                                      /* shape parameter */
    double peak;                                      /* of KB before it is made 1 */
    int degree;                                       /* of the polynomials */
    double poly[NDFT_MAX_WIDTH][NDFT_MAX_DEGREE + 1]; /* [w][q]: coefficient of s^q for cell w */
    double node[NDFT_WINDOW_NODES]; /* the quadrature's places, cells; not of KB */
    double mass[NDFT_WINDOW_NODES]; /* its weights times phi there */
} ndft_window;

/*
 * The window of that kind for width NDFT_MIN_WIDTH..NDFT_MAX_WIDTH and sigma > 1. Shape parameters:
 * Kaiser-Bessel after Beatty, Nishimura and Pauly 2005; Gaussian after Greengard and Lee 2004;
 * exponential of semicircle after Barnett, Magland and af Klinteberg 2019. _shape leaves out the
 * polynomials (degree 0); _make interpolates at Chebyshev nodes by the lowest degree from
 * width - 1 on that loses at most 2 percent more than phi itself.
 */
ndft_window ndft_window_shape(ndft_window_kind, int width, double sigma);
ndft_window ndft_window_make(ndft_window_kind, int width, double sigma);

/* Makes the polynomials, of the window's degree, from its values at Chebyshev nodes. */
void ndft_window_interpolate(ndft_window *);

/* Node i of n of the Gauss-Legendre rule on (-1, 1), by Newton's method; returns its weight. */
double ndft_legendre_node(int i, int n, double *node);

/* phi(z), z in cells, in double. */
double ndft_window_value(const ndft_window *, double z);

/* hat(xi), xi in cycles per cell: in closed form for KB, by Gauss-Legendre quadrature else. */
double ndft_window_hat(const ndft_window *, double xi);

/* out[n] = one over it at the voxels of an axis, xi = (i - floor(n/2))/cells; of long axes
 * interpolated, which errs by no more than the transform itself is rounded by. */
void ndft_window_put_deapodisation(const ndft_window *, int64_t n, int64_t cells, ndft_prec,
                                   void *out);

/* How many cells cell first + w is from a sample at s; the weight of that cell, exactly. */
double ndft_window_distance(const ndft_window *, int w, double s);
double ndft_window_weight(const ndft_window *, int w, double s);

/* The weight of cell first + w by its polynomial, in double. */
double ndft_window_poly(const ndft_window *, int w, double s);

/*
 * What a transform along so many axes loses to aliases and to the fit, relative l2: the root mean
 * square over the voxels of an image of even energy, at the worst position of a sample between
 * cells along all axes.
 */
double ndft_window_error(const ndft_window *, int axes);

/* The same along one axis with weights by polynomials, which may lose so much of what phi does. */
double ndft_window_poly_error(const ndft_window *);
static const double ndft_window_fit = 1.02;

/* How many times as much is lost where axes have so many voxels, at least 1. */
double ndft_window_edge(const ndft_window *, int axes, int64_t voxels);

/* A bound of it from below, and of what tables lose: the loss of samples that lie on cells. */
double ndft_window_error_on_cells(const ndft_window *, int axes);

/*
 * How much larger than eps rounding errors on the grid come out of one axis: the root mean square
 * of 1/hat over the voxels times that of sum_w phi^2 over positions. Of d axes it is the d-th
 * power.
 */
double ndft_window_noise(const ndft_window *);

/* The polynomials as [degree + 1][stride], out[q*stride + w], zeros from W on; stride >= W. */
void ndft_window_put_poly(const ndft_window *, ndft_prec, int stride, void *out);

/*
 * The table in place of polynomials: row r of density + 2 has the W weights at s = 2r/density - 1;
 * weights between two rows are interpolated linearly. s below 1 may round to it, so that row
 * (int)((s + 1) density/2) is the last but one, at most: the last repeats it. ndft_window_density
 * is the power of two, at most 4096, at which the table loses about what the window does;
 * ndft_window_table_error is what a transform with this table loses in all, as ndft_window_error.
 */
int ndft_window_density(const ndft_window *);
double ndft_window_table_error(const ndft_window *, int density, int axes);
void ndft_window_put_table(const ndft_window *, int density, ndft_prec, int stride, void *out);

/* Where voxels and samples lie on the oversampled grid; all handling of centres is here. */

/*
 * The cell of a voxel with centred coordinate x = -floor(N/2) .. ceil(N/2)-1 on an axis of n cells:
 * x mod n. So negative x lie at the end, odd and even N are alike, and no factor (-1)^i and no half
 * shift is needed anywhere.
 */
NDFT_INLINE int64_t ndft_grid_cell(int64_t x, int64_t n) { return x < 0 ? x + n : x; }

/* A sample's W cells are first .. first + W - 1 mod n; s is its place among them. */
typedef struct ndft_grid_position {
    int32_t first; /* in [0, n) */
    double s;      /* in [-1, 1) */
} ndft_grid_position;

/*
 * The position u = k n/N of a sample at k cycles/FOV on an axis of N voxels and n cells, taken
 * mod n. The whole cells and the fraction are kept apart: k n is a product and its remainder, from
 * which the FMA takes the whole cells exactly, so that s has an absolute error of about eps.
 */
NDFT_INLINE ndft_grid_position ndft_grid_place(double k, int64_t voxels, int64_t n, int width)
{
    const double N = (double)voxels, cells = (double)n;
    const double high = k * cells, low = fma(k, cells, -high);
    const double nearest = rint(high / N);
    const double fraction = (fma(-nearest, N, high) + low) / N; /* u - nearest */
    const double half = 0.5 * width, above = ceil(fraction - half);
    double first = nearest + above;
    first -= cells * floor(first / cells);
    return (ndft_grid_position){(int32_t)first, 2 * (above + half - fraction) - 1};
}

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

/*
 * With how many a sample shares a cell in the mean, sum n^2/sum n over cells of n: by tiles of W
 * cells in place of cells, in two tilings half a tile apart, and by 8192 samples of more. All
 * samples without memory.
 */
double ndft_nufft_mean_crowd(const ndft_problem *, int width, const int64_t grid[3]);

#ifdef __cplusplus
}
#endif
#endif
