/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_LOOP_H
#define NDFT_CHIRP_Z_LOOP_H

#include "core/loop.h"
#include "places.h"

/* Points of several coils, and the packed arrays that they have places in, one for each coil. */
typedef struct chirp_z_move {
    const ndft_places *places;
    int coils, threads;
    int64_t element, coil; /* complex numbers from point to point, from coil to coil */
} chirp_z_move;

typedef void chirp_z_loop(const chirp_z_move *, const void *from, void *to);

#endif
