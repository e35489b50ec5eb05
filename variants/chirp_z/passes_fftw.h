/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_PASSES_FFTW_H
#define NDFT_CHIRP_Z_PASSES_FFTW_H

#include "lattice.h"
#include "uniform/bluestein_fftw.h"

/*
 * The chirp-z transform (Rabiner, Schafer and Rader 1969) axis by axis: with x = n - c the centred
 * coordinate of voxel n on an axis of N,
 *
 *     exp(-2 pi i (first + q step) x / N)
 *         = exp(-pi i (2 first x + step n^2) / N) exp(pi i step (2 q c - q^2) / N)
 *           exp(pi i step (q - n)^2 / N),
 *
 * a factor of the voxel, one of the sample, and a convolution; the adjoint has their conjugates.
 */

/* Strides of the arrays at both ends, in complex numbers; between two passes arrays are packed. */
typedef struct ndft_chirp_z_ends {
    int64_t in_element, in_coil, out_element, out_coil;
} ndft_chirp_z_ends;

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
