/* SPDX-License-Identifier: Apache-2.0 */
#include "finufft.h"

#include "nufft/field/rank.h"
#include "nufft/shape.h"

#include <math.h>

/* The worst entry, at a corner of the grid, over the typical one. */
static const double worst_per_typical = 16;

/* Roundings of a transform that the next column's know nothing of. */
static const double unrelated = 4;

const char *const peer_upsampling_words[] = {"auto", "200", "125", NULL};

double peer_upsampling(int word)
{
    static const double factors[] = {0, 2, 1.25};
    return factors[word];
}

static bool has_field(const ndft_problem *p) { return p->dw && p->dw_max > 0 && p->t_max > 0; }

/* Points are rounded, and folded into the grid by adding a half: the same for every column. */
static double rounding(const ndft_problem *p, const peer_accuracy *a)
{
    double modes = 0;
    for (int d = 0; d < p->dim; d++) modes += (double)p->n[d] * (double)p->n[d];
    return ndft_roundoff(p->prec) * (unrelated + a->per_mode * sqrt(modes));
}

/* Their documentation promises the tolerance that was asked for; below it we go by what was
 * measured (as of release 2.5 "tol is now a better upper bound on relative error"). */
static double factor(const peer_accuracy *a, int steps) { return steps ? a->per_tolerance : 1; }

/* The tolerance to ask for where transforms may err by `left`, typically. */
static double tolerance_within(const ndft_problem *p, const peer_accuracy *a, int steps,
                               double left)
{
    static const double below = 1 - 1e-9; /* so that the claim is not above tol by a rounding */
    const double smallest = p->prec == NDFT_F32 ? 1.2e-7 : 2.3e-16; /* theirs */
    const double rest = fmax(left * left - rounding(p, a) * rounding(p, a), 0);
    return fmax(below * sqrt(rest) * pow(10, -0.5 * steps), smallest);
}

/* The typical error of transforms that are asked for a tolerance. */
static double typical_of(const ndft_problem *p, const peer_accuracy *a, int steps, double asked)
{
    const double least = steps ? a->least[p->prec] : 0;
    return hypot(rounding(p, a), fmax(factor(a, steps) * asked, least));
}

/* Roundings of weights and columns, which no bound of one transform holds. */
static double weighing(const ndft_problem *p, const ndft_rank_choice *field)
{
    const double units = field->units + worst_per_typical * unrelated;
    return ndft_roundoff(p->prec) * field->gain * units;
}

/* What transforms may err by, typically, for their worst entry to be within tol. A claim for any
 * data counts sums of all terms beside it (ndft_claim_any). */
static double typical_within(const ndft_problem *p, double tol)
{
    const double terms = fmax((double)p->n_voxels, (double)p->n_samples);
    return fmax(tol - 2 * sqrt(2) * ndft_roundoff(p->prec) * terms, 0) / worst_per_typical;
}

/* What a field map's terms and the transforms are asked for, and the terms that come of it. */
typedef struct split {
    double transform, field;
    ndft_rank_choice choice;
} split;

static ndft_rank_choice terms_of(const ndft_problem *p, double tol)
{
    return ndft_rank_choose(p, NDFT_RANK_SVD, tol);
}

static split split_typical(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const double share = ndft_nufft_field_share;
    split s = {.transform = tolerance_within(p, a, steps, sqrt(1 - share * share) * p->tol)};
    const double taken = typical_of(p, a, steps, s.transform);
    const double left = sqrt(fmax(p->tol * p->tol - taken * taken, 0));
    s.field = fmax(left, share * p->tol) / ndft_nufft_chance(p);
    s.choice = terms_of(p, s.field);
    if (steps) return s;
    const double lost = ndft_nufft_chance(p) * s.choice.error;
    s.transform = tolerance_within(p, a, steps, sqrt(fmax(p->tol * p->tol - lost * lost, 0)));
    return s;
}

static split split_any(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    split s = {.field = ndft_nufft_field_share * p->tol};
    s.choice = terms_of(p, s.field);
    const double left = p->tol - s.choice.worst - weighing(p, &s.choice);
    s.transform = tolerance_within(p, a, steps, typical_within(p, left) / (1 + s.choice.worst));
    return s;
}

static split split_of(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const bool any = p->tol_kind == NDFT_TOL_ANY;
    if (has_field(p)) return any ? split_any(p, a, steps) : split_typical(p, a, steps);
    const double left = any ? typical_within(p, p->tol) : p->tol;
    return (split){.transform = tolerance_within(p, a, steps, left), .field = p->tol};
}

const char *peer_finufft_unsupported(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    if (ndft_has_gradients(p)) return "it has no gradients inside a voxel";
    if (p->voxel) return "its grids are whole: no mask";
    if (p->layout != NDFT_PLANAR && p->coils > 1) return "its transforms are planar";
    return split_of(p, a, steps).choice.unsupported;
}

peer_tolerance peer_tolerance_of(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const split s = split_of(p, a, steps);
    return (peer_tolerance){.transform = s.transform, .field = s.field, .terms = s.choice.terms};
}

double peer_typical(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const split s = split_of(p, a, steps);
    return hypot(typical_of(p, a, steps, s.transform), ndft_nufft_chance(p) * s.choice.error);
}

double peer_worst(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const split s = split_of(p, a, steps);
    const double entry = worst_per_typical * typical_of(p, a, steps, s.transform);
    if (!has_field(p)) return entry;
    return entry * (1 + s.choice.worst) + s.choice.worst + weighing(p, &s.choice);
}
