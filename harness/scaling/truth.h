/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_TRUTH_H
#define NDFT_TRUTH_H

#include "problem/kinds.h"

/* Some outputs as the reference has them, which results of one device and of several are held
 * against. */
typedef struct ndft_truth {
    const ndft_kind *kind;
    const ndft_made *made;
    ndft_op op;
    int64_t *outputs, n;
    double *values; /* NULL: what it would take is too long */
} ndft_truth;

/* As many as the host sums in a second or some; zeros before. NDFT_ENOMEM. */
ndft_status ndft_truth_find(const ndft_kind *, const ndft_made *, ndft_op, uint64_t seed,
                            ndft_truth *, ndft_error *);

/* |y - reference| / |reference| over them; NaN where nothing is known. */
double ndft_truth_error(const ndft_truth *, const void *out);

void ndft_truth_free(ndft_truth *);

#endif
