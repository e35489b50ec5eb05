/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

/* Whether a description is one, as far as it can be told without looking into its arrays. */

static const double least_tol = 1e-13;

ndft_status ndft_check_tol(double tol, ndft_tol_kind kind)
{
    ndft_error *err = ndft_thread_error();
    if (kind != NDFT_TOL_TYPICAL && kind != NDFT_TOL_ANY)
        return ndft_fail(err, NDFT_EINVAL, "tol_kind=%d; NDFT_TOL_TYPICAL or NDFT_TOL_ANY",
                         (int)kind);
    if (tol != 0 && !(tol >= least_tol && tol <= 1))
        return ndft_fail(err, NDFT_EINVAL, "tol=%.9g; %g to 1", tol, least_tol);
    return NDFT_OK;
}

ndft_status ndft_check_data(ndft_prec prec, const char *name, int count, double tol,
                            ndft_tol_kind kind)
{
    ndft_error *err = ndft_thread_error();
    if (prec != NDFT_F32 && prec != NDFT_F64)
        return ndft_fail(err, NDFT_EINVAL, "prec=%d; NDFT_F32 or NDFT_F64", (int)prec);
    if (count < 0 || count > NDFT_MOST_COILS)
        return ndft_fail(err, NDFT_EINVAL, "%s=%d; 1 to %d", name, count, NDFT_MOST_COILS);
    return ndft_check_tol(tol, kind);
}

double ndft_tol_or_usual(double tol, ndft_prec prec)
{
    return tol != 0 ? tol : prec == NDFT_F32 ? 1e-4 : 1e-9;
}

ndft_status ndft_check_grid(const char *name, int dim, const int64_t n[3])
{
    ndft_error *err = ndft_thread_error();
    int64_t size = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (axis >= dim && (n[axis] == 0 || n[axis] == 1)) continue;
        if (axis >= dim)
            return ndft_fail(err, NDFT_EINVAL, "%s[%d]=%lld with dim=%d; 1", name, axis,
                             (long long)n[axis], dim);
        if (n[axis] < 1 || __builtin_mul_overflow(size, n[axis], &size) || size > INT32_MAX)
            return ndft_fail(err, NDFT_EINVAL,
                             "%s[%d]=%lld: sizes are at least 1, with %d voxels at most", name,
                             axis, (long long)n[axis], INT32_MAX);
    }
    return NDFT_OK;
}

static ndft_status check_numbers(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->dim < 1 || d->dim > 3) return ndft_fail(err, NDFT_EINVAL, "dim=%d; 1 to 3", d->dim);
    NDFT_TRY(ndft_check_grid("n", d->dim, d->n));
    if (d->layout != NDFT_PLANAR && d->layout != NDFT_INTERLEAVED)
        return ndft_fail(err, NDFT_EINVAL, "layout=%d; NDFT_PLANAR or NDFT_INTERLEAVED",
                         (int)d->layout);
    if (d->n_samples < 1 || d->n_samples > INT32_MAX)
        return ndft_fail(err, NDFT_EINVAL, "n_samples=%lld; 1 to %d", (long long)d->n_samples,
                         INT32_MAX);
    return ndft_check_data(d->prec, "coils", d->coils, d->tol, d->tol_kind);
}

static ndft_status check_phases(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->phases < 0 || d->phases > NDFT_HIGHER_TERMS)
        return ndft_fail(err, NDFT_EINVAL, "phases=%d; 0 to %d", d->phases, NDFT_HIGHER_TERMS);
    if (!d->phase_c == !d->phases && !d->phase_b == !d->phases) return NDFT_OK;
    return ndft_fail(err, NDFT_EINVAL, "phases=%d, but phase_c is %s and phase_b is %s", d->phases,
                     d->phase_c ? "given" : "NULL", d->phase_b ? "given" : "NULL");
}

static ndft_status check_arrays(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    for (int axis = 0; axis < 3; axis++) {
        const bool inside = axis < d->dim;
        if (inside != (d->k[axis] != NULL))
            return ndft_fail(err, NDFT_EINVAL, "k[%d] is %s with dim=%d", axis,
                             inside ? "NULL" : "given", d->dim);
        if (d->gradient[axis] && !inside)
            return ndft_fail(err, NDFT_EINVAL, "gradient[%d] is given with dim=%d", axis, d->dim);
        if (inside && !d->gradient[axis] != !d->gradient[0])
            return ndft_fail(err, NDFT_EINVAL, "gradient: of all %d axes, or of none; [%d] is %s",
                             d->dim, axis, d->gradient[axis] ? "given" : "NULL");
        if (d->position[axis] && !inside)
            return ndft_fail(err, NDFT_EINVAL, "position[%d] is given with dim=%d", axis, d->dim);
        if (inside && !d->position[axis] != !d->position[0])
            return ndft_fail(err, NDFT_EINVAL, "position: of all %d axes, or of none; [%d] is %s",
                             d->dim, axis, d->position[axis] ? "given" : "NULL");
    }
    if ((d->field || d->decay || d->gradient[0]) && !d->t)
        return ndft_fail(err, NDFT_EINVAL, "t is NULL, but %s needs times",
                         d->field   ? "field"
                         : d->decay ? "decay"
                                    : "gradient");
    return check_phases(d);
}

static ndft_status check_built(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->frames < 0) return ndft_fail(err, NDFT_EINVAL, "frames=%d; 0 or 1", d->frames);
    if (d->frames > 1)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "frames=%d: more than 1 is not built yet",
                         d->frames);
    return NDFT_OK;
}

ndft_status ndft_check_description(const ndft_problem_desc *d)
{
    NDFT_TRY(check_numbers(d));
    NDFT_TRY(check_arrays(d));
    return check_built(d);
}
