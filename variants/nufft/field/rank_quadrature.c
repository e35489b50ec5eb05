/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include "nufft/window/window.h"

#include <math.h>

/* Gradient maps by quadrature (rank_basis.h): nodes, weights, and what they lose. */

static const double pi = 3.14159265358979323846;

/* Points of Gauss-Legendre quadrature on [-1/2, 1/2], weights of sum 1. */
static void gauss_legendre(int n, double *u, double *weight)
{
    for (int i = 0; i < n; i++) {
        weight[i] = ndft_legendre_node(i, n, &u[i]) / 2;
        u[i] /= 2;
    }
}

/* The q-th Lagrange polynomial of the axis's points. */
static double lagrange(const ndft_quadrature_axis *axis, int q, double u)
{
    double product = 1;
    for (int i = 0; i < axis->n; i++)
        if (i != q) product *= (u - axis->u[i]) / (axis->u[q] - axis->u[i]);
    return product;
}

/* The fine points come in pairs u, -u. */
static void make_axis(int n, ndft_quadrature_axis *axis)
{
    double fine[2 * NDFT_QUADRATURE_FINE], weight[2 * NDFT_QUADRATURE_FINE];
    axis->n = n;
    gauss_legendre(n, axis->u, weight);
    gauss_legendre(2 * NDFT_QUADRATURE_FINE, fine, weight);
    for (int f = 0; f < NDFT_QUADRATURE_FINE; f++) {
        axis->fine[f] = fine[f];
        for (int q = 0; q < n; q++) {
            const double here = weight[f] * lagrange(axis, q, fine[f]);
            const double there = weight[f] * lagrange(axis, q, -fine[f]);
            axis->even[q][f] = here + there;
            axis->odd[q][f] = here - there;
        }
    }
}

/* mu, complex [n] */
static void integrate(const ndft_quadrature_axis *axis, double a, double *mu)
{
    for (int q = 0; q < 2 * axis->n; q++) mu[q] = 0;
    for (int f = 0; f < NDFT_QUADRATURE_FINE; f++) {
        const double c = cos(2 * pi * a * axis->fine[f]), s = -sin(2 * pi * a * axis->fine[f]);
        for (int q = 0; q < axis->n; q++) {
            mu[2 * q] += axis->even[q][f] * c;
            mu[2 * q + 1] += axis->odd[q][f] * s;
        }
    }
}

/* Of the phase inside a voxel: what the fine points can follow. */
static const double most_turns = 4;
enum { LATTICE = 8 + 8 * 2 * 4 }; /* steps for that many */

static double sinc(double x) { return x == 0 ? 1 : sin(pi * x) / (pi * x); }

/* exp(-2 pi i g u_q), complex [n] */
static void turn(const ndft_quadrature_axis *axis, double g, double *turns)
{
    for (int q = 0; q < axis->n; q++) {
        turns[2 * q] = cos(2 * pi * g * axis->u[q]);
        turns[2 * q + 1] = -sin(2 * pi * g * axis->u[q]);
    }
}

/* The square of what the sum misses of the sinc. */
static double error_of(int n, const double *mu, const double *turns, double exact)
{
    double re = -exact, im = 0;
    for (int q = 0; q < n; q++) {
        re += mu[2 * q] * turns[2 * q] - mu[2 * q + 1] * turns[2 * q + 1];
        im += mu[2 * q] * turns[2 * q + 1] + mu[2 * q + 1] * turns[2 * q];
    }
    return re * re + im * im;
}

/* Finds errors and gain on a lattice finer than anything changes: near its largest value a function
 * of the bandwidth pi is at least cos(pi/16) times it 1/16 away, along a and along g. */
static void look_at_axis(ndft_quadrature_axis *axis, double a_max, double g_max)
{
    const int n = axis->n, steps = 8 + (int)ceil(8 * (a_max + g_max)), columns = 2 * steps + 1;
    double turns[2 * LATTICE + 1][2 * NDFT_QUADRATURE_POINTS];
    double worst = 0, most = 0, column[2 * LATTICE + 1] = {0};
    axis->gain = 0;
    for (int k = 0; k < columns; k++) turn(axis, g_max * (k - steps) / steps, turns[k]);
    for (int i = 0; i <= steps; i++) {
        const double a = a_max * i / steps;
        double mu[2 * NDFT_QUADRATURE_POINTS], gain = 0, row = 0;
        integrate(axis, a, mu);
        for (int q = 0; q < n; q++) gain += hypot(mu[2 * q], mu[2 * q + 1]);
        axis->gain = fmax(axis->gain, gain);
        for (int k = 0; k < columns; k++) {
            const double exact = sinc(a + g_max * (k - steps) / steps);
            const double square = error_of(n, mu, turns[k], exact);
            row += square / columns;
            most = fmax(most, square);
            column[k] += square / (steps + 1);
        }
        worst = fmax(worst, row);
    }
    for (int k = 0; k < columns; k++) worst = fmax(worst, column[k]);
    axis->error = sqrt(worst);
    axis->worst = sqrt(most) / (cos(pi / 16) * cos(pi / 16));
}

void ndft_quadrature_make(const ndft_problem *p, double tol, ndft_quadrature *quadrature)
{
    *quadrature = (ndft_quadrature){.nodes = 1, .gain = 1};
    for (int d = 0; d < 3; d++) quadrature->axis[d].n = 1;
    if (!ndft_has_gradients(p)) return;
    const bool any = p->tol_kind == NDFT_TOL_ANY;
    /* Of any data errors add up, and prod (1 + worst) - 1 is within tol. */
    const double allowed = any ? log1p(tol) / p->dim : tol / sqrt(p->dim);
    for (int d = 0; d < p->dim; d++) {
        ndft_quadrature_axis *axis = &quadrature->axis[d];
        const double a_max = p->k_max[d] / (double)p->n[d], g_max = p->g_max[d] * p->t_max;
        if (fmax(a_max, g_max) > most_turns) {
            quadrature->nodes = 0;
            return;
        }
        int n = 0;
        do {
            make_axis(++n, axis);
            look_at_axis(axis, a_max, g_max);
        } while ((any ? axis->worst : axis->error) > allowed && n < NDFT_QUADRATURE_POINTS);
        quadrature->error = hypot(quadrature->error, axis->error);
        quadrature->worst += axis->worst * (1 + quadrature->worst);
        quadrature->gain *= axis->gain;
        quadrature->nodes *= n;
    }
    const double error = any ? quadrature->worst : quadrature->error;
    if (error > tol || quadrature->nodes > NDFT_QUADRATURE_NODES) quadrature->nodes = 0;
}

void ndft_quadrature_weights(const ndft_quadrature *quadrature, const ndft_problem *p, int64_t j,
                             double *weight)
{
    int filled = 1;
    weight[0] = 1;
    weight[1] = 0;
    for (int d = 0; d < p->dim; d++) {
        const ndft_quadrature_axis *axis = &quadrature->axis[d];
        double mu[2 * NDFT_QUADRATURE_POINTS];
        integrate(axis, ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d], mu);
        for (int q = axis->n - 1; q >= 0; q--) /* backwards: the first block is read by all */
            for (int i = 0; i < filled; i++) {
                double *to = weight + 2 * (q * filled + i);
                const double re = weight[2 * i], im = weight[2 * i + 1];
                to[0] = re * mu[2 * q] - im * mu[2 * q + 1];
                to[1] = re * mu[2 * q + 1] + im * mu[2 * q];
            }
        filled *= axis->n;
    }
}
