/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_QUADRATURE_H
#define NDFT_NUFFT_RANK_QUADRATURE_H

#include "base/problem.h"

/*
 * The dephasing in a voxel as a sum: per axis, with a = k_d/N_d and g = G_d t,
 *
 *     sinc(a + g) = int exp(-2 pi i (a + g) u) du ~ sum_q mu_q(a) exp(-2 pi i g u_q)
 *
 * over |u| <= 1/2, with u_q the Gauss-Legendre points and mu_q(a) the integral of the q-th Lagrange
 * polynomial times exp(-2 pi i a u): exact in a, so that the points needed grow with g alone, and
 * one is exact where g is 0 (L. N. G. Filon, Proc. R. Soc. Edinb. 1928; with Gauss's points).
 */

enum {
    NDFT_QUADRATURE_POINTS = 16, /* the most per axis */
    NDFT_QUADRATURE_NODES = 512, /* the most of all axes together */
    NDFT_QUADRATURE_FINE = 16,   /* points on either side by which mu is integrated */
};

/* One axis. */
typedef struct ndft_quadrature_axis {
    int n;
    double u[NDFT_QUADRATURE_POINTS];
    /* mu_q(a) = sum_f even[q][f] cos(2 pi a fine[f]) - i odd[q][f] sin(2 pi a fine[f]) */
    double fine[NDFT_QUADRATURE_FINE];
    double even[NDFT_QUADRATURE_POINTS][NDFT_QUADRATURE_FINE];
    double odd[NDFT_QUADRATURE_POINTS][NDFT_QUADRATURE_FINE];
    double
        error; /* largest root mean square over |a| <= a_max at any g, or |g| <= g_max at any a */
    double worst; /* largest error anywhere */
    double gain;  /* largest sum of |mu_q| */
} ndft_quadrature_axis;

typedef struct ndft_quadrature {
    int nodes; /* product over axes; x fastest. 0: more than NDFT_QUADRATURE_NODES, or out of reach
                */
    ndft_quadrature_axis axis[3];
    double error; /* of the product */
    double worst; /* the same, largest anywhere */
    double gain;  /* by which errors of the field's sums may grow */
} ndft_quadrature;

/* Points of Gauss-Legendre quadrature on [-1/2, 1/2], weights of sum 1. */
void ndft_gauss_legendre(int n, double *u, double *weight);

/* The fewest nodes whose error, of the problem's tol_kind, is at most tol; one, exact, without
 * gradient maps. */
void ndft_quadrature_make(const ndft_problem *p, double tol, ndft_quadrature *quadrature);

/* Position of node q in the voxel. */
void ndft_quadrature_node(const ndft_quadrature *quadrature, int q, double u[3]);

/* Weights of sample j, complex [nodes]. */
void ndft_quadrature_weights(const ndft_quadrature *quadrature, const ndft_problem *p, int64_t j,
                             double *weight);

#endif
