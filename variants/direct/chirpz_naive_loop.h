/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_CHIRPZ_NAIVE_LOOP_H
#define NDFT_CHIRPZ_NAIVE_LOOP_H

#include "core/loop.h"

#include "base/chirpz.h"

typedef struct chirpz_naive {
    int64_t inputs, outputs;
    int batch, threads;
    ndft_polar w, a;
    double log_w, log_a; /* of both moduli */
} chirpz_naive;

/* Overwrites out from in. */
typedef void chirpz_naive_loop(const chirpz_naive *, bool adjoint, const void *in, void *out);

/* What is promised of it: phases and magnitudes are made in double, whose exponential errs by a
 * unit of its argument's. */
static inline double ndft_chirpz_naive_truncation(const ndft_problem *p, const int *knobs)
{
    double magnitude;
    (void)knobs;
    ndft_chirpz_log_max(ndft_chirpz_of(p), &magnitude);
    return 4 * magnitude * ndft_roundoff(NDFT_F64);
}

static inline double ndft_chirpz_naive_worst(const ndft_problem *p, ndft_op op, const int *knobs)
{
    (void)op;
    return ndft_chirpz_naive_truncation(p, knobs);
}

/* Of a claim, beside the cost of its sums. */
#define NDFT_CHIRPZ_NAIVE_CLAIM                                                                    \
    {                                                                                              \
        .b = 0.8, .c = 8, .truncation = ndft_chirpz_naive_truncation,                              \
        .any = {.c = NDFT_ANY_LIBM + NDFT_ANY_PRODUCT + NDFT_ANY_PRODUCT,                          \
                .truncation = ndft_chirpz_naive_worst},                                            \
        .deterministic = true,                                                                     \
    }

#endif
