/* SPDX-License-Identifier: Apache-2.0 */
#include "composed/convolution_factors.h"

#include "descriptor.h"
#include "device/backend.h"
#include "rank.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Of the kernel's transform in double: the first that somebody promises. */
static const double finest_tol = 1e-15, coarsest_tol = 1e-8;

static ndft_status run_transform(const ndft_uniform_problem *u, ndft_exec *exec, double *kernel)
{
    ndft_ranked taken;
    ndft_prepared prepared = {0};
    NDFT_TRY(ndft_prepare_fastest(NDFT_UNIFORM, &u->problem, NDFT_FORWARD, false, exec, &taken,
                                  &prepared));
    const ndft_status status = ndft_prepared_execute(&prepared, NDFT_FORWARD, kernel, kernel);
    ndft_prepared_destroy(&prepared);
    return status;
}

/* By the processor, wherever the convolution is. */
static ndft_status transform(const ndft_convolution_problem *c, double *kernel, double *tol,
                             ndft_error *err)
{
    char text[96];
    ndft_uniform_problem u;
    ndft_exec *exec;
    ndft_error own = {.status = NDFT_OK}; /* of attempts, of which one may succeed */
    snprintf(text, sizeof text, "dcfi%lldx%lldx%lld", (long long)c->cells[0],
             (long long)c->cells[1], (long long)c->cells[2]);
    NDFT_TRY(ndft_descriptor_parse(text, &u.transform, err));
    NDFT_TRY(ndft_backend_cpu.open(0, &exec, err));
    exec->error = &own;
    ndft_status status = NDFT_EUNSUPPORTED;
    for (double next = finest_tol; status == NDFT_EUNSUPPORTED && next <= coarsest_tol;
         next *= 10) {
        *tol = next;
        u.problem = ndft_problem_of_transform(&u.transform, *tol, c->problem.tol_kind);
        status = run_transform(&u, exec, kernel);
    }
    ndft_backend_cpu.close(exec);
    if (status != NDFT_OK) *err = own;
    return status;
}

/* By the kind of tolerance: white data meet the root mean square of what factors err by, which is
 * the transform's relative error times |k|_2; any data meet what their transform back errs by,
 * which is at most that error times |k|_1. */
static double norm_of(const double *kernel, int64_t cells, ndft_tol_kind kind)
{
    double sum = 0;
    for (int64_t i = 0; i < cells; i++) {
        const double magnitude = hypot(kernel[2 * i], kernel[2 * i + 1]);
        sum += kind == NDFT_TOL_ANY ? magnitude : magnitude * magnitude;
    }
    return kind == NDFT_TOL_ANY ? sum : sqrt(sum);
}

static double largest_of(const double *spectrum, int64_t cells)
{
    double largest = 0;
    for (int64_t i = 0; i < cells; i++)
        largest = fmax(largest, hypot(spectrum[2 * i], spectrum[2 * i + 1]));
    return largest;
}

/* By the precision, which none may exceed. */
static ndft_status put(const double *spectrum, int64_t cells, ndft_prec prec, void *factors,
                       ndft_error *err)
{
    const double most = prec == NDFT_F32 ? FLT_MAX : DBL_MAX;
    for (int64_t i = 0; i < 2 * cells; i++) {
        const double factor = spectrum[i] / (double)cells;
        if (!(fabs(factor) <= most))
            return ndft_fail(err, NDFT_EINVAL, "the kernel's spectrum is beyond %g at element %lld",
                             most, (long long)i / 2);
        ndft_put_real(factors, prec, i, factor);
    }
    return NDFT_OK;
}

ndft_status ndft_convolution_factors(ndft_convolution_problem *c, double *kernel, bool is_spectrum,
                                     void *factors, ndft_error *err)
{
    const int64_t cells = ndft_box_size(c->cells);
    const double norm = norm_of(kernel, cells, c->problem.tol_kind);
    double tol = 0;
    if (!is_spectrum) NDFT_TRY(transform(c, kernel, &tol, err));
    NDFT_TRY(put(kernel, cells, c->problem.prec, factors, err));
    c->spectrum = factors;
    c->spectrum_max = largest_of(kernel, cells);
    c->kernel_gain = c->spectrum_max > 0 ? norm / c->spectrum_max : 0;
    c->spectrum_error = tol * c->kernel_gain;
    return NDFT_OK;
}
