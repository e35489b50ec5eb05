/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_MOMENTS_H
#define NDFT_DEVICE_MOMENTS_H

#include "base/exec.h"
#include "base/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What ndft_backend has of moments, on the processor. */
ndft_status ndft_moments_weigh(ndft_exec *, ndft_prec, const ndft_placement *, int weights,
                               const void *w, const void *in, void *out);
ndft_status ndft_moments_sum(ndft_exec *, ndft_prec, const ndft_placement *, int weights,
                             const void *a, const void *b, bool add, void *sums);

#ifdef __cplusplus
}
#endif
#endif
