/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_parts.h"

#include "rank_search.h"
#include "rank_table.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* Samples and voxels between which the mean dephasing is looked at. */
enum { PROBES = 64 };

static double sinc(double x) { return x == 0 ? 1 : sin(pi * x) / (pi * x); }

static double dephasing(const ndft_problem *p, int64_t j, int64_t v)
{
    double product = 1;
    for (int d = 0; d < p->dim; d++)
        product *= sinc(ndft_real_at(p->k[d], p->prec, j) / (double)p->n[d] +
                        ndft_real_at(p->g[d], p->prec, v) * ndft_real_at(p->t, p->prec, j));
    return product;
}

/* Root mean square of B_jk, what errors are relative to; 1 without gradients. */
static double size_of_dephasing(const ndft_problem *p)
{
    if (!ndft_has_gradients(p)) return 1;
    double sum = 0;
    for (int i = 0; i < PROBES; i++)
        for (int k = 0; k < PROBES; k++) {
            const double b = dephasing(p, i * p->n_samples / PROBES, k * p->n_voxels / PROBES);
            sum += b * b / (PROBES * PROBES);
        }
    return sqrt(sum);
}

static const char *too_many(const ndft_quadrature *quadrature, const ndft_rank_choice *choice)
{
    if (quadrature->nodes == 0)
        return "its gradients turn too far inside a voxel for quadrature by plain transforms";
    if (choice->terms * choice->nodes > NDFT_RANK_COLUMNS)
        return "its field map and gradients take more than 512 plain transforms a coil";
    return NULL;
}

/* Times and offsets of the problem lie between those looked at. */
static const double safety = 1.2;

static double roundoff(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p-24 : 0x1p-53; }

int ndft_rank_c_degree(ndft_prec prec) { return prec == NDFT_F32 ? 5 : NDFT_TABLE_DEGREE; }

/* What the basis may lose of the kind that is asked for. */
static double rest_of(const ndft_rank_parts *parts, const ndft_problem *p, double tol, double size,
                      double rounding)
{
    const ndft_quadrature *quadrature = &parts->quadrature;
    if (p->tol_kind == NDFT_TOL_ANY)
        return (tol - quadrature->worst) / quadrature->gain - 3 * parts->fit;
    const double rest = ((tol - rounding) * size - quadrature->error) / quadrature->gain;
    return (rest - 3 * parts->fit) / safety;
}

/* The largest of the phases w t that tables are made of. */
static double angle_of(const ndft_rank_parts *parts, const ndft_problem *p)
{
    return (fabs(parts->range.w_mid) + parts->range.w_half) * p->t_max;
}

/*
 * Roundings on the way through a column. c is a polynomial in the place x within an interval of
 * half-width e, in radians; of a function of that bandwidth the coefficient of x^q is at most
 * e^q/q! (Bernstein), and it is rounded 2 q + 1 times by Horner's rule: (1 + 2 e) exp(e), and e for
 * x. Each of the tables of b, phase and quadrature is rounded once; of their products and those
 * with values one is of a real number, the others take sqrt 5 (worst.h). Each column is a sum. The
 * angles of b and of the phase, |w t| at most, are rounded in double.
 */
static double units_of(const ndft_rank_parts *parts, const ndft_problem *p)
{
    const ndft_rank_range *range = &parts->range;
    const double phase = range->w_half * range->t_half;
    const double e = fmin(phase, ndft_rank_table_reach(ndft_rank_c_degree(p->prec), parts->fit));
    const double products = ndft_has_gradients(p) ? 4 : 3, tables = products;
    return (1 + 2 * e) * exp(e) + e + tables + 1 + (products - 1) * sqrt(5) +
           parts->choice.terms * parts->choice.nodes +
           2 * angle_of(parts, p) * roundoff(NDFT_F64) / roundoff(p->prec);
}

/* Whatever the data. */
static void bound(ndft_rank_parts *parts, const ndft_problem *p)
{
    ndft_rank_choice *choice = &parts->choice;
    const double gain = parts->quadrature.gain;
    choice->worst = parts->quadrature.worst + gain * (parts->basis.worst + 3 * parts->fit);
    choice->gain = gain * parts->basis.gain;
    choice->units = units_of(parts, p);
}

/* false: no memory. */
static bool expand(ndft_rank_parts *parts, const ndft_problem *p, ndft_rank_method method,
                   double tol)
{
    ndft_rank_choice *choice = &parts->choice;
    const ndft_quadrature *quadrature = &parts->quadrature;
    const double size = size_of_dephasing(p);
    const bool any = p->tol_kind == NDFT_TOL_ANY;
    ndft_quadrature_make(p, 0.3 * tol * (any ? 1 : size), &parts->quadrature);
    *choice = (ndft_rank_choice){.terms = 1, .nodes = quadrature->nodes, .gain = 1};
    choice->unsupported = too_many(quadrature, choice);
    if (choice->unsupported) return true;
    if (!ndft_rank_range_make(p, quadrature, &parts->range)) {
        choice->unsupported = "its field map spreads over more than 100 turns in a readout";
        return true;
    }
    if (parts->range.w_half * parts->range.t_half > 0)
        parts->fit = fmax(tol / 200, roundoff(p->prec));
    const double rounding = 2 * roundoff(p->prec) + 2e-15 + angle_of(parts, p) * roundoff(NDFT_F64);
    const double rest = rest_of(parts, p, tol, size, rounding);
    const ndft_rank_wish wish = {p->tol_kind, rest, ndft_rank_c_degree(p->prec), parts->fit,
                                 roundoff(p->prec)};
    if (!ndft_rank_search(&parts->range, method, &wish, &parts->basis)) return false;
    choice->terms = parts->basis.terms;
    choice->error = rounding + (quadrature->error +
                                quadrature->gain * (safety * parts->basis.error + 3 * parts->fit)) /
                                   size;
    bound(parts, p);
    choice->unsupported = too_many(quadrature, choice);
    return true;
}

ndft_rank_parts *ndft_rank_parts_make(const ndft_problem *p, ndft_rank_method method, double tol)
{
    ndft_rank_parts *parts = calloc(1, sizeof *parts);
    if (!parts) return NULL;
    parts->plain = !ndft_has_gradients(p) && (!p->dw || p->t_max == 0 || p->dw_max == 0);
    if (parts->plain)
        parts->choice = (ndft_rank_choice){.terms = 1, .nodes = 1, .gain = 1};
    else if (!expand(parts, p, method, tol)) {
        free(parts);
        return NULL;
    }
    return parts;
}

void ndft_rank_parts_release(ndft_rank_parts *parts)
{
    ndft_rank_basis_release(&parts->basis);
    free(parts);
}
