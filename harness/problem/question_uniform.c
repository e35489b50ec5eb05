/* SPDX-License-Identifier: Apache-2.0 */
#include "question.h"

/* The largest prime factor of n; 1 of 1. */
static int64_t largest_factor(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        for (; n % p == 0; n /= p) largest = p;
    return n > 1 ? n : largest;
}

/* Whether the numbers of a transform along N1 lie side by side. */
static bool contiguous(const ndft_tensor *t)
{
    return t->shape[NDFT_MODE_N] == 1 || t->stride[NDFT_MODE_N] == 1;
}

ndft_question ndft_question_of_transform(const ndft_transform *t, bool callbacks, double tol,
                                         const char *device)
{
    int64_t factor = 1;
    for (int d = 0; d < t->dim; d++) {
        const int64_t own = largest_factor(t->shape[NDFT_MODE_N + d]);
        if (own > factor) factor = own;
    }
    return (ndft_question){.kind = NDFT_UNIFORM,
                           .device = device,
                           .mode = "batch",
                           .op = NDFT_FORWARD,
                           .dim = t->dim,
                           .prec = t->prec,
                           .tol = tol,
                           .domain = t->domain,
                           .in_place = t->in_place,
                           .contiguous = contiguous(&t->in) && contiguous(&t->out),
                           .callbacks = callbacks,
                           .length = (double)ndft_transform_length(t),
                           .batch = (double)ndft_transform_batch(t),
                           .factor = (double)factor};
}
