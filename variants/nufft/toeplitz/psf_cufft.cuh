/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PSF_CUFFT_CUH
#define NDFT_NUFFT_PSF_CUFFT_CUH

#include "core/complex.cuh"
#include "core/device.cuh"
#include "psf.h"

/* As psf_fftw.h's, into device memory: samples are spread by the host, all else is on the device.
 */
ndft_status ndft_psf_spectra(const ndft_problem *, const ndft_psf *, const ndft_toeplitz *,
                             ndft_exec *, void *out);

#endif
