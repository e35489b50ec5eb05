/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_PASSES_FFTW_H
#define NDFT_CHIRP_Z_PASSES_FFTW_H

#include "axis.h"
#include "uniform/bluestein/bluestein_fftw.h"

/* The passes of axis.h by FFTW. */

typedef struct ndft_chirp_z_passes {
    int count;
    ndft_bluestein_axis axis[3];
    int64_t most; /* complex numbers of one coil between two passes, 0 with one pass */
} ndft_chirp_z_passes;

/* Of `coils` coils at a time: from the grid to the lattice, or adjoint. Memory is the arena's; the
 * transforms are freed by _destroy, also after a failure. */
ndft_status ndft_chirp_z_make(ndft_arena *, const ndft_problem *, const ndft_lattice *,
                              bool adjoint, int coils, int threads, const ndft_chirp_z_ends *,
                              ndft_chirp_z_passes *);
void ndft_chirp_z_destroy(ndft_chirp_z_passes *);

#endif
