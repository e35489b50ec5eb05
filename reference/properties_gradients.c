/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"

#include <math.h>
#include <string.h>

/*
 * Properties of the sinc factors. sinc(a) is the mean of exp(-2 pi i a u) over a voxel,
 * u = -1/2..1/2, so the operator with gradients is a mean of plain operators.
 */

/* With dw = 2 pi sum_d g_d r_d and G_d = g_d/N_d both phase and sinc depend on k_j + g t_j alone.
 */
ndft_status ndft_gradient_shift(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem field = t->problem, shifted;
    void *zeros = ndft_property_fixture_reals(t, field.n_voxels);
    memset(zeros, 0, (size_t)field.n_voxels * ndft_real_size(field.prec));
    for (int d = 0; d < field.dim; d++) {
        void *g = ndft_property_fixture_reals(t, field.n_voxels);
        for (int64_t v = 0; v < field.n_voxels; v++) ndft_put(g, field.prec, v, ndft_slope[d]);
        field.g[d] = g;
    }
    ndft_property_fixture_linear(t, &field, &shifted);
    for (int d = 0; d < field.dim; d++) shifted.g[d] = zeros;
    ndft_property_fixture_bounds(&shifted);
    return ndft_property_fixture_equal(t, &field, &shifted, op, worst);
}

enum { MOST_NODES = 24 };

typedef struct rule {
    int size;
    double node[MOST_NODES], weight[MOST_NODES];
} rule;

/* Legendre's P_n at x and its derivative (Abramowitz and Stegun 22.7.10, 22.8.5). */
static double legendre(int n, double x, double *slope)
{
    double before = 1, now = x;
    for (int i = 2; i <= n; i++) {
        double next = ((2 * i - 1) * x * now - (i - 1) * before) / i;
        before = now;
        now = next;
    }
    *slope = n * (x * now - before) / (x * x - 1);
    return now;
}

/* Bound of the error of n Gauss-Legendre points for exp(2 pi i a u) (A&S 25.4.30). */
static double remainder_bound(int n, double a)
{
    double log_bound = 4 * lgamma(n + 1.0) - 3 * lgamma(2 * n + 1.0) - log(2 * n + 1.0);
    return exp(log_bound + 2 * n * log(2 * M_PI * a));
}

/* Gauss-Legendre points on -1/2..1/2, enough that sinc(a) is met within error. */
static rule gauss_legendre(double a, double error)
{
    rule r = {.size = 2};
    while (r.size < MOST_NODES && remainder_bound(r.size, a) > error) r.size++;
    for (int i = 0; i < r.size; i++) {
        double x = cos(M_PI * (i + 0.75) / (r.size + 0.5)), slope;
        for (int step = 0; step < 8; step++) x -= legendre(r.size, x, &slope) / slope;
        legendre(r.size, x, &slope);
        r.node[i] = 0.5 * x;
        r.weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
    return r;
}

/* A mean of plain operators on the way. */
typedef struct mean {
    ndft_op op;
    const ndft_complex *in;
    ndft_complex *x, *y, *sum;
    void *dw;
    double *turns;
    double size;  /* sum of weight |term| */
    double bound; /* sum of weight |term| times its claim and what rounding adds */
} mean;

/* The problem at one point u of the voxel: k.(r + u/N) + f t + sum_d G_d u_d t turns. The shift of
 * r is the same for all voxels and goes into turns, the last sum into the field. */
static void at_point(const ndft_property_fixture *t, const double u[3], mean *m,
                     ndft_problem *plain)
{
    *plain = t->problem;
    for (int64_t v = 0; v < plain->n_voxels; v++) {
        double hz = 0, dw = ndft_real_at(plain->dw, plain->prec, v);
        for (int d = 0; d < plain->dim; d++)
            hz += ndft_real_at(t->gradients[d], plain->prec, v) * u[d];
        ndft_put(m->dw, plain->prec, v, dw + 2 * M_PI * hz);
    }
    for (int64_t j = 0; j < plain->n_samples; j++) {
        m->turns[j] = 0;
        for (int d = 0; d < plain->dim; d++)
            m->turns[j] += ndft_real_at(plain->k[d], plain->prec, j) / (double)plain->n[d] * u[d];
    }
    plain->dw = m->dw;
    memset(plain->g, 0, sizeof plain->g);
    ndft_property_fixture_bounds(plain);
}

static ndft_status add_point(ndft_property_fixture *t, const double u[3], double weight, mean *m)
{
    ndft_problem plain;
    at_point(t, u, m, &plain);
    memcpy(m->x, m->in,
           (size_t)ndft_input_length(&plain, m->op) * (size_t)plain.coils * sizeof *m->x);
    if (m->op == NDFT_ADJOINT) ndft_rotate(&plain, m->x, m->turns, 1);
    NDFT_TRY(ndft_property_fixture_apply(t, &plain, m->op, m->x, m->y));
    if (m->op == NDFT_FORWARD) ndft_rotate(&plain, m->y, m->turns, -1);
    int64_t count = ndft_output_length(&plain, m->op) * plain.coils;
    for (int64_t i = 0; i < count; i++) m->sum[i] += weight * m->y[i];
    double size = weight * ndft_norm(m->y, count);
    double rounding = 4 * ndft_roundoff(plain.prec) * (1 + plain.dw_max * plain.t_max);
    m->size += size;
    m->bound += size * (ndft_property_fixture_claim(t, &plain, m->op) + rounding);
    return NDFT_OK;
}

static ndft_status add_points(ndft_property_fixture *t, const rule rules[3], mean *m)
{
    for (int a = 0; a < rules[0].size; a++) {
        for (int b = 0; b < rules[1].size; b++) {
            for (int c = 0; c < rules[2].size; c++) {
                double u[3] = {rules[0].node[a], rules[1].node[b], rules[2].node[c]};
                double weight = rules[0].weight[a] * rules[1].weight[b] * rules[2].weight[c];
                NDFT_TRY(add_point(t, u, weight, m));
            }
        }
    }
    return NDFT_OK;
}

/* The discrepancy is taken against the mean size of the plain results. */
ndft_status ndft_gradient_mean(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const rule centre = {.size = 1, .weight = {1}};
    rule rules[3] = {centre, centre, centre};
    ndft_problem p = t->problem;
    memcpy(p.g, t->gradients, sizeof p.g);
    ndft_property_fixture_bounds(&p);
    /* Far below what is claimed, so that it hides nothing. */
    double error =
        fmax(ndft_roundoff(p.prec) / 16, fmin(ndft_property_fixture_claim(t, &p, op), 1) / 64);
    for (int d = 0; d < p.dim; d++)
        rules[d] = gauss_legendre(p.k_max[d] / (double)p.n[d] + p.g_max[d] * p.t_max, error);

    ndft_complex *in = ndft_property_fixture_vector(t);
    mean m = {.op = op,
              .in = in,
              .x = ndft_property_fixture_vector(t),
              .y = ndft_property_fixture_vector(t)};
    m.sum = ndft_property_fixture_vector(t);
    m.dw = ndft_property_fixture_reals(t, p.n_voxels);
    m.turns = ndft_property_fixture_take(t, (size_t)p.n_samples * sizeof *m.turns);
    int64_t count = ndft_output_length(&p, op) * p.coils;
    memset(m.sum, 0, (size_t)count * sizeof *m.sum);
    ndft_property_fixture_draw(t, in, ndft_input_length(&p, op));
    NDFT_TRY(add_points(t, rules, &m));
    NDFT_TRY(ndft_property_fixture_apply(t, &p, op, in, m.y));
    double bound = m.bound + ndft_norm(m.y, count) * ndft_property_fixture_claim(t, &p, op);
    ndft_keep_worse(worst, ndft_distance(m.y, m.sum, count) / m.size,
                    bound / m.size + error * p.dim);
    return NDFT_OK;
}
