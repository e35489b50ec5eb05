/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"

#include <math.h>

/*
 * Properties of decay: where all rates are one, it is a factor of each sample; where all times are
 * one, it is a factor of each voxel. Of either direction, since it is real: the adjoint has it as
 * the forward operator does.
 */

/* Multiplies the first length elements of each coil. */
static void weigh(const ndft_problem *p, ndft_complex *x, int64_t length, const double *factor)
{
    for (int64_t c = 0; c < p->coils; c++)
        for (int64_t i = 0; i < length; i++) x[c * length + i] *= factor[i];
}

/* with, which decays, is without times factors of one side, the samples or the voxels. What an
 * error was relative to before an output is weighed is larger than the output. */
static ndft_status weighs(ndft_property_fixture *t, ndft_problem *with, bool samples,
                          const double *factor, ndft_op op, ndft_measured *worst)
{
    const bool before = samples == (op == NDFT_ADJOINT);
    const int64_t length = samples ? with->n_samples : with->n_voxels;
    const int64_t count = ndft_output_length(with, op) * with->coils;
    ndft_problem without = *with;
    without.decay = NULL;
    ndft_property_fixture_bounds(with);
    ndft_property_fixture_bounds(&without);
    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    ndft_property_fixture_draw(t, x, ndft_input_length(with, op));
    NDFT_TRY(ndft_property_fixture_apply(t, with, op, x, y));
    if (before) weigh(with, x, length, factor);
    NDFT_TRY(ndft_property_fixture_apply(t, &without, op, x, z));
    const double larger = ndft_norm(z, count);
    if (!before) weigh(with, z, length, factor);
    const double size = ndft_norm(z, count);
    const double bound = ndft_property_fixture_claim(t, with, op) +
                         ndft_property_fixture_claim(t, &without, op) * larger / size +
                         2 * ndft_roundoff(with->prec); /* of what is weighed */
    ndft_keep_worse(worst, ndft_distance(y, z, count) / size, bound);
    return NDFT_OK;
}

ndft_status ndft_constant_decay(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const double rate = 37;
    ndft_problem with = t->problem;
    void *map = ndft_property_fixture_reals(t, with.n_voxels);
    double *factor = ndft_property_fixture_take(t, (size_t)with.n_samples * sizeof *factor);
    for (int64_t v = 0; v < with.n_voxels; v++) ndft_put(map, with.prec, v, rate);
    for (int64_t j = 0; j < with.n_samples; j++)
        factor[j] = exp(-rate * ndft_real_at(with.t, with.prec, j));
    with.decay = map;
    return weighs(t, &with, true, factor, op, worst);
}

ndft_status ndft_decay_at_one_time(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    const double time = 0x1p-6;
    ndft_problem with = t->problem;
    void *times = ndft_property_fixture_reals(t, with.n_samples);
    double *factor = ndft_property_fixture_take(t, (size_t)with.n_voxels * sizeof *factor);
    for (int64_t j = 0; j < with.n_samples; j++) ndft_put(times, with.prec, j, time);
    for (int64_t v = 0; v < with.n_voxels; v++)
        factor[v] = exp(-ndft_real_at(t->decay, with.prec, v) * time);
    with.t = times;
    with.decay = t->decay;
    return weighs(t, &with, false, factor, op, worst);
}
