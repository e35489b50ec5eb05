/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_TOEPLITZ_CLAIM_H
#define NDFT_NUFFT_TOEPLITZ_CLAIM_H

#include "psf.h"
#include "toeplitz.h"

#include "base/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What nufft_toeplitz says of a problem on either backend. */

/* The terms of the problem's field map, within their part of tol. */
void ndft_toeplitz_fit(const ndft_problem *, ndft_toeplitz *);

const char *ndft_toeplitz_unsupported(const ndft_problem *);

/* The claim of A^H A is twice that of an operation, hence half of what is lost. Every pair of
 * voxels is within it at every sample, and white data see a fraction of that. */
double ndft_toeplitz_truncation(const ndft_problem *);

/* The same, of any entry over the number of samples, with all roundings but one phasor's. */
double ndft_toeplitz_any(const ndft_problem *, ndft_op, const int *knobs);

/* passes: how often the grid of a column, as long as its spectrum, is read or written. */
ndft_cost ndft_toeplitz_cost(const ndft_problem *, double passes, double launches);

#ifdef __cplusplus
}
#endif
#endif
