/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"

#include <math.h>
#include <string.h>

/* Coil maps are factors of voxels: before the operator of one image, their conjugates after its
 * adjoint, where the coils are summed. */

/* Complex numbers of a wide range; a voxel that no coil sees, and one that a coil does not. */
static ndft_complex *draw_maps(ndft_property_fixture *t)
{
    const ndft_problem *p = &t->problem;
    const int64_t n = p->n_voxels;
    ndft_complex *maps = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, maps, n);
    for (int64_t c = 0; c < (n > 2 ? p->coils : 0); c++) {
        maps[c * n] *= 0;
        maps[c * n + 1] *= c > 0;
    }
    return maps;
}

/* In the problem's precision, one after the other; draws are exact in float. */
static const void *packed(ndft_property_fixture *t, const ndft_complex *maps)
{
    const ndft_problem *p = &t->problem;
    const int64_t count = p->coils * p->n_voxels;
    void *reals = ndft_property_fixture_take(t, (size_t)(2 * count) * sizeof(double));
    for (int64_t i = 0; i < count; i++) {
        ndft_put(reals, p->prec, 2 * i, creal(maps[i]));
        ndft_put(reals, p->prec, 2 * i + 1, cimag(maps[i]));
    }
    return reals;
}

/* The images of all coils. */
static void see(const ndft_problem *p, const ndft_complex *maps, const ndft_complex *image,
                ndft_complex *images)
{
    const int64_t n = p->n_voxels;
    for (int64_t i = 0; i < p->coils * n; i++) images[i] = maps[i] * image[i % n];
}

static void join(const ndft_problem *p, const ndft_complex *maps, const ndft_complex *images,
                 ndft_complex *image)
{
    const int64_t n = p->n_voxels;
    memset(image, 0, (size_t)n * sizeof *image);
    for (int64_t i = 0; i < p->coils * n; i++) image[i % n] += conj(maps[i]) * images[i];
}

/* By the operator of images. What an error was relative to before images are summed is, times the
 * largest map, larger than the sum. */
static ndft_status apart(ndft_property_fixture *t, const ndft_problem *without,
                         const ndft_complex *maps, ndft_op op, const ndft_complex *x,
                         ndft_complex *z, double *larger)
{
    ndft_complex *images = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t);
    const int64_t count = ndft_output_length(without, op) * without->coils;
    double most = 0;
    if (op != NDFT_ADJOINT) see(without, maps, x, images);
    NDFT_TRY(ndft_property_fixture_apply(t, without, op, op == NDFT_ADJOINT ? x : images,
                                         op == NDFT_FORWARD ? z : y));
    *larger = ndft_norm(op == NDFT_FORWARD ? z : y, count);
    if (op == NDFT_FORWARD) return NDFT_OK;
    for (int64_t i = 0; i < count; i++) most = fmax(most, cabs(maps[i]));
    *larger *= most;
    join(without, maps, y, z);
    return NDFT_OK;
}

ndft_status ndft_maps_are_factors(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const ndft_problem without = t->problem;
    ndft_problem with = without;
    const ndft_complex *maps = draw_maps(t);
    with.maps = packed(t, maps);
    ndft_property_fixture_bounds(&with);
    const int64_t count = ndft_output_length(&with, op) * ndft_output_coils(&with, op);
    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    double larger;
    ndft_property_fixture_draw(t, x, ndft_input_length(&with, op));
    NDFT_TRY(ndft_property_fixture_apply(t, &with, op, x, y));
    NDFT_TRY(apart(t, &without, maps, op, x, z, &larger));
    const double size = ndft_norm(z, count), uneven = sqrt(with.power_max / with.power_mean);
    const double bound =
        ndft_property_fixture_claim(t, &with, op) +
        uneven * ndft_property_fixture_claim(t, &without, op) * fmax(1, larger / size) +
        2 * ndft_roundoff(with.prec); /* of the images that are rounded */
    ndft_keep_worse(worst, ndft_distance(y, z, count) / size, bound);
    return NDFT_OK;
}
