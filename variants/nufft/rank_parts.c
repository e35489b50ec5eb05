/* SPDX-License-Identifier: Apache-2.0 */
#include "nufft/rank_parts.h"

#include "nufft/rank_search.h"

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

/* As many terms at least. */
static const double most_turns = 100;

/* Times and offsets of the problem lie between those looked at. */
static const double safety = 1.2;

static double roundoff(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p-24 : 0x1p-53; }

/* false: no memory. */
static bool expand(ndft_rank_parts *parts, const ndft_problem *p, ndft_rank_method method,
                   double tol)
{
    ndft_rank_choice *choice = &parts->choice;
    const ndft_quadrature *quadrature = &parts->quadrature;
    const double size = size_of_dephasing(p), rounding = 2 * roundoff(p->prec) + 2e-15;
    ndft_quadrature_make(p, 0.3 * tol * size, &parts->quadrature);
    *choice = (ndft_rank_choice){.terms = 1, .nodes = quadrature->nodes};
    choice->unfit = too_many(quadrature, choice);
    if (choice->unfit) return true;
    ndft_rank_range_make(p, quadrature, &parts->range);
    if (2 * parts->range.w_half * parts->range.t_half > most_turns * pi) {
        choice->unfit = "its field map spreads over more than 100 turns in a readout";
        return true;
    }
    if (parts->range.w_half * parts->range.t_half > 0)
        parts->fit = fmax(tol / 200, roundoff(p->prec));
    const double rest = ((tol - rounding) * size - quadrature->error) / quadrature->gain;
    if (!ndft_rank_search(&parts->range, method, (rest - 3 * parts->fit) / safety, &parts->basis))
        return false;
    choice->terms = parts->basis.terms;
    choice->error = rounding + (quadrature->error +
                                quadrature->gain * (safety * parts->basis.error + 3 * parts->fit)) /
                                   size;
    choice->unfit = too_many(quadrature, choice);
    return true;
}

ndft_rank_parts *ndft_rank_parts_make(const ndft_problem *p, ndft_rank_method method, double tol)
{
    ndft_rank_parts *parts = calloc(1, sizeof *parts);
    if (!parts) return NULL;
    parts->plain = !ndft_has_gradients(p) && (!p->dw || p->t_max == 0 || p->dw_max == 0);
    if (parts->plain)
        parts->choice = (ndft_rank_choice){.terms = 1, .nodes = 1};
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
