/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

/* Whether a description is one, as far as it can be told without looking into its arrays. */

enum { MOST_COILS = 256 };

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

double ndft_tol_or_usual(double tol, ndft_prec prec)
{
    return tol != 0 ? tol : prec == NDFT_F32 ? 1e-4 : 1e-9;
}

static ndft_status check_numbers(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->dim < 1 || d->dim > 3) return ndft_fail(err, NDFT_EINVAL, "dim=%d; 1 to 3", d->dim);
    int64_t size = 1;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t n = d->n[axis];
        if (axis >= d->dim && (n == 0 || n == 1)) continue;
        if (axis >= d->dim)
            return ndft_fail(err, NDFT_EINVAL, "n[%d]=%lld with dim=%d; 1", axis, (long long)n,
                             d->dim);
        if (n < 1 || __builtin_mul_overflow(size, n, &size) || size > INT32_MAX)
            return ndft_fail(err, NDFT_EINVAL,
                             "n[%d]=%lld: sizes are at least 1, with %d voxels at most", axis,
                             (long long)n, INT32_MAX);
    }
    if (d->prec != NDFT_F32 && d->prec != NDFT_F64)
        return ndft_fail(err, NDFT_EINVAL, "prec=%d; NDFT_F32 or NDFT_F64", (int)d->prec);
    if (d->layout != NDFT_PLANAR && d->layout != NDFT_INTERLEAVED)
        return ndft_fail(err, NDFT_EINVAL, "layout=%d; NDFT_PLANAR or NDFT_INTERLEAVED",
                         (int)d->layout);
    if (d->coils < 0 || d->coils > MOST_COILS)
        return ndft_fail(err, NDFT_EINVAL, "coils=%d; 1 to %d", d->coils, MOST_COILS);
    if (d->n_samples < 1 || d->n_samples > INT32_MAX)
        return ndft_fail(err, NDFT_EINVAL, "n_samples=%lld; 1 to %d", (long long)d->n_samples,
                         INT32_MAX);
    return ndft_check_tol(d->tol, d->tol_kind);
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
    }
    if ((d->field || d->gradient[0]) && !d->t)
        return ndft_fail(err, NDFT_EINVAL, "t is NULL, but %s needs times",
                         d->field ? "field" : "gradient");
    return NDFT_OK;
}

static ndft_status check_built(const ndft_problem_desc *d)
{
    ndft_error *err = ndft_thread_error();
    if (d->frames < 0) return ndft_fail(err, NDFT_EINVAL, "frames=%d; 0 or 1", d->frames);
    if (d->frames > 1)
        return ndft_fail(err, NDFT_EUNSUPPORTED, "frames=%d: more than 1 is not built yet",
                         d->frames);
    if (d->decay) return ndft_fail(err, NDFT_EUNSUPPORTED, "decay is not built yet; NULL");
    for (int axis = 0; axis < 3; axis++)
        if (d->position[axis])
            return ndft_fail(err, NDFT_EUNSUPPORTED, "position is not built yet; NULL");
    return NDFT_OK;
}

ndft_status ndft_check_description(const ndft_problem_desc *d)
{
    NDFT_TRY(check_numbers(d));
    NDFT_TRY(check_arrays(d));
    return check_built(d);
}
