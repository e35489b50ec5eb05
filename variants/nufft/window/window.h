/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WINDOW_H
#define NDFT_NUFFT_WINDOW_H

#include "base/problem.h"

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
 * polynomials (degree 0); _make interpolates at Chebyshev nodes by the lowest degree that loses
 * at most 2 percent more than phi itself.
 */
ndft_window ndft_window_shape(ndft_window_kind, int width, double sigma);
ndft_window ndft_window_make(ndft_window_kind, int width, double sigma);

/* phi(z), z in cells, in double. */
double ndft_window_value(const ndft_window *, double z);

/* hat(xi), xi in cycles per cell: in closed form for KB, by Gauss-Legendre quadrature else. */
double ndft_window_hat(const ndft_window *, double xi);

/* The weight of cell first + w by its polynomial, in double. */
double ndft_window_poly(const ndft_window *, int w, double s);

/*
 * What a transform along so many axes loses to aliases and to the fit, relative l2: the root mean
 * square over the voxels of an image of even energy, at the worst position of a sample between
 * cells along all axes.
 */
double ndft_window_error(const ndft_window *, int axes);

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

#ifdef __cplusplus
}
#endif
#endif
