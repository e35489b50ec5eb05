/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_MOMENTS_H
#define NDFT_DEVICE_MOMENTS_H

#include "base/exec.h"

#include <ndft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of one length, a coil's each. */
typedef struct ndft_moment_columns {
    ndft_prec prec;
    ndft_layout layout;
    int coils;
    int64_t length;
} ndft_moment_columns;

/* What ndft_backend has of these names, on the processor. */
ndft_status ndft_moments_weigh(ndft_exec *, const ndft_moment_columns *, int weights, const void *w,
                               const void *in, void *out);
ndft_status ndft_moments_sum(ndft_exec *, const ndft_moment_columns *, int weights, const void *a,
                             const void *b, bool add, void *sums);

#ifdef __cplusplus
}
#endif
#endif
