/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRP_Z_AXIS_H
#define NDFT_CHIRP_Z_AXIS_H

#include "convolve/pass.h"
#include "lattice.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* NULL, or a sentence saying what keeps it from being one along each axis; its lattice. */
const char *ndft_chirp_z_unsupported(const ndft_problem *, ndft_lattice *);

/* One axis of the operator, in either direction. */
typedef struct ndft_chirp_z_axis {
    int64_t n, count; /* voxels and places */
    double first, step;
    bool adjoint;
    ndft_pass pass;
} ndft_chirp_z_axis;

/* Strides of the arrays at both ends, in complex numbers; between two passes arrays are packed. */
typedef struct ndft_chirp_z_ends {
    int64_t in_element, in_coil, out_element, out_coil;
} ndft_chirp_z_ends;

/* Of one coil's array after the other, without a mask the caller's. */
ndft_chirp_z_ends ndft_chirp_z_ends_of(const ndft_problem *, const ndft_lattice *, bool adjoint);

/* From the grid to the lattice or back, of `coils` coils at a time: their number. most: complex
 * numbers of one coil between two passes, 0 with one pass. */
int ndft_chirp_z_axes(const ndft_problem *, const ndft_lattice *, bool adjoint, int coils,
                      const ndft_chirp_z_ends *, ndft_chirp_z_axis axes[3], int64_t *most);

/* The factors of a pass's inputs and outputs: complex numbers of this precision. */
void ndft_chirp_z_factors(const ndft_chirp_z_axis *, ndft_prec, void *of_inputs, void *of_outputs);

/* The chirp at the distances from an input to an output, wrapped around: [cells][re, im]. */
void ndft_chirp_z_filter(const ndft_chirp_z_axis *, int64_t cells, double *filter);

/* Voxels of the whole grid, those outside a mask among them. */
static inline int64_t ndft_grid_size(const ndft_problem *p) { return p->n[0] * p->n[1] * p->n[2]; }

#ifdef __cplusplus
}
#endif

#endif
