/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_ROLE_H
#define NDFT_ROLE_H

#include "array.h"

/*
 * What a file can be to a case. In BART's .cfl files the dimensions are fixed and the first is
 * fastest; read backwards they are our C order, so that values keep their place:
 *
 *     role      .npy, C order         unit        BART dimensions           value read from .cfl
 *     traj      (m,d)                 cycles/FOV  [3,samples,shots]         as it is
 *     grid      (v,d)                 voxels      [3,v]                     as it is
 *     times     (m)                   s           [1,samples,shots]         as it is
 *     field     (nz,ny,nx)            rad/s       [nx,ny,nz]                negated: BART 1.0 has
 *                                                                           exp(+i w t)
 *     decay     (nz,ny,nx)            1/s         [nx,ny,nz]                as it is
 *     phase c   (l,m)                 rad per b   [1,samples,shots,l]       as it is
 *     phase b   (l,nz,ny,nx)                      [nx,ny,nz,l]              as it is
 *     grad      (d,nz,ny,nx)          Hz/voxel    [nx,ny,nz,d]              negated as the field
 *     mask      (nz,ny,nx)            not 0: in   [nx,ny,nz]                as it is
 *     kernel    (nz,ny,nx)                        [nx,ny,nz]                as it is
 *     maps,     (coils,nz,ny,nx)                  [nx,ny,nz,coils]          as it is
 *     image
 *     data      (coils,m)                         [1,samples,shots,coils]   as it is (0.8.00; 1.0
 *                                                                           scales by 1/sqrt(N))
 *     signal,   (K,n3,n2,n1,M)                    [M,n1,n2,n3,K]            as it is
 *     spectrum
 *
 * Axes of length 1 may be left out or added. Real roles take float32, float64 or complex numbers of
 * .cfl whose imaginary part is 0; complex roles also take complex64 and complex128; a mask also
 * takes bool.
 */
typedef struct ndft_role {
    const char *key;  /* the case's key, for messages */
    const char *axes; /* "coils,nz,ny,nx", for messages */
    bool is_complex, is_mask, has_shots;
    double cfl_scale;
} ndft_role;

extern const ndft_role ndft_role_traj, ndft_role_times, ndft_role_field, ndft_role_decay,
    ndft_role_phase_c, ndft_role_phase_b, ndft_role_grad, ndft_role_grid, ndft_role_mask,
    ndft_role_maps, ndft_role_kernel, ndft_role_image, ndft_role_data, ndft_role_signal,
    ndft_role_spectrum;

/* Element i as a complex number, scaled. */
void ndft_array_at(const ndft_array *, int64_t i, double z[2]);

/* Reads and checks path: format, type, shape, no NaN or infinity. Memory comes from arena.
 * NDFT_EINVAL with the key, the path, and what was wanted and found; NDFT_EIO; NDFT_ENOMEM. */
ndft_status ndft_array_read(const char *path, const ndft_role *, const int64_t *shape, int rank,
                            ndft_arena *, ndft_array *, ndft_error *);

/* The same of real values, all of them into `values`. */
ndft_status ndft_reals_read(const char *path, const ndft_role *, const int64_t *shape, int rank,
                            ndft_arena *, double *values, ndft_error *);

#endif
