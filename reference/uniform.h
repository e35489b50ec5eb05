/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_REFERENCE_UNIFORM_H
#define NDFT_REFERENCE_UNIFORM_H

#include "reference.h"

#include "base/uniform.h"

/*
 * The oracle of uniform transforms: the sum of uniform.h in double precision, each phase a multiple
 * n k mod N of 1/N turn in integers, sums compensated. A complex to real transform takes its input
 * as half of a spectrum X[-k] = conj X[k], and so counts it twice but for k_1 = 0 and N1/2.
 *
 * Computes the listed elements of the output tensor (the first mode fastest; NULL: all of them in
 * order), real and imaginary part each. in: as a variant reads it. Load and store functions are
 * called in double; what a store function leaves as it was is NaN. NDFT_ENOMEM.
 */
ndft_status ndft_uniform_reference(const ndft_transform *, const void *in, const int64_t *outputs,
                                   int64_t n_outputs, double *result, int threads, ndft_error *);

/* Whether the transform reads, or writes, the elements with these indices: all of them, but for
 * what its load and store functions leave out. */
bool ndft_uniform_reads(const ndft_transform *, const int64_t index[NDFT_MODES]);
bool ndft_uniform_writes(const ndft_transform *, const int64_t index[NDFT_MODES]);

/* Differences of what a variant has written from the reference, as ndft_compare. max_err is
 * relative to |x|_1 of the transform's own input, as its load function gives it, and to what a
 * store function makes of 1. */
ndft_difference ndft_uniform_compare(const ndft_transform *, const void *in, const void *out,
                                     const int64_t *outputs, int64_t n_outputs,
                                     const double *result);

/* The outputs to check, as ndft_sample_outputs, of terms x outputs up to 2^28 all. */
int64_t ndft_uniform_sample(const ndft_transform *, uint64_t seed, int64_t **outputs);

#endif
