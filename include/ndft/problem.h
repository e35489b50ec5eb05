/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROBLEM_H
#define NDFT_PROBLEM_H

#include <ndft/device.h>
#include <ndft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What to compute: the field-corrected discrete Fourier transform of MRI between an image m, on a
 * Cartesian grid or at any positions, and samples s of k-space at any positions, with i = sqrt(-1),
 *
 *     forward   s_j = sum_v m_v B_jv exp(-i phi_jv)        image -> k-space
 *     adjoint   m_v = sum_j s_j B_jv exp(+i phi_jv)        k-space -> image
 *     normal    forward and then adjoint                   image -> image
 *     phi_jv  = 2 pi (k_j . r_v) + field_v t_j + sum_l phase_c_lj phase_b_lv
 *     B_jv    = exp(-decay_v t_j), 1 without decay, and with gradient maps its product with
 *               prod_d sinc(k_dj/N_d + G_dv t_j), sinc(x) = sin(pi x)/(pi x)
 *
 * With coil maps there is one image, which coil c sees times its own map: forward of it are the
 * samples of all coils, s_c = A (maps_c m), adjoint is m = sum_c conj(maps_c) A^H s_c (SENSE:
 * Pruessmann et al., MRM 42, 1999).
 *
 * Voxels lie at r = x/N along every axis, x = i - floor(N/2) with i = 0..N-1, the first axis
 * fastest (Sutton, Noll and Fessler, IEEE TMI 22, 2003; gradients: Nguyen et al., IEEE TMI 33,
 * 2014; the phase of higher order, of concomitant fields or as a field camera measures it: Wilm et
 * al., Magn. Reson. Med. 65, 2011). With positions x is what they say, whatever the grid, of which
 * the number of voxels and the unit, a voxel of FOV/N, are left; engines that need the grid refuse
 * them. Nothing is scaled: adjoint is not inverse.
 */
typedef struct ndft_problem ndft_problem;

/*
 * Arrays of float or double by prec, in host or device memory, read during the call alone, on the
 * device's stream: what another stream writes there must be finished. Maps are
 * on the whole grid, [n[2]][n[1]][n[0]], whatever the mask; where it is 0 they are not read.
 */
typedef struct ndft_problem_desc {
    size_t struct_size;     /* sizeof(ndft_problem_desc) */
    int dim;                /* 1..3 */
    int64_t n[3];           /* voxels along each axis, at least 1; beyond dim 0 or 1 */
    ndft_prec prec;         /* of arrays and data, and of the computation */
    ndft_layout layout;     /* of data of several coils */
    int coils;              /* 1..256 images and sample vectors of one execution; 0: 1 */
    int frames;             /* 0 or 1: more are not built yet */
    double tol;             /* error that is allowed, 1e-13..1; 0: 1e-4 (f32), 1e-9 (f64) */
    ndft_tol_kind tol_kind; /* of what error */
    int64_t n_samples;      /* at least 1 */
    const void *k[3];       /* [n_samples] k-space position, cycles/FOV; NULL beyond dim */
    const void *t;       /* [n_samples] time since excitation, s; NULL: 0, where no map needs it */
    const void *field;   /* off-resonance, rad/s; NULL: none */
    const void *decay;   /* R2*, 1/s, at least 0, and with it t at least 0; NULL: none */
    int phases;          /* terms of a phase of higher order, 0..NDFT_HIGHER_TERMS */
    const void *phase_c; /* [phases][n_samples] rad per unit of b, of field's sign */
    const void *phase_b; /* [phases] maps: products of coordinates, or any other */
    const void *gradient[3];   /* field's gradient per axis, Hz/voxel; of all dim axes or NULL */
    const unsigned char *mask; /* on the grid, 0: not a voxel of the image; NULL: all are */
    const void *position[3];   /* along each axis, in voxels from the centre: of all dim axes, or
                                * NULL, on the grid; those that are the grid's own are the same */
    const void *maps; /* complex, [coils][n[2]][n[1]][n[0]] in either layout: what each coil sees
                       * of the one image; NULL: each coil has an image of its own */
} ndft_problem_desc;

/*
 * Copies and checks a problem, and derives what plans ask of it. NDFT_EINVAL names the field with
 * its value, and of an array the first element that is not finite or too large; NDFT_EUNSUPPORTED a
 * field that is not built yet; NDFT_ENOMEM.
 */
NDFT_API ndft_status ndft_problem_create(ndft_device *, const ndft_problem_desc *,
                                         ndft_problem **problem);

/* Voxels of the image (those of the mask) and samples, of one coil; either may be NULL, and both
 * are 0 of no problem. Data are complex numbers, real and imaginary part side by side:
 * [coils][length], or [length][coils] where interleaved; the image of a problem with coil maps is
 * one, [length]. Of a uniform transform they are the
 * complex numbers that the memory of its input and of its output has room for, a last lone real
 * rounded up. */
NDFT_API void ndft_problem_lengths(const ndft_problem *, int64_t *n_voxels, int64_t *n_samples);

/* Plans keep their problem: it goes with the last of them. NULL is allowed. */
NDFT_API void ndft_problem_destroy(ndft_problem *);

#ifdef __cplusplus
}
#endif
#endif
