/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_RANK_BASIS_H
#define NDFT_NUFFT_RANK_BASIS_H

#include "base/problem.h"
#include "core/inline.h"
#include "rank.h"
#include "rank_decay.h"
#include "rank_higher.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* The fewest nodes whose error, of the problem's tol_kind, is at most tol; one, exact, without
 * gradient maps. */
void ndft_quadrature_make(const ndft_problem *p, double tol, ndft_quadrature *quadrature);

/* Position of node q in the voxel. */
static inline void ndft_quadrature_node(const ndft_quadrature *quadrature, int q, double u[3])
{
    for (int d = 0; d < 3; d++) {
        u[d] = quadrature->axis[d].u[q % quadrature->axis[d].n];
        q /= quadrature->axis[d].n;
    }
}

/* Weights of sample j, complex [nodes]. */
void ndft_quadrature_weights(const ndft_quadrature *quadrature, const ndft_problem *p, int64_t j,
                             double *weight);

/*
 * Functions of bounded bandwidth on [-half, half] as polynomials on equal intervals, by
 * interpolation at Chebyshev points: with interval half-width e in radians the error is at most
 * 2 e^(degree + 1) / (2^degree (degree + 1)!).
 */

enum { NDFT_TABLE_DEGREE = 11 }; /* the largest */

typedef struct ndft_rank_table {
    int intervals, degree, width; /* width: functions side by side */
    double half;
    double *a; /* [intervals][degree + 1][width], highest power first, of position in [-1, 1] */
} ndft_rank_table;

typedef void ndft_rank_function(const void *context, double x, double *value);

/* The half-width e, in radians, of the intervals that _make takes at most. */
double ndft_rank_table_half_width(int degree, double tol);

/* phase: bandwidth times half, in radians. false: no memory. */
bool ndft_rank_table_make(ndft_rank_function *f, const void *context, int width, double half,
                          double phase, int degree, double tol, ndft_rank_table *table);

/* Of so many intervals that of x, and the position in it. */
NDFT_INLINE int ndft_rank_interval(double half, int intervals, double x, double *position)
{
    const double turns = half > 0 ? (x / half + 1) / 2 * intervals : 0;
    const int interval = (int)fmin(fmax(turns, 0.0), intervals - 1.0);
    *position = half > 0 ? 2 * (turns - interval) - 1 : 0;
    return interval;
}

/* All functions at x; what their powers add up to without signs, of which they are rounded. */
void ndft_rank_table_at(const ndft_rank_table *table, double x, double *value);
void ndft_rank_table_size(const ndft_rank_table *table, double x, double *size);

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

/* Of no points, and nothing but middles and half-widths, where it spreads over more than 100 turns:
 * what follows takes time in proportion. */
void ndft_rank_range_make(const ndft_problem *p, const ndft_quadrature *quadrature,
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

/* What is wanted, and the tables to come: polynomials of c, the errors of fitting and rounding. */
typedef struct ndft_rank_wish {
    ndft_tol_kind kind;
    double tol;
    int degree;
    double fit, rounding;
} ndft_rank_wish;

/* The fewest terms whose error of the kind is at most tol, or as good as it gets; free them with
 * ndft_rank_basis_release. false: no memory. */
bool ndft_rank_search(const ndft_rank_range *range, ndft_rank_method method,
                      const ndft_rank_wish *wish, ndft_rank_basis *basis);

/* How a problem's field map is expanded: the choice, and the functions that its tables hold. */

typedef struct ndft_rank_parts {
    ndft_rank_choice choice;
    bool plain; /* nothing to expand */
    double fit; /* error of tables */
    ndft_quadrature quadrature;
    ndft_rank_range range;
    ndft_rank_basis basis;
    ndft_decay_terms decay; /* in place of the basis, where there is some */
    ndft_higher_sum higher; /* in place of both */
} ndft_rank_parts;

/* They are found once of a problem that remembers; else own has what is to be released. NULL: there
 * is no memory. */
const ndft_rank_parts *ndft_rank_parts_of(const ndft_problem *p, ndft_rank_method method,
                                          double tol, ndft_rank_parts **own);
void ndft_rank_parts_release(ndft_rank_parts *parts);

/* Of the polynomials of c. */
int ndft_rank_c_degree(ndft_prec prec);

/* The problem as its expansion depends on it: on clock and maps, and with gradients on how far
 * samples reach. What is remembered of it holds where the rest is another. */
ndft_problem ndft_rank_clock_and_maps(const ndft_problem *p);

/* What a rank's arrays are filled from; found once of a problem that remembers. */
typedef struct ndft_rank_tables {
    const ndft_rank_parts *parts;
    ndft_rank_parts *own; /* the same, where no memo keeps them */
    bool kept;            /* by a memo, which releases them */
    uint64_t number;      /* no others have it */
    ndft_rank_table b, c; /* b without values where it is of Hanning windows */
    int64_t rows;
    double *time; /* [rows] distinct times, ascending */
} ndft_rank_tables;

/* As ndft_rank_make, without what a device makes of the tables itself: row, place and, where it has
 * a table, b are NULL, and so is time of a plain one. With decay nothing is left out. */
ndft_status ndft_rank_make_rest(const ndft_problem *p, ndft_rank_method method, double tol,
                                ndft_error *error, ndft_rank *rank,
                                const ndft_rank_tables **tables);

void ndft_rank_tables_release(const ndft_rank_tables *);

/* Whether weights are tabled as they are: with decay, or a phase of higher order. */
static inline bool ndft_rank_is_tabled(const ndft_problem *p)
{
    return ndft_decays(p) || ndft_is_higher(p);
}

/* The arrays of a rank with decay, or with a phase of higher order, which has room for them. false:
 * no memory. */
bool ndft_rank_fill_decay(const ndft_problem *, const ndft_rank_tables *, ndft_rank *);
bool ndft_rank_fill_higher(const ndft_problem *, const ndft_rank_tables *, ndft_rank *);

/* The number of each sample's time among those of the tables, [n_samples]. */
void ndft_rank_fill_rows(const ndft_problem *, const ndft_rank_tables *, int32_t *row);

#ifdef __cplusplus
}
#endif

#endif
