/* SPDX-License-Identifier: Apache-2.0 */
#include "product_choice.h"

#include "base/bounds.h"

#include <math.h>

/*
 * Both operands lose 2^-17 by being two parts of bf16: 2^8 units in both components, and a typical
 * product's root mean square less than half of 2^-17. A step of the tensor cores is cut off by as
 * much as those of ndft_nufft_any_by_tf32.
 */
static const double pairs_lose = 0x1p8 * M_SQRT2 + 1, pairs_typically = 0x1p7;

static double steps_of(const ndft_problem *p, const int *knobs)
{
    int64_t grid[3];
    const int width = ndft_nufft_width_and_grid(p, knobs, grid);
    return (double)ndft_nufft_crowd(p, width, grid);
}

static double any_by_pairs(const ndft_problem *p, const int *knobs)
{
    return ndft_nufft_any_and(p, NDFT_ADJOINT, knobs, pairs_lose + 5 * steps_of(p, knobs));
}

static double truncation_by_pairs(const ndft_problem *p, const int *knobs)
{
    const ndft_window window =
        ndft_window_shape((ndft_window_kind)knobs[NDFT_KNOB_WINDOW], ndft_nufft_width(p, knobs),
                          knobs[NDFT_KNOB_SIGMA] / 100.0);
    const double noise = ndft_roundoff(p->prec) * pow(ndft_window_noise(&window), p->dim);
    return hypot(ndft_nufft_truncation(p, knobs), ndft_nufft_chance(p) * pairs_typically * noise);
}

bool ndft_nufft_takes_pairs(const ndft_problem *p, const int *knobs)
{
    if (p->prec != NDFT_F32 || p->dim < 2) return false;
    const double tol = ndft_tol_of_entries(p);
    if (p->tol_kind == NDFT_TOL_ANY) return any_by_pairs(p, knobs) <= tol;
    const double sums = ndft_nufft_sums(p, NDFT_ADJOINT, knobs);
    return truncation_by_pairs(p, knobs) + (sums < tol ? sums : 0) <= tol;
}

double ndft_nufft_truncation_by_products(const ndft_problem *p, const int *knobs)
{
    return ndft_nufft_takes_pairs(p, knobs) ? truncation_by_pairs(p, knobs)
                                            : ndft_nufft_truncation(p, knobs);
}

double ndft_nufft_any_by_products(const ndft_problem *p, ndft_op op, const int *knobs)
{
    return op == NDFT_ADJOINT && ndft_nufft_takes_pairs(p, knobs)
               ? any_by_pairs(p, knobs)
               : ndft_nufft_any_by_tf32(p, op, knobs);
}

int ndft_product_most(int dim) { return dim < 3 ? 128 : 512; }
