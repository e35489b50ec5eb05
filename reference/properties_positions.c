/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"

#include "property_fixture.h"
#include "turns.h"

#include <string.h>

/*
 * Properties of voxels off the grid: the grid's own positions are the grid, and voxels that are
 * moved together turn every sample by a phase.
 */

/* The grid's own positions, in any problem. */
ndft_status ndft_positions_are_the_grid(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem grid = t->problem, given = t->problem;
    memset(grid.x, 0, sizeof grid.x);
    for (int d = 0; d < given.dim; d++) {
        void *x = ndft_property_fixture_reals(t, given.n_voxels);
        for (int64_t v = 0; v < given.n_voxels; v++) {
            int64_t at[3];
            ndft_voxel_coord(&given, v, at);
            ndft_put(x, given.prec, v, (double)at[d]);
        }
        given.x[d] = x;
    }
    ndft_property_fixture_bounds(&grid);
    ndft_property_fixture_bounds(&given);
    return ndft_property_fixture_equal(t, &given, &grid, op, worst);
}

/* Multiples of 1/8, which added to those that were drawn are exact. */
static const double step[3] = {0.625, -2.375, 1.25};

/* Moves all voxels; turns: what that adds to each sample's phase. */
static void move(ndft_property_fixture *t, ndft_problem *moved, double *turns)
{
    memset(turns, 0, (size_t)moved->n_samples * sizeof *turns);
    for (int d = 0; d < moved->dim; d++) {
        void *x = ndft_property_fixture_reals(t, moved->n_voxels);
        for (int64_t v = 0; v < moved->n_voxels; v++)
            ndft_put(x, moved->prec, v, ndft_real_at(moved->x[d], moved->prec, v) + step[d]);
        moved->x[d] = x;
        for (int64_t j = 0; j < moved->n_samples; j++) {
            const ndft_pair_sum k =
                ndft_quotient(ndft_real_at(moved->k[d], moved->prec, j), (double)moved->n[d]);
            turns[j] += ndft_fraction(k.hi, k.lo, step[d]);
        }
    }
}

/* Voxels at x + s are those at x with exp(-2 pi i k_j.s/N) for each sample. */
ndft_status ndft_moved_together(ndft_property_fixture *t, ndft_op op, ndft_measured *worst)
{
    ndft_problem here = t->problem, moved;
    double *turns = ndft_property_fixture_take(t, (size_t)here.n_samples * sizeof *turns);
    memcpy(here.x, t->positions, sizeof here.x);
    moved = here;
    move(t, &moved, turns);
    ndft_property_fixture_bounds(&here);
    ndft_property_fixture_bounds(&moved);
    ndft_complex *x = ndft_property_fixture_vector(t), *y = ndft_property_fixture_vector(t),
                 *z = ndft_property_fixture_vector(t);
    const int64_t count = ndft_output_length(&here, op) * here.coils;
    double bound =
        ndft_property_fixture_claim(t, &moved, op) + ndft_property_fixture_claim(t, &here, op);
    ndft_property_fixture_draw(t, x, ndft_input_length(&here, op));
    NDFT_TRY(ndft_property_fixture_apply(t, &moved, op, x, y));
    if (op == NDFT_ADJOINT) {
        ndft_rotate(&here, x, turns, 1);
        bound += 2 * ndft_roundoff(here.prec); /* of the rotated input */
    }
    NDFT_TRY(ndft_property_fixture_apply(t, &here, op, x, z));
    if (op == NDFT_FORWARD) ndft_rotate(&here, z, turns, -1);
    ndft_keep_worse(worst, ndft_distance(y, z, count) / ndft_norm(z, count), bound);
    return NDFT_OK;
}
