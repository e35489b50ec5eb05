/* SPDX-License-Identifier: Apache-2.0 */
#include "coil_maps.h"

#include <math.h>

/* White images see errors of voxels by what the coils see of these, and coil by coil the errors are
 * unrelated; of any data the largest map is the unit of errors, as it is of what is true. */

double ndft_unevenness(const ndft_problem *p) { return sqrt(p->power_max / p->power_mean); }

double ndft_most_of_maps(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p40 : 0x1p400; }

bool ndft_maps_in_range(const ndft_problem *p)
{
    const double most = ndft_most_of_maps(p->prec);
    return isfinite(p->power_mean) && p->maps_max <= most && p->power_mean >= pow(most, -2);
}

/* In eps. A product of complex numbers rounds each of its components twice. A sum over coils rounds
 * twice a coil what it has grown to, and is a chain of them. */
static double products(const ndft_problem *p, ndft_op op, ndft_tol_kind of)
{
    if (op == NDFT_FORWARD) return of == NDFT_TOL_ANY ? sqrt(5) : 1;
    return of == NDFT_TOL_ANY ? M_SQRT2 + 2 * M_SQRT2 * p->coils : sqrt(p->coils);
}

static double amplified(const ndft_problem *p, ndft_tol_kind of)
{
    return of == NDFT_TOL_ANY ? 1 : ndft_unevenness(p);
}

double ndft_error_with_maps(const ndft_problem *p, ndft_op op, ndft_tol_kind of, double bare)
{
    return amplified(p, of) * bare + ndft_roundoff(p->prec) * products(p, op, of);
}

/* Where nothing is left the claim will say so: engines ask for a tolerance above 0. */
static double tol_left(const ndft_problem *p)
{
    static const double least_left = 0x1p-10;
    const double both =
        products(p, NDFT_FORWARD, p->tol_kind) + products(p, NDFT_ADJOINT, p->tol_kind);
    const double left = p->tol - ndft_roundoff(p->prec) * both;
    return fmax(left, least_left * p->tol) / amplified(p, p->tol_kind);
}

const ndft_problem *ndft_problem_without_maps(const ndft_problem *p, ndft_problem *bare)
{
    if (!p->maps) return p;
    *bare = *p;
    bare->tol = tol_left(p);
    bare->maps = NULL;
    bare->power_max = bare->power_mean = 0;
    return bare;
}

double ndft_tol_of_some_coils(const ndft_problem *some, const ndft_problem *all)
{
    const double both =
        products(some, NDFT_FORWARD, some->tol_kind) + products(some, NDFT_ADJOINT, some->tol_kind);
    return tol_left(all) * amplified(some, some->tol_kind) + ndft_roundoff(some->prec) * both;
}

/* The image goes through memory and, around an engine, maps and images of all coils once more; who
 * takes maps reads these instead of images. */
static ndft_cost of_one_way(const ndft_problem *p, bool around)
{
    const double voxels = (double)p->n_voxels, products = voxels * p->coils;
    const double through = voxels + (around ? 2 * products : 0);
    return (ndft_cost){.fma = 4 * products,
                       .issue_slots = 8 * products,
                       .dram_bytes = through * 2 * (double)ndft_real_size(p->prec),
                       .launches = around};
}

ndft_cost ndft_cost_of_maps(const ndft_variant *v, const ndft_problem *p, ndft_op op)
{
    ndft_cost cost = of_one_way(p, ndft_has_maps_around(v, p));
    if (op != NDFT_NORMAL) return cost;
    cost.fma *= 2;
    cost.issue_slots *= 2;
    cost.dram_bytes *= 2;
    cost.launches *= 2;
    return cost;
}
