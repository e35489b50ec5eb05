/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXPORT_H
#define NDFT_EXPORT_H

#include "make.h"
#include "vectors.h"

/*
 * Writes every array of a nonuniform case into a folder, which is made where it is missing, in the
 * problem's precision: case.txt (its line), k.npy (m,d), t.npy (m), image.npy (coils,nz,ny,nx),
 * kspace.npy (coils,m), and where the case has them dw.npy (nz,ny,nx) in rad/s, decay.npy
 * (nz,ny,nx) in 1/s, phase_c.npy (l,m), phase_b.npy (l,nz,ny,nx), grad.npy (d,nz,ny,nx), grid.npy
 * (nz*ny*nx,d) in voxels, mask.npy (nz,ny,nx) and maps.npy (coils,nz,ny,nx), with which the image
 * has no coils but one. With a mask, voxels outside it are 0. NDFT_EIO, NDFT_ENOMEM.
 */
ndft_status ndft_export(const ndft_case *, const ndft_made *, const char *folder, ndft_error *);

/* The same of a uniform case: case.txt and input.npy (K,ND..N1,M), 0 where nothing is read. */
ndft_status ndft_export_uniform(const ndft_case *, const ndft_made *, const char *folder,
                                ndft_error *);

/* Of a convolution: case.txt, kernel.npy (cz,cy,cx), and input.npy, what its operation reads:
 * (batch,nz,ny,nx), of the adjoint with as many as its outputs. */
ndft_status ndft_export_convolution(const ndft_case *, const ndft_made *, const char *folder,
                                    ndft_error *);

/* Of a chirp z-transform: case.txt and input.npy (batch,1,1,N). */
ndft_status ndft_export_chirpz(const ndft_case *, const ndft_made *, const char *folder,
                               ndft_error *);

/*
 * Writes one vector of the problem, (coils,nz,ny,nx) or (coils,m) whatever its layout; 0 outside a
 * mask. prec and layout describe data: a variant's output has the problem's, the reference's result
 * NDFT_F64 and NDFT_INTERLEAVED.
 */
ndft_status ndft_export_vector(const char *path, const ndft_problem *, ndft_side, const void *data,
                               ndft_prec prec, ndft_layout layout, ndft_error *);

/* Writes the elements of a tensor in this memory, (K,ND..N1,M) wherever they lie there. */
ndft_status ndft_export_tensor(const char *path, int dim, const ndft_tensor *, const void *data,
                               ndft_prec, ndft_error *);

#endif
