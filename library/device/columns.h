/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COLUMNS_H
#define NDFT_COLUMNS_H

#include "base/exec.h"

#include <ndft/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of one length, a coil's each. */
typedef struct ndft_coil_columns {
    ndft_prec prec;
    ndft_layout layout;
    int coils;
    int64_t length;
} ndft_coil_columns;

/* What ndft_backend has of these names, on the processor. */
ndft_status ndft_columns_weigh(ndft_exec *, const ndft_coil_columns *, int weights, const void *w,
                               const void *in, void *out);
ndft_status ndft_columns_moments(ndft_exec *, const ndft_coil_columns *, int weights, const void *a,
                                 const void *b, bool add, void *sums);

#ifdef __cplusplus
}
#endif
#endif
