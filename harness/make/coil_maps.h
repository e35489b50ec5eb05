/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_MAPS_H
#define NDFT_COIL_MAPS_H

#include "case/case.h"
#include "files/arena.h"

/* The coil maps of a case, [coils][voxels] of the problem in its precision; NULL for maps=none.
 * They come from own, all else from scratch. NDFT_EINVAL for a file's that are 0 everywhere. */
ndft_status ndft_coil_maps_make(const ndft_case *, const ndft_problem *, ndft_arena *own,
                                ndft_arena *scratch, const void **maps, ndft_error *);

#endif
