/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "field/rank_basis.h"
#include "shape.h"

#include <math.h>
#include <string.h>

/* Of the terms' error, whose prediction is a root mean square. Any will do where nothing is to be
 * expanded. */
static double tolerance(const ndft_problem *p, const int *knobs)
{
    const double tol = ndft_tol_of_entries(p);
    if (!ndft_nufft_has_terms(p)) return tol;
    if (p->tol_kind == NDFT_TOL_ANY) return ndft_nufft_field_share * tol;
    const double window = ndft_nufft_error(p, knobs);
    const double left = sqrt(fmax(tol * tol - window * window, 0));
    return fmax(left, ndft_nufft_field_share * tol) / ndft_nufft_chance(p);
}

_Static_assert((int)NDFT_FIELD_SEGMENTS == (int)NDFT_RANK_SEGMENTS &&
                   (int)NDFT_FIELD_HANNING == (int)NDFT_RANK_HANNING,
               "words of the knob and methods have one order");

static ndft_rank_method method(const int *knobs)
{
    return (ndft_rank_method)knobs[NDFT_KNOB_FIELD];
}

ndft_rank_choice ndft_nufft_field(const ndft_problem *p, const int *knobs)
{
    return ndft_rank_choose(p, method(knobs), tolerance(p, knobs));
}

ndft_status ndft_nufft_field_make(const ndft_problem *p, const int *knobs, ndft_error *error,
                                  ndft_rank *rank)
{
    return ndft_rank_make(p, method(knobs), tolerance(p, knobs), error, rank);
}

ndft_status ndft_nufft_field_make_rest(const ndft_problem *p, const int *knobs, ndft_error *error,
                                       ndft_rank *rank, const struct ndft_rank_tables **tables)
{
    return ndft_rank_make_rest(p, method(knobs), tolerance(p, knobs), error, rank, tables);
}

/* Where rounding is amplified too much, a larger grid that would do. Other reasons are the claim's
 * to say. */
static const char *larger_grid(const ndft_problem *p, const int *knobs)
{
    static const struct {
        int sigma;
        const char *why;
    } larger[] = {
        {250, "at this sigma it amplifies rounding beyond tol for any data; sigma=250 would do"},
        {300, "at this sigma it amplifies rounding beyond tol for any data; sigma=300 would do"},
        {400, "at this sigma it amplifies rounding beyond tol for any data; sigma=400 would do"}};
    if (p->tol_kind != NDFT_TOL_ANY || knobs[NDFT_KNOB_WIDTH] ||
        ndft_nufft_any(p, NDFT_FORWARD, knobs) <= p->tol)
        return NULL;
    for (int i = 0; i < 3; i++) {
        int other[NDFT_NUFFT_KNOBS];
        memcpy(other, knobs, sizeof other);
        other[NDFT_KNOB_SIGMA] = larger[i].sigma;
        if (larger[i].sigma > knobs[NDFT_KNOB_SIGMA] &&
            ndft_nufft_any(p, NDFT_FORWARD, other) <= p->tol)
            return larger[i].why;
    }
    return NULL;
}

const char *ndft_nufft_field_unsupported(const ndft_problem *p, const ndft_device *device,
                                         const int *knobs)
{
    const char *why = ndft_nufft_unsupported(p, device, knobs);
    if (!why && ndft_nufft_has_terms(p)) why = ndft_nufft_field(p, knobs).unsupported;
    return why ? why : larger_grid(p, knobs);
}

double ndft_nufft_truncation(const ndft_problem *p, const int *knobs)
{
    return hypot(ndft_nufft_error(p, knobs),
                 ndft_nufft_chance(p) * ndft_nufft_field(p, knobs).error);
}

double ndft_nufft_any_and(const ndft_problem *p, ndft_op op, const int *knobs, double units)
{
    ndft_nufft_worst worst = ndft_nufft_worst_at(p, op, knobs);
    if (!ndft_nufft_has_terms(p)) return ndft_nufft_worst_sum(&worst, p->prec, units);
    const ndft_rank_choice field = ndft_nufft_field(p, knobs);
    worst.entry = worst.entry * (1 + field.worst) + field.worst;
    worst.amplified *= field.gain;
    return ndft_nufft_worst_sum(&worst, p->prec, units + field.units);
}

double ndft_nufft_any(const ndft_problem *p, ndft_op op, const int *knobs)
{
    return ndft_nufft_any_and(p, op, knobs, 0);
}

/*
 * Both operands lose 2^-20 by being cut into tf32 twice, as does the product of their lower parts,
 * which is left out: 3 * 2^-20 in both components. A step of the tensor cores is cut off by two
 * units of its sum, once for each of three products (Fasi, Higham, Mikaitis and Pranesh, PeerJ
 * Comput. Sci. 7, 2021), and a cell's samples are in as many steps at most; a sample's cells in
 * three dimensions in one for each y of its cube.
 */
double ndft_nufft_any_by_tf32(const ndft_problem *p, ndft_op op, const int *knobs)
{
    if (op != NDFT_ADJOINT && p->dim < 3) return ndft_nufft_any(p, op, knobs);
    int64_t grid[3];
    const int width = ndft_nufft_width_and_grid(p, knobs, grid);
    const double steps = op == NDFT_ADJOINT ? (double)ndft_nufft_crowd(p, width, grid) : 8;
    return ndft_nufft_any_and(p, op, knobs, 3 * 0x1p4 * M_SQRT2 + 5 * steps);
}
