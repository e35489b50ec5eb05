/* SPDX-License-Identifier: Apache-2.0 */
#include "promise.h"

#include "base/bounds.h"
#include "coils/coil_maps.h"
#include "traits.h"

#include <math.h>

double ndft_claim_bound(ndft_prec prec, double a, double b, double c, double phi_max, double terms,
                        double truncation)
{
    return ndft_roundoff(prec) * (a * phi_max + b * sqrt(terms) + c) + truncation;
}

double ndft_claim_any_bound(ndft_prec prec, double a, double c, double phi_max, double chain,
                            double truncation)
{
    return ndft_roundoff(prec) * (a * phi_max + c + 2 * M_SQRT2 * chain) + truncation;
}

/* What one entry's sincs err by whatever their product is, in eps: arguments of two roundings times
 * a slope of 1.4, and a polynomial within 4e-7 or a sine and a division. */
static const double sinc_eps = 8;

/* A typical error is relative to all entries: what does not shrink with them weighs the more, the
 * smaller they are. c holds the sincs of entries near 1. Of decay an entry errs relative to itself,
 * by a polynomial and the product with it; a phase of higher order turns it. */
static double among_weights(const ndft_problem *p, double truncation)
{
    const double eps = ndft_roundoff(p->prec), decays = p->decay ? NDFT_DECAY_EPS * eps : 0;
    const double higher = ndft_higher_eps(p) * eps;
    if (!ndft_is_weighted(p)) return truncation + higher;
    const double sincs = ndft_has_gradients(p) ? eps * sinc_eps * (1 / p->b_rms - 1) : 0;
    return truncation / p->b_rms + sincs + decays + higher;
}

size_t ndft_input_bytes(const ndft_problem *p, ndft_op op)
{
    return (size_t)ndft_input_length(p, op) * (size_t)ndft_input_coils(p, op) * 2 *
           ndft_real_size(p->prec);
}

size_t ndft_output_bytes(const ndft_problem *p, ndft_op op)
{
    return (size_t)ndft_output_length(p, op) * (size_t)ndft_output_coils(p, op) * 2 *
           ndft_real_size(p->prec);
}

bool ndft_in_place(ndft_kind_of_problem kind, const ndft_problem *p)
{
    return kind == NDFT_UNIFORM && ndft_transform_of(p)->in_place;
}

/* Claims of many numbers are this many times their errors, or more. */
static const double slack = 2;

/* Samples of a value of their own, or voxels, where they are fewer. */
static double different(const ndft_problem *p)
{
    return fmin((double)p->n_voxels, (double)p->n_samples / fmax(1, p->structure.repeats));
}

/* Numbers that have a value of their own in A x or A^H y: an error is relative to these. Where
 * there are as many as in the input, its length decides theirs, and nothing is left to chance. */
static double by_chance(ndft_kind_of_problem kind, const ndft_problem *p, ndft_op op)
{
    if (kind != NDFT_NONUNIFORM) return 1;
    const double numbers = different(p);
    return numbers < (double)ndft_input_length(p, op)
               ? fmax(1, ndft_chance(numbers * p->coils) / slack)
               : 1;
}

/* What a few samples' or voxels' coordinates round is no mean of many: coils and the other side's
 * length share it (docs/measurement.md has how much was found). */
static double by_coordinates(ndft_kind_of_problem kind, const ndft_problem *p)
{
    return kind == NDFT_NONUNIFORM ? fmax(1, 5.6 / sqrt(different(p))) : 1;
}

static double terms_of(ndft_kind_of_problem kind, const ndft_problem *p, ndft_op op)
{
    return kind == NDFT_UNIFORM ? (double)ndft_transform_length(ndft_transform_of(p))
                                : (double)ndft_input_length(p, op);
}

/* Of forward or adjoint. alike: times what sums round where terms are not unrelated. */
static double typical(ndft_kind_of_problem kind, const ndft_claim *claim, const int *knobs,
                      const ndft_problem *p, ndft_op op, double alike)
{
    const double chance = by_chance(kind, p, op), rounding = chance + by_coordinates(kind, p) - 1;
    const double beyond = (claim->truncation ? claim->truncation(p, knobs) : 0) +
                          (claim->sums ? claim->sums(p, op, knobs) : 0) * alike;
    return rounding * ndft_claim_bound(p->prec, claim->a, claim->b * alike, claim->c, p->phi_max,
                                       terms_of(kind, p, op), 0) +
           chance * among_weights(p, beyond / (claim->by_chance ? chance : 1));
}

static double of_any(ndft_kind_of_problem kind, const ndft_claim_any *any, const int *knobs,
                     const ndft_problem *p, ndft_op op)
{
    const double entry = any->c + (p->decay ? NDFT_DECAY_EPS : 0) + ndft_higher_eps_any(p);
    return ndft_claim_any_bound(p->prec, any->a, entry, p->phi_max,
                                any->chain ? any->chain(p, op, knobs) : terms_of(kind, p, op),
                                any->truncation ? any->truncation(p, op, knobs) : 0);
}

/* Of forward or adjoint, without coil maps around it. alike: times what sums round where terms are
 * not unrelated. */
static double promised_bare(ndft_kind_of_problem kind, const ndft_variant *v, const int *knobs,
                            const ndft_problem *p, ndft_op op, ndft_tol_kind of, double alike)
{
    const ndft_traits traits = ndft_traits_of(v, knobs);
    return of == NDFT_TOL_TYPICAL ? typical(kind, &traits.claim, knobs, p, op, alike)
                                  : of_any(kind, &traits.claim.any, knobs, p, op);
}

static double promised(ndft_kind_of_problem kind, const ndft_variant *v, const int *knobs,
                       const ndft_problem *p, ndft_op op, ndft_tol_kind of, double alike)
{
    ndft_problem bare;
    const ndft_problem *own = ndft_problem_without_maps(p, &bare);
    const double error = promised_bare(kind, v, knobs, own, op, of, alike);
    return own == p ? error : ndft_error_with_maps(p, op, of, error);
}

/* A x has the same value wherever a sample repeats, and adding one value again and again errs the
 * same way (docs/measurement.md derives it). */
static double alike_in_normal(const ndft_problem *p)
{
    return sqrt(fmax(1, p->structure.repeats / 2));
}

static double promise(ndft_kind_of_problem kind, const ndft_variant *v, const int *knobs,
                      const ndft_problem *p, ndft_op op, ndft_tol_kind of)
{
    if (op != NDFT_NORMAL) return promised(kind, v, knobs, p, op, of, 1);
    ndft_problem half;
    p = ndft_problem_of_parts(v, knobs, p, op, &half);
    const double alike = of == NDFT_TOL_TYPICAL ? alike_in_normal(p) : 1;
    return promised(kind, v, knobs, p, NDFT_FORWARD, of, 1) +
           promised(kind, v, knobs, p, NDFT_ADJOINT, of, alike);
}

ndft_promise ndft_promise_of(ndft_kind_of_problem kind, const ndft_variant *v, const int *knobs,
                             const ndft_problem *p, ndft_op op)
{
    return (ndft_promise){promise(kind, v, knobs, p, op, NDFT_TOL_TYPICAL),
                          promise(kind, v, knobs, p, op, NDFT_TOL_ANY)};
}

static ndft_status hold(double claim, const ndft_problem *p, ndft_error *err)
{
    if (claim <= p->tol) return NDFT_OK;
    return ndft_fail(err, NDFT_EUNSUPPORTED, "its claim of %.3g%s is above tol=%g", claim,
                     p->tol_kind == NDFT_TOL_ANY ? " for any data" : "", p->tol);
}

ndft_status ndft_promise_holds(const ndft_promise *both, const ndft_problem *p, ndft_error *err)
{
    return hold(p->tol_kind == NDFT_TOL_ANY ? both->any : both->typical, p, err);
}

ndft_status ndft_promise_tol(ndft_kind_of_problem kind, const ndft_variant *v, const int *knobs,
                             const ndft_problem *p, unsigned ops, ndft_error *err)
{
    for (unsigned op = NDFT_FORWARD; op <= NDFT_NORMAL; op <<= 1)
        if (ops & op) NDFT_TRY(hold(promise(kind, v, knobs, p, (ndft_op)op, p->tol_kind), p, err));
    return NDFT_OK;
}
