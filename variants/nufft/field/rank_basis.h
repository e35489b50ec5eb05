/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_BASIS_H
#define NDFT_NUFFT_RANK_BASIS_H

#include "rank.h"
#include "rank_quadrature.h"
#include "rank_table.h"

/*
 * What is in use of clock and field. Off-resonances are represented by points: in every run of
 * values without a gap that exp(-i w s) could notice, Chebyshev-Lobatto points, of which a function
 * of that bandwidth needs one per radian and a few.
 */

enum { NDFT_RANK_POINTS = 1024, NDFT_RANK_LOOKS = 2048 }; /* the most */

typedef struct ndft_rank_range {
    double t_mid, t_half; /* s */
    double w_mid, w_half; /* rad/s, over all nodes of the gradients' quadrature */
    int n;
    double w[NDFT_RANK_POINTS];     /* points, less w_mid */
    double share[NDFT_RANK_POINTS]; /* of voxels (and nodes) nearest to each; their sum is 1 */

    /* Where to look at what is left over, so that nothing is overlooked (in_use.h); less the
     * middles. None: there are too many. */
    int offsets, times;
    double offset[NDFT_RANK_LOOKS], time[NDFT_RANK_LOOKS];
} ndft_rank_range;

/* Off-resonance of voxel v at a node's position u, rad/s. */
double ndft_rank_offset(const ndft_problem *p, int64_t v, const double u[3]);

/* false, and nothing but middles and half-widths, where it spreads over more than 100 turns: what
 * follows takes time in proportion. */
bool ndft_rank_range_make(const ndft_problem *p, const ndft_quadrature *quadrature,
                          ndft_rank_range *range);

/*
 * The two sides of exp(-i w s) ~ sum_l b_l(s) c_l(w) as functions: c by waves cos(w s_i) and
 * sin(w s_i), b by projection on them over the points of the range, or by Hanning windows.
 */

/* The most waves: a hundred turns of svd (rank_parts.c) take 195. */
enum { NDFT_RANK_WAVES = 200 };

typedef struct ndft_rank_basis {
    const ndft_rank_range *range;
    bool hanning;
    int terms, waves;
    double *time;  /* [waves] s_i of a cosine; -s_i of a sine */
    double *c;     /* [terms][waves] c_l in waves */
    double *value; /* [terms][points] c_l at the points */
    double *h;     /* [points] weight of the projection, sum 1 */
    double error;  /* largest root mean square over voxels at a time, or over times at an offset */
    double worst;  /* a bound of the largest error at any time and offset */
    double gain;   /* largest sum over terms of |b_l| times the largest |c_l| */
} ndft_rank_basis;

void ndft_rank_basis_release(ndft_rank_basis *basis);

/* The waves at w, [waves]; w less the middle. */
void ndft_rank_basis_waves(const ndft_rank_basis *basis, double w, double *value);

/* c_l(w), [terms]; w less the middle. */
void ndft_rank_basis_c(const ndft_rank_basis *basis, double w, double *c);

/* b_l(s), complex [terms]; s less the middle. */
void ndft_rank_basis_b(const ndft_rank_basis *basis, double s, double *b);

/* Tables of b and of c, whose polynomials are of this degree; fit: their error. Hanning's b needs
 * none. false: no memory. */
bool ndft_rank_basis_tables(const ndft_rank_basis *basis, int degree, double fit,
                            ndft_rank_table *b, ndft_rank_table *c);

/* b_l(s) by its table. */
void ndft_rank_basis_b_at(const ndft_rank_basis *basis, const ndft_rank_table *table, double s,
                          double *b);

/*
 * What terms do at their worst, by their tables, over all offsets and times in use. Between values
 * in use c may be far larger than at them, and then powers cancel.
 */
typedef struct ndft_rank_bound {
    double lost; /* |exp(-i w s) - sum_l b_l c_l| */
    double mean; /* its root mean square over the voxels, at one time */
    double root; /* of sum_l |b_l|^2 C_l^2, C_l what the powers of c_l are without their signs */
    double sum;  /* sum_l |b_l| C_l */
} ndft_rank_bound;

/* degree and fit: of the tables' polynomials, their error. Infinite where there is no memory, or
 * the range has no looks. */
void ndft_rank_bound_of(const ndft_rank_basis *, int degree, double fit, ndft_rank_bound *);

#endif
