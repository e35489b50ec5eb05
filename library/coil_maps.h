/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_COIL_MAPS_H
#define NDFT_LIBRARY_COIL_MAPS_H

#include "base/variant.h"

/*
 * Coil maps around an engine that takes none. The image times each coil's map makes an image of
 * every coil, which the engine transforms as it does any; of its adjoint's images the sum times
 * conjugate maps is the image. docs/measurement.md derives what that does to errors.
 */

/* Whether plans of the variant have the problem's maps around it. */
static inline bool ndft_has_maps_around(const ndft_variant *v, const ndft_problem *p)
{
    return p->maps && !v->maps;
}

/* What the variant is given then: the problem without maps in *bare, of a tolerance that leaves
 * room for the products. Else the problem itself. */
const ndft_problem *ndft_problem_without_maps(const ndft_variant *, const ndft_problem *,
                                              ndft_problem *bare);

/* What an engine's error of that problem is with the maps around it, forward's or adjoint's. */
double ndft_error_with_maps(const ndft_problem *, ndft_op, ndft_tol_kind, double bare);

/* How much more than the mean of all voxels the coils see of one, at most: the root of a ratio of
 * powers. */
double ndft_unevenness(const ndft_problem *);

/* Of maps, in either direction from 1: their square is a factor of the normal operator. */
double ndft_most_of_maps(ndft_prec);

/* Whether they are finite, and what is seen in the mean within that. */
bool ndft_maps_in_range(const ndft_problem *);

/* What the products of an execution cost, beside the engine. */
ndft_cost ndft_cost_of_maps(const ndft_problem *, ndft_op);

#endif
