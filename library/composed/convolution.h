/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LIBRARY_CONVOLUTION_H
#define NDFT_LIBRARY_CONVOLUTION_H

#include "base/convolution.h"
#include "id.h"
#include "prepared.h"

/*
 * The one engine of convolutions, convolution.BACKEND of the registry: a transform of the period,
 * the product, the transform back, both in place by the fastest engines of uniform transforms. Its
 * parts share the tolerance, half of which is kept for the second of two convolutions of a normal
 * operator.
 */
ndft_candidate ndft_convolution_on(const char *backend, bool deterministic);

/* When a kernel is transformed, by the knob kernel_fft: once in plan, or in every execution, before
 * the input's transform or, on a device with streams, beside it. */
extern const char *const ndft_kernel_moments[];
enum { NDFT_KERNEL_IN_PLAN, NDFT_KERNEL_IN_EXECUTE, NDFT_KERNEL_BESIDE };

/* The tolerance of a convolution, of which all else is set, that leaves each of its transforms this
 * much; knobs: of the engine. */
double ndft_convolution_tol(const ndft_convolution_problem *, const int *knobs, double each);

/* What an execution declares to launch, where that is what was prepared. */
double ndft_convolution_launches(const ndft_prepared *, ndft_op op);

#endif
