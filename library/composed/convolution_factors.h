/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLUTION_FACTORS_H
#define NDFT_CONVOLUTION_FACTORS_H

#include "base/convolution.h"
#include "base/status.h"

/*
 * What a convolution multiplies with, made of its kernel in double, [cells] complex, which is
 * overwritten: into the problem, of which all else is set, and factors, [cells] complex by its
 * precision. is_spectrum: the kernel is given by its spectrum. NDFT_EINVAL names the first element
 * beyond the precision; NDFT_EUNSUPPORTED where no transform of the processor promises enough.
 */
ndft_status ndft_convolution_factors(ndft_convolution_problem *, double *kernel, bool is_spectrum,
                                     void *factors, ndft_error *);

#endif
