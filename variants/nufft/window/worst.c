/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include <math.h>

/*
 * For a voxel at xi a sample at s has, beside the phase of its first cell, the relative error
 *
 *     E(xi, s) = sum_w weight_w(s) exp(-2 pi i xi z_w)/hat(xi) - 1,   z_w = w + (s + 1)/2 - W/2,
 *
 * a polynomial in s times exp(-pi i xi s), less 1: a smooth function, as is that of xi. At N
 * Chebyshev nodes the largest value of a polynomial of degree D is at least cos(pi D/(2N)) times
 * its largest on the interval (Ehlich and Zeller, Math. Z. 86, 1964). With N = 4 D the maximum
 * looked at is within 1/cos(pi/8) of the true one, for s and for xi.
 */

static const double between = 1.0823922002923940; /* 1/cos(pi/8) */

enum {
    PHASE_DEGREE = 10,   /* of exp(-pi i xi s), |xi| <= 1/2, to 1e-8 */
    MOST_VOXELS = 2 * 32 /* half of 4 (pi W/2 + PHASE_DEGREE) at most */
};

/* What all places share: of each xi its hat and the phasor of a cell. */
typedef struct lattice {
    int n;
    double between; /* how much larger E may be at other voxels */
    double xi[MOST_VOXELS], hat[MOST_VOXELS], re[MOST_VOXELS], im[MOST_VOXELS];
} lattice;

static void put_voxel(const ndft_window *window, lattice *l, int x, double xi)
{
    l->xi[x] = xi;
    l->hat[x] = ndft_window_hat(window, xi);
    l->re[x] = cos(2 * M_PI * xi);
    l->im[x] = -sin(2 * M_PI * xi);
}

/* Where xi is not negative, for E(-xi) is the conjugate of E(xi): all voxels, or nodes in place of
 * more than that. */
static lattice lattice_of(const ndft_window *window, int64_t farthest, int64_t cells)
{
    const double xi_max = (double)farthest / (double)cells;
    const int nodes = 1 + 2 * (int)ceil(M_PI * window->width * xi_max + PHASE_DEGREE);
    lattice l = {.n = nodes < MOST_VOXELS ? nodes : MOST_VOXELS, .between = between};
    if (farthest < l.n) {
        l.n = (int)farthest + 1;
        l.between = 1;
    }
    for (int x = 0; x < l.n; x++)
        put_voxel(window, &l, x,
                  l.between == 1 ? (double)x / (double)cells
                                 : xi_max * cos(M_PI / 2 * x / (l.n - 1)));
    return l;
}

/* The largest |E| at a place, by Horner's rule over cells. */
static double error_at(const ndft_window *window, const lattice *l, const double *weight, double s)
{
    double worst = 0;
    for (int x = 0; x < l->n; x++) {
        double re = 0, im = 0;
        for (int w = window->width - 1; w >= 0; w--) {
            const double old = re;
            re = old * l->re[x] - im * l->im[x] + weight[w];
            im = old * l->im[x] + im * l->re[x];
        }
        const double angle = -2 * M_PI * l->xi[x] * ndft_window_distance(window, 0, s);
        const double c = cos(angle) / l->hat[x], d = sin(angle) / l->hat[x];
        worst = fmax(worst, hypot(re * c - im * d - 1, re * d + im * c));
    }
    return worst;
}

static void look(const ndft_window *window, const lattice *l, const double *weight, double s,
                 ndft_window_worst *worst)
{
    double mass = 0;
    for (int w = 0; w < window->width; w++) mass += fabs(weight[w]);
    worst->error = fmax(worst->error, error_at(window, l, weight, s));
    worst->amplified = fmax(worst->amplified, mass);
}

static void look_at_poly(const ndft_window *window, const lattice *l, double s,
                         ndft_window_worst *worst)
{
    double weight[NDFT_MAX_WIDTH];
    for (int w = 0; w < window->width; w++) weight[w] = ndft_window_poly(window, w, s);
    look(window, l, weight, s, worst);
}

/* With s at quarters of the way from one row to the next: between rows the error is a line and a
 * parabola, worst in the middle, and at a window's end it may be a root, worst at a quarter. */
static void look_at_table(const ndft_window *window, const lattice *l, double s, double step,
                          ndft_window_worst *worst)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        const double below = fmin(fmax(s - 0.25 * quarter * step, -1), 1 - step);
        double weight[NDFT_MAX_WIDTH];
        for (int w = 0; w < window->width; w++)
            weight[w] = (1 - 0.25 * quarter) * ndft_window_weight(window, w, below) +
                        0.25 * quarter * ndft_window_weight(window, w, below + step);
        look(window, l, weight, below + 0.25 * quarter * step, worst);
    }
}

/* Horner's rule rounds the coefficient of s^q itself and 2q times on its way (Higham, Accuracy and
 * Stability of Numerical Algorithms, 2002, section 5.1), most at |s| = 1. */
static double rounding_of_poly(const ndft_window *window)
{
    double sum = 0;
    for (int w = 0; w < window->width; w++)
        for (int q = 0; q <= window->degree; q++) sum += (2 * q + 1) * fabs(window->poly[w][q]);
    return sum;
}

/* A row's rounding, its difference to the next, their product and sum; and s + 1, rounded by 2 eps,
 * by which all weights move along the window: its total variation is 2, a step of s half a cell. */
static double rounding_of_table(double mass) { return 4 * mass + 2; }

double ndft_window_worst_least(const ndft_window *window, double xi)
{
    lattice l = {.n = 1};
    double weight[NDFT_MAX_WIDTH];
    put_voxel(window, &l, 0, xi);
    for (int w = 0; w < window->width; w++) weight[w] = ndft_window_weight(window, w, -1);
    return error_at(window, &l, weight, -1);
}

ndft_window_worst ndft_window_worst_of(const ndft_window *window, int density, int64_t farthest,
                                       int64_t cells)
{
    const lattice l = lattice_of(window, farthest, cells);
    const int degree = window->degree > PHASE_DEGREE ? window->degree : PHASE_DEGREE;
    const int places = 4 * degree;
    ndft_window_worst worst = {0};
    for (int i = 0; i < places; i++) {
        const double s = cos(M_PI * (i + 0.5) / places);
        if (density)
            look_at_table(window, &l, s, 2.0 / density, &worst);
        else
            look_at_poly(window, &l, s, &worst);
    }
    const double mass = worst.amplified;
    worst.error *= between * l.between;
    worst.rounding = (density ? rounding_of_table(mass) : rounding_of_poly(window)) / mass;
    worst.amplified = mass / ndft_window_hat(window, (double)farthest / (double)cells);
    return worst;
}

enum { MOST_LANES = 8 }; /* complex numbers of a vector, which are added up at last */

static double of_doubling(void) { return sqrt(5) + 2; }

/* Axes of one size are looked at once. */
static void add_axes(const ndft_problem *p, const ndft_window *window, int density,
                     const int64_t grid[3], ndft_nufft_worst *worst)
{
    ndft_window_worst axis = {0};
    double kept = 1;
    for (int d = 0; d < p->dim; d++) {
        const double xi_max = (double)(p->n[d] / 2) / (double)grid[d];
        if (d == 0 || p->n[d] != p->n[d - 1] || grid[d] != grid[d - 1])
            axis = ndft_window_worst_of(window, density, p->n[d] / 2, grid[d]);
        kept *= 1 + axis.error;
        worst->amplified *= axis.amplified;
        worst->units +=
            2 + axis.rounding + 1 + 4 * M_PI * xi_max + of_doubling() * log2((double)grid[d]);
    }
    worst->entry = kept - 1;
}

ndft_nufft_worst ndft_nufft_worst_of(const ndft_problem *p, const ndft_window *window, int density,
                                     const int64_t grid[3])
{
    ndft_nufft_worst worst = {.amplified = 1};
    add_axes(p, window, density, grid, &worst);
    return worst;
}

double ndft_nufft_worst_least(const ndft_problem *p, const ndft_window *window,
                              const int64_t grid[3])
{
    double least = 0;
    for (int d = 0; d < p->dim; d++) {
        const double xi = (double)(p->n[d] / 2) / (double)grid[d];
        least = fmax(least, ndft_window_worst_least(window, xi));
    }
    return least;
}

double ndft_nufft_chain(const ndft_problem *p, ndft_op op, int width, const int64_t grid[3])
{
    return op == NDFT_ADJOINT ? (double)ndft_nufft_crowd(p, width, grid)
                              : width + pow(width, p->dim - 1) + MOST_LANES;
}

double ndft_nufft_worst_sum(const ndft_nufft_worst *worst, ndft_prec prec, double units)
{
    const double eps = ndft_roundoff(prec);
    return worst->entry + eps * worst->amplified * (worst->units + units);
}
