/* SPDX-License-Identifier: Apache-2.0 */
#include "served.h"

#include "coils/coil_maps.h"
#include "cost.h"
#include "registry.h"
#include "traits.h"

#include <math.h>

static const unsigned both_ways = NDFT_FORWARD | NDFT_ADJOINT;

bool ndft_composes(const ndft_variant *v, const int *knobs)
{
    const unsigned ops = ndft_traits_of(v, knobs).ops;
    return (ops & both_ways) == both_ways && !(ops & NDFT_NORMAL);
}

unsigned ndft_served_ops(const ndft_variant *v, const int *knobs)
{
    return ndft_traits_of(v, knobs).ops | (ndft_composes(v, knobs) ? NDFT_NORMAL : 0);
}

const ndft_problem *ndft_problem_of_parts(const ndft_variant *v, const int *knobs,
                                          const ndft_problem *p, unsigned ops, ndft_problem *half)
{
    if (!(ops & NDFT_NORMAL) || !ndft_composes(v, knobs)) return p;
    *half = *p;
    half->tol /= 2;
    return half;
}

const ndft_problem *ndft_problem_of_engine(const ndft_variant *v, const int *knobs,
                                           const ndft_problem *p, unsigned ops, ndft_problem *own)
{
    return ndft_problem_without_maps(ndft_problem_of_parts(v, knobs, p, ops, own), own);
}

/* Where whole turns of the phase would outgrow the integers that count them, and the arguments of
 * sinc the polynomials that reduce them. */
static const double most_cycles = 0x1p31, most_dephasing = 0x1p19;

/* Of what decay leaves, so that products with it stay far above the least normal number. */
static double least_left(ndft_prec prec) { return prec == NDFT_F32 ? 0x1p-90 : 0x1p-900; }

static const char *numbers_unsupported(const ndft_problem *p)
{
    bool finite = isfinite(p->t_max) && isfinite(p->dw_max) && isfinite(p->decay_max) &&
                  isfinite(p->higher.most);
    bool near = true, close = true, narrow = true;
    for (int d = 0; d < 3; d++) {
        finite = finite && isfinite(p->k_max[d]) && isfinite(p->g_max[d]) && isfinite(p->x_max[d]);
        near = near && p->k_max[d] < most_cycles;
        close = close && p->k_max[d] * p->x_max[d] < most_cycles * fmax(1, (double)p->n[d]);
        narrow =
            narrow && (!ndft_has_gradients(p) ||
                       p->k_max[d] / (double)p->n[d] + p->g_max[d] * p->t_max < most_dephasing);
    }
    if (!finite) return "its trajectory, times or maps are not all finite";
    if (!near) return "its trajectory reaches 2^31 cycles/FOV or more";
    if (!close) return "its voxels lie 2^31 turns or more of its trajectory from the centre";
    if (p->higher.most >= 2 * M_PI * most_cycles)
        return "its phase of higher order reaches 2^31 turns or more";
    if (!narrow) return "its gradients dephase a voxel by 2^19 turns or more";
    if (p->maps && !ndft_maps_in_range(p))
        return p->prec == NDFT_F32 ? "its coil maps are not between 2^-40 and 2^40"
                                   : "its coil maps are not between 2^-400 and 2^400";
    if (!p->decay || p->b_rms >= least_left(p->prec)) return NULL;
    return p->prec == NDFT_F32 ? "its decay leaves less than 2^-90 of the signal"
                               : "its decay leaves less than 2^-900 of the signal";
}

const char *ndft_plan_unsupported(const ndft_variant *v, const int *knobs, const ndft_problem *p,
                                  unsigned ops, const ndft_device *device)
{
    ndft_problem own;
    if (ops & ~ndft_served_ops(v, knobs)) return "it does not serve this operation";
    const char *why = numbers_unsupported(p);
    if (!why && ndft_is_off_grid(p) && !v->off_grid) why = "it takes no voxels off the grid";
    if (!why) why = ndft_library_missing(v);
    if (!why && v->unsupported)
        why = v->unsupported(ndft_problem_of_engine(v, knobs, p, ops, &own), device, knobs);
    if (!why && p->decay && !v->decays) why = "it has no decay (R2*)";
    if (!why && p->higher.terms && !v->higher) why = "it has no phase of higher order";
    return why;
}

typedef ndft_cost cost_function(const ndft_problem *, ndft_op, const int *knobs);

/* Vectors are counted where they are read and written, the samples in between too. */
static ndft_cost cost_of_engine(const ndft_variant *v, cost_function *cost, const ndft_problem *own,
                                ndft_op op, const int *knobs)
{
    if (op != NDFT_NORMAL || !ndft_composes(v, knobs)) return cost(own, op, knobs);
    const ndft_cost forward = cost(own, NDFT_FORWARD, knobs);
    const ndft_cost adjoint = cost(own, NDFT_ADJOINT, knobs);
    return ndft_cost_sum(&forward, &adjoint);
}

static ndft_cost with_maps(const ndft_variant *v, cost_function *cost, const ndft_problem *p,
                           ndft_op op, const int *knobs)
{
    ndft_problem own;
    const ndft_cost engine =
        cost_of_engine(v, cost, ndft_problem_of_engine(v, knobs, p, op, &own), op, knobs);
    if (!p->maps) return engine;
    const ndft_cost maps = ndft_cost_of_maps(v, p, op);
    return ndft_cost_sum(&engine, &maps);
}

ndft_cost ndft_executed_cost(const ndft_variant *v, const ndft_problem *p, ndft_op op,
                             const int *knobs)
{
    return with_maps(v, v->cost, p, op, knobs);
}

ndft_cost ndft_weighed_cost(const ndft_variant *v, const ndft_problem *p, ndft_op op,
                            const int *knobs)
{
    return with_maps(v, v->weighed ? v->weighed : v->cost, p, op, knobs);
}
