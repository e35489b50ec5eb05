/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "properties.h"

#include "property_fixture.h"
#include "reference.h"

#include <math.h>

/*
 * Properties of the normal operator N = A^H A, which is self-adjoint and positive however it is
 * computed. An error e of Ax enters their inner products as <Ax,e>, one of A^H as <x,e>.
 */

/* For unrelated x and y errors meet them by chance: the fewer of samples and voxels average. */
ndft_status ndft_normal_symmetric(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem *p = &t->problem;
    const int64_t count = p->n_voxels * p->coils;
    ndft_complex *x = ndft_property_fixture_vector(t), *nx = ndft_property_fixture_vector(t);
    ndft_complex *y = ndft_property_fixture_vector(t), *ny = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    ndft_property_fixture_draw(t, y, p->n_voxels);
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, nx));
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, y, ny));
    double left[2], right[2];
    ndft_inner(NDFT_F64, nx, y, count, left);
    ndft_inner(NDFT_F64, x, ny, count, right);
    double size = ndft_norm(nx, count) * ndft_norm(y, count);
    size += ndft_norm(x, count) * ndft_norm(ny, count);
    double fewer = fmin((double)p->n_voxels, (double)p->n_samples);
    double chance = 4 * ndft_property_fixture_claim(t, p, op) / sqrt(fewer);
    ndft_keep_worse(worst, hypot(left[0] - right[0], left[1] - right[1]) / size,
                    fmax(chance, 8 * ndft_roundoff(p->prec)));
    return NDFT_OK;
}

/* <x,Nx> is real and not negative. The error of Ax enters three times, twice through |Ax|^2. */
ndft_status ndft_normal_energy(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem *p = &t->problem;
    const int64_t samples = p->n_samples * p->coils, voxels = p->n_voxels * p->coils;
    ndft_complex *x = ndft_property_fixture_vector(t), *ax = ndft_property_fixture_vector(t),
                 *nx = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, p->n_voxels);
    NDFT_TRY(ndft_property_fixture_apply(t, p, NDFT_FORWARD, x, ax));
    NDFT_TRY(ndft_property_fixture_apply(t, p, op, x, nx));
    double product[2], energy = pow(ndft_norm(ax, samples), 2);
    ndft_inner(NDFT_F64, x, nx, voxels, product);
    ndft_keep_worse(worst, hypot(product[0] - energy, product[1]) / energy,
                    3 * ndft_property_fixture_claim(t, p, op));
    return NDFT_OK;
}
