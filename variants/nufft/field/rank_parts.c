/* SPDX-License-Identifier: Apache-2.0 */
#include "rank_basis.h"

#include "base/memo.h"

#include <math.h>
#include <stdlib.h>

static const char *too_many(const ndft_quadrature *quadrature, const ndft_rank_choice *choice)
{
    if (quadrature->nodes == 0)
        return "its gradients turn too far inside a voxel for quadrature by plain transforms";
    if (choice->terms * choice->nodes > NDFT_RANK_COLUMNS)
        return "its field map, decay and gradients take more than 512 plain transforms a coil";
    return NULL;
}

/* Times and offsets of the problem lie between those looked at. */
static const double safety = 1.2;

int ndft_rank_c_degree(ndft_prec prec) { return prec == NDFT_F32 ? 5 : NDFT_TABLE_DEGREE; }

/* What the basis may lose of the kind that is asked for. */
static double rest_of(const ndft_rank_parts *parts, const ndft_problem *p, double tol,
                      double rounding)
{
    const ndft_quadrature *quadrature = &parts->quadrature;
    if (p->tol_kind == NDFT_TOL_ANY)
        return (tol - quadrature->worst) / quadrature->gain - 3 * parts->fit;
    const double rest = (tol - rounding - quadrature->error) / quadrature->gain;
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
 * with values one is of a real number, the others take sqrt 5 (window.h). Each column is a sum. The
 * angles of b and of the phase, |w t| at most, are rounded in double.
 */
static double units_of(const ndft_rank_parts *parts, const ndft_problem *p)
{
    const ndft_rank_range *range = &parts->range;
    const double phase = range->w_half * range->t_half;
    const double e =
        fmin(phase, ndft_rank_table_half_width(ndft_rank_c_degree(p->prec), parts->fit));
    const double products = ndft_has_gradients(p) ? 4 : 3, tables = products;
    return (1 + 2 * e) * exp(e) + e + tables + 1 + (products - 1) * sqrt(5) +
           parts->choice.terms * parts->choice.nodes +
           2 * angle_of(parts, p) * ndft_roundoff(NDFT_F64) / ndft_roundoff(p->prec);
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

/* The same for every tol, but for the nodes. */
static void find_range(const ndft_problem *p, const ndft_quadrature *quadrature,
                       ndft_rank_range *range)
{
    const ndft_quadrature_axis *axis = quadrature->axis;
    const ndft_question question = {"range",
                                    {(double)axis[0].n, (double)axis[1].n, (double)axis[2].n}};
    if (ndft_memo_recall(p, question, range, sizeof *range)) return;
    ndft_rank_range_make(p, quadrature, range);
    ndft_memo_remember(p, question, range, sizeof *range);
}

/* What rounding in double makes of angles, and that of the problem's precision of weights. */
static double rounding_of(const ndft_rank_parts *parts, const ndft_problem *p)
{
    return 2 * ndft_roundoff(p->prec) + 2e-15 + angle_of(parts, p) * ndft_roundoff(NDFT_F64);
}

static void find_rates(const ndft_problem *p, ndft_decay_range *r)
{
    r->rate_low = r->rate_high = ndft_real_at(p->decay, p->prec, 0);
    for (int64_t v = 1; v < p->n_voxels; v++) {
        const double rate = ndft_real_at(p->decay, p->prec, v);
        r->rate_low = rate < r->rate_low ? rate : r->rate_low;
        r->rate_high = rate > r->rate_high ? rate : r->rate_high;
    }
}

/*
 * Terms of decay and field together: each is a column for every node, of weights that are tabled
 * as they are. Two tables are rounded once each; of their products with values two are of complex
 * numbers. What terms leave anywhere bounds their root mean square, too.
 */
static bool expand_decay(ndft_rank_parts *parts, const ndft_problem *p, ndft_rank_method method,
                         double tol)
{
    static const double allowed = 3;
    const ndft_quadrature *quadrature = &parts->quadrature;
    const double eps = ndft_roundoff(p->prec), rounding = rounding_of(parts, p);
    const double other =
        p->tol_kind == NDFT_TOL_ANY ? quadrature->worst : rounding + quadrature->error;
    ndft_rank_choice *choice = &parts->choice;
    ndft_decay_terms *t = &parts->decay;
    ndft_decay_range range = {
        .t_mid = parts->range.t_mid, .t_half = parts->range.t_half, .w_half = parts->range.w_half};
    if (method != NDFT_RANK_SVD) {
        choice->unsupported = "with decay field=svd alone finds its terms";
        return true;
    }
    find_rates(p, &range);
    if (!ndft_decay_search(&range, (tol - other) / quadrature->gain, t)) return false;
    choice->unsupported = t->out_of_reach;
    if (choice->unsupported) return true;
    choice->nodes = quadrature->nodes * t->terms;
    choice->error = rounding + quadrature->error +
                    quadrature->gain * (t->worst + eps * fmax(0, t->root - allowed));
    choice->worst = quadrature->worst + quadrature->gain * t->worst;
    choice->gain = quadrature->gain * t->gain;
    choice->units =
        3 + 2 * sqrt(5) + choice->nodes + 2 * angle_of(parts, p) * ndft_roundoff(NDFT_F64) / eps;
    choice->unsupported = too_many(quadrature, choice);
    return true;
}

/* The same of a phase of higher order with field and decay, all of which the sum has: what is left
 * over was looked at. Angles are rounded in double. */
static bool expand_higher(ndft_rank_parts *parts, const ndft_problem *p, ndft_rank_method method,
                          double tol)
{
    static const double allowed = 3;
    const double eps = ndft_roundoff(p->prec), angle = p->higher.most + p->dw_max * p->t_max;
    const bool any = p->tol_kind == NDFT_TOL_ANY;
    const double angles = 2e-15 + 4 * angle * ndft_roundoff(NDFT_F64);
    const double rounding = any ? angles : angles + 2 * eps;
    ndft_rank_choice *choice = &parts->choice;
    ndft_higher_sum *sum = &parts->higher;
    choice->unsupported =
        ndft_has_gradients(p)     ? "with gradient maps it has no phase of higher order"
        : method != NDFT_RANK_SVD ? "with a phase of higher order field=svd alone finds its terms"
                                  : NULL;
    if (choice->unsupported) return true;
    if (!ndft_higher_search(p, tol - rounding, sum)) return false;
    choice->nodes = sum->terms;
    choice->error = angles + 2 * eps + sum->error + eps * fmax(0, sum->root - allowed);
    choice->worst = angles + sum->worst;
    choice->gain = sum->gain;
    choice->units = 3 + 2 * sqrt(5) + sum->terms;
    if (!sum->found)
        choice->unsupported =
            any && !sum->all ? "its phase of higher order has more pairs than it looks at, so that "
                               "it promises nothing of any data"
                             : "its phase of higher order takes more than 256 terms, each a plain "
                               "transform a coil, or none were found within tol";
    return true;
}

/* false: no memory. */
static bool expand(ndft_rank_parts *parts, const ndft_problem *p, ndft_rank_method method,
                   double tol)
{
    ndft_rank_choice *choice = &parts->choice;
    const ndft_quadrature *quadrature = &parts->quadrature;
    *choice = (ndft_rank_choice){.terms = 1, .nodes = 1, .gain = 1};
    if (ndft_is_higher(p)) return expand_higher(parts, p, method, tol);
    ndft_quadrature_make(p, 0.3 * tol, &parts->quadrature);
    choice->nodes = quadrature->nodes;
    choice->unsupported = too_many(quadrature, choice);
    if (choice->unsupported) return true;
    find_range(p, quadrature, &parts->range);
    if (!parts->range.n) {
        choice->unsupported = "its field map spreads over more than 100 turns in a readout";
        return true;
    }
    if (ndft_decays(p)) return expand_decay(parts, p, method, tol);
    if (parts->range.w_half * parts->range.t_half > 0)
        parts->fit = fmax(tol / 200, ndft_roundoff(p->prec));
    const double rounding = rounding_of(parts, p);
    const double rest = rest_of(parts, p, tol, rounding);
    const ndft_rank_wish wish = {p->tol_kind, rest, ndft_rank_c_degree(p->prec), parts->fit,
                                 ndft_roundoff(p->prec)};
    if (!ndft_rank_search(&parts->range, method, &wish, &parts->basis)) return false;
    choice->terms = parts->basis.terms;
    choice->error = rounding + quadrature->error +
                    quadrature->gain * (safety * parts->basis.error + 3 * parts->fit);
    bound(parts, p);
    choice->unsupported = too_many(quadrature, choice);
    return true;
}

static ndft_rank_parts *make(const ndft_problem *p, ndft_rank_method method, double tol)
{
    ndft_rank_parts *parts = calloc(1, sizeof *parts);
    if (!parts) return NULL;
    parts->plain = !ndft_has_gradients(p) && !ndft_rank_is_tabled(p) &&
                   (!p->dw || p->t_max == 0 || p->dw_max == 0);
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
    ndft_decay_release(&parts->decay);
    ndft_higher_release(&parts->higher);
    free(parts);
}

static void release_kept(void *parts) { ndft_rank_parts_release(parts); }

ndft_problem ndft_rank_clock_and_maps(const ndft_problem *p)
{
    ndft_problem seen = *p;
    seen.layout = NDFT_PLANAR;
    seen.coils = 1;
    seen.tol = seen.phi_max = seen.b_rms = 0;
    seen.voxel = NULL;
    seen.structure = (ndft_structure){0};
    for (int d = 0; d < 3; d++) {
        seen.k[d] = NULL;
        if (!ndft_has_gradients(p)) seen.k_max[d] = 0;
    }
    return seen;
}

const ndft_rank_parts *ndft_rank_parts_of(const ndft_problem *p, ndft_rank_method method,
                                          double tol, ndft_rank_parts **own)
{
    /* A search that serves many tolerances, by half powers of 2. */
    if (ndft_is_higher(p)) tol = exp2(floor(2 * log2(tol)) / 2);
    const ndft_problem seen = ndft_rank_clock_and_maps(p);
    const ndft_question question = {"rank", {method, tol}};
    ndft_rank_parts *parts = ndft_memo_kept(&seen, question);
    *own = NULL;
    if (parts) return parts;
    parts = make(&seen, method, tol);
    if (parts && !ndft_memo_keep(&seen, question, parts, release_kept)) *own = parts;
    return parts;
}
