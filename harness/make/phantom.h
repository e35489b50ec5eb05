/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PHANTOM_H
#define NDFT_PHANTOM_H

/*
 * The Shepp-Logan phantom of ten ellipsoids (L. A. Shepp, B. F. Logan, IEEE Trans. Nucl. Sci. 21,
 * 1974; in 3D A. C. Kak, M. Slaney, "Principles of Computerized Tomographic Imaging", 1988, section
 * 3.2) with the contrast of P. Toft's thesis (1996). In 2D its first two axes, in 1D its first.
 */

/* The object at r, in FOV, dim coordinates. */
double ndft_phantom_at(int dim, const double *r);

/*
 * Its Fourier transform, integral of the object times exp(-2 pi i k.r), at k in cycles/FOV: for
 * each ellipsoid a sine in 1D, a Bessel function J1 in 2D (M. Slaney, A. Kak, section 3.1) and a
 * spherical Bessel function in 3D (C. G. Koay, J. E. Sarlls, E. Ozarslan, Magn. Reson. Med. 58,
 * 2007). Times the number of grid points it is what the operator makes of the object's raster, but
 * for the raster's aliasing.
 */
void ndft_phantom_transform(int dim, const double *k, double z[2]);

/* Coil c of `coils` sees the object times this constant, so that its transform stays exact: its
 * magnitude falls from 1 towards 1/2, its phase goes once around. */
void ndft_phantom_coil(int c, int coils, double z[2]);

#endif
