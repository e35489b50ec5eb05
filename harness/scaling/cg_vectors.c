/* SPDX-License-Identifier: Apache-2.0 */
#include "cg_vectors.h"

#include <math.h>

static double real_dot(ndft_prec prec, const void *a, const void *b, int64_t from, int64_t to)
{
    const float *a32 = a, *b32 = b;
    const double *a64 = a, *b64 = b;
    double sum = 0;
    if (prec == NDFT_F32)
        for (int64_t i = from; i < to; i++) sum += (double)a32[i] * b32[i];
    else
        for (int64_t i = from; i < to; i++) sum += a64[i] * b64[i];
    return sum;
}

static ndft_status dot(ndft_exec *exec, ndft_prec prec, int64_t n, const void *a, const void *b,
                       double *parts)
{
    const int64_t each = (n + NDFT_DOT_PARTS - 1) / NDFT_DOT_PARTS;
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int i = 0; i < NDFT_DOT_PARTS; i++) {
        const int64_t from = i * each, to = from + each;
        parts[i] = real_dot(prec, a, b, from, to < n ? to : n);
    }
    return NDFT_OK;
}

static ndft_status combine(ndft_exec *exec, ndft_prec prec, int64_t n, double a, const void *x,
                           double b, void *y)
{
    const float *x32 = x, a32 = (float)a, b32 = (float)b;
    const double *x64 = x;
    float *y32 = y;
    double *y64 = y;
    if (prec == NDFT_F32) {
#pragma omp parallel for simd num_threads(exec->threads) schedule(static)
        for (int64_t i = 0; i < n; i++) y32[i] = a32 * x32[i] + b32 * y32[i];
    } else {
#pragma omp parallel for simd num_threads(exec->threads) schedule(static)
        for (int64_t i = 0; i < n; i++) y64[i] = a * x64[i] + b * y64[i];
    }
    return NDFT_OK;
}

const ndft_cg_vectors ndft_cg_vectors_cpu = {.dot = dot, .combine = combine};
