/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRPZ_SUMS_H
#define NDFT_CHIRPZ_SUMS_H

#include "reference.h"

#include "base/chirpz.h"

/*
 * The oracle of chirp z-transforms: their sums in double, each phase a multiple of W's and A's
 * turns that is reduced before it is rounded, magnitudes by logarithms in double-double,
 * compensated. Arguments and errors are ndft_reference's.
 */
ndft_status ndft_chirpz_reference(const ndft_chirpz_problem *, const void *in,
                                  const int64_t *outputs, int64_t n_outputs, double *result,
                                  int threads, ndft_error *);

/* Differences as ndft_compare: max_err is over |x|_1 and the largest |A^-n W^(n k)|, in each of the
 * batch. */
ndft_difference ndft_chirpz_compare(const ndft_chirpz_problem *, const void *in, const void *out,
                                    const int64_t *outputs, int64_t n_outputs,
                                    const double *result);

#endif
