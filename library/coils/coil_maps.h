/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_COILS_COIL_MAPS_H
#define NDFT_LIBRARY_COILS_COIL_MAPS_H

#include "base/variant.h"

/*
 * Coil maps. The image times each coil's map makes an image of every coil, which an engine
 * transforms as it does any; of its adjoint's images the sum times conjugate maps is the image.
 * docs/measurement.md derives what that does to errors. An engine that takes maps does so where it
 * reads and writes images; others have them around, with images of all coils in memory.
 */

/* Whether plans of the variant have the problem's maps around it. */
static inline bool ndft_has_maps_around(const ndft_variant *v, const ndft_problem *p)
{
    return p->maps && !v->take_maps;
}

/* What an engine is planned for: the problem without maps in *bare, of a tolerance that leaves room
 * for the products. Where there are no maps, the problem itself. maps_max stays: it says that an
 * engine may be given maps once it is planned. */
const ndft_problem *ndft_problem_without_maps(const ndft_problem *, ndft_problem *bare);

/* Of some of a problem's coils, whose images are summed with those of the others: the tolerance by
 * which their engine may err as that of all coils may. They see voxels less evenly than all do, and
 * by a tolerance of their own would have to err less. */
double ndft_tol_of_some_coils(const ndft_problem *some, const ndft_problem *all);

/* What an engine's error of that problem is with the maps, forward's or adjoint's. */
double ndft_error_with_maps(const ndft_problem *, ndft_op, ndft_tol_kind, double bare);

/* How much more than the mean of all voxels the coils see of one, at most: the root of a ratio of
 * powers. */
double ndft_unevenness(const ndft_problem *);

/* Of maps, in either direction from 1: their square is a factor of the normal operator. */
double ndft_most_of_maps(ndft_prec);

/* Whether they are finite, and what is seen in the mean within that. */
bool ndft_maps_in_range(const ndft_problem *);

/* What the products of an execution cost, beside the variant's transform of all coils' images. */
ndft_cost ndft_cost_of_maps(const ndft_variant *, const ndft_problem *, ndft_op);

#endif
