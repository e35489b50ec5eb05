/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CONVOLUTION_SUMS_H
#define NDFT_CONVOLUTION_SUMS_H

#include "reference.h"

#include "base/convolution.h"

/*
 * The oracle of convolutions: the sums of ndft/convolution.h in double, term by term from the
 * problem's kernel, compensated. Arguments and errors are ndft_reference's.
 */
ndft_status ndft_convolution_reference(const ndft_convolution_problem *, ndft_op, const void *in,
                                       const int64_t *outputs, int64_t n_outputs, double *result,
                                       int threads, ndft_error *);

/* Differences as the tolerance of convolutions counts them: rel_l2 is |y - ref|_2 over |x|_2 and
 * the largest magnitude of the kernel's spectrum, of a sample times the root of its share; max_err
 * likewise over |x|_1, in each of the batch. Of a normal operator both are over its square. */
ndft_difference ndft_convolution_compare(const ndft_convolution_problem *, ndft_op, const void *in,
                                         const void *out, const int64_t *outputs, int64_t n_outputs,
                                         const double *result);

#endif
