/* SPDX-License-Identifier: Apache-2.0 */
#include "finufft.h"

#include <math.h>

/* The worst entry, at a corner of the grid, over the typical one. */
static const double worst_per_typical = 16;

const char *const peer_upsampling_words[] = {"auto", "200", "125", NULL};

double peer_upsampling(int word)
{
    static const double factors[] = {0, 2, 1.25};
    return factors[word];
}

const char *peer_finufft_unfit(const ndft_problem *p)
{
    if (ndft_has_gradients(p)) return "it has no gradients inside a voxel";
    if (p->dw) return "it has no field map, and its sums by segments are not made here";
    if (p->voxel) return "its grids are whole: no mask";
    if (p->layout != NDFT_PLANAR && p->coils > 1) return "its transforms are planar";
    return NULL;
}

/* Points are rounded, and folded into the grid by adding a half. */
static double rounding(const ndft_problem *p, const peer_accuracy *a)
{
    double modes = 0;
    for (int d = 0; d < p->dim; d++) modes += (double)p->n[d] * (double)p->n[d];
    return (p->prec == NDFT_F32 ? 0x1p-24 : 0x1p-53) * (4 + a->per_mode * sqrt(modes));
}

/* Their documentation promises the tolerance that was asked for; below it we go by what was
 * measured (as of release 2.5 "tol is now a better upper bound on relative error"). */
static double factor(const peer_accuracy *a, int steps) { return steps ? a->per_tolerance : 1; }

double peer_tolerance(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    static const double below = 1 - 1e-9; /* so that the claim is not above tol by a rounding */
    const double smallest = p->prec == NDFT_F32 ? 1.2e-7 : 2.3e-16; /* theirs */
    const double tol = p->tol_kind == NDFT_TOL_ANY ? p->tol / worst_per_typical : p->tol;
    const double rest = fmax(tol * tol - rounding(p, a) * rounding(p, a), 0);
    return fmax(below * sqrt(rest) * pow(10, -0.5 * steps), smallest);
}

double peer_typical(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    const double asked = factor(a, steps) * peer_tolerance(p, a, steps);
    return hypot(rounding(p, a), fmax(asked, a->least[p->prec]));
}

double peer_worst(const ndft_problem *p, const peer_accuracy *a, int steps)
{
    return worst_per_typical * peer_typical(p, a, steps);
}
