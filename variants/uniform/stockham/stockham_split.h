/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_STOCKHAM_SPLIT_H
#define NDFT_STOCKHAM_SPLIT_H

#include "uniform/axes.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A line too long for one kernel, or for one block of few, is a matrix (Bailey 1990): x[n] with n =
 * n1 B + n2 has its columns transformed, number k1 of column n2 multiplied by turn n2 k1, and rows
 * of what that makes, whose number k2 is X[k1 + k2 A].
 */

/* The axes of a transform, in place too; of a complex one of one long axis two passes. `split` is
 * the length of that, else 0. */
ndft_axes ndft_stockham_axes_of(const ndft_transform *, int64_t *split);

#ifdef __cplusplus
}
#endif

#endif
