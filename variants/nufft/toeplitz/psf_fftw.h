/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PSF_FFTW_H
#define NDFT_NUFFT_PSF_FFTW_H

#include "psf.h"

/* The spectra of all terms, out[terms][size] reals of the problem's precision, divided by size so
 * that forward and inverse transforms with them need no factor. NDFT_ENOMEM. */
ndft_status ndft_psf_spectra(const ndft_problem *, const ndft_psf *, const ndft_toeplitz *,
                             int threads, ndft_error *, void *out);

#endif
