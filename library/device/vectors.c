/* SPDX-License-Identifier: Apache-2.0 */
#include "vectors.h"

#include "descriptor.h"

#include <string.h>

/* Equally spaced elements. */
static void scale_run(void *memory, ndft_prec prec, int parts, int64_t n, int64_t stride,
                      double factor)
{
    for (int64_t i = 0; i < n; i++)
        for (int part = 0; part < parts; part++) {
            const int64_t at = parts * i * stride + part;
            ndft_put_real(memory, prec, at, factor * ndft_real_at(memory, prec, at));
        }
}

ndft_status ndft_vectors_scale(ndft_exec *exec, ndft_prec prec, const ndft_tensor *t, void *memory,
                               double factor)
{
    const int parts = t->real ? 1 : 2;
    const ndft_tensor_runs runs = ndft_tensor_runs_of(t);
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t r = 0; r < runs.n; r++) {
        const int64_t at = parts * ndft_tensor_place(t, r * runs.length);
        scale_run((char *)memory + (size_t)at * ndft_real_size(prec), prec, parts, runs.length,
                  runs.stride, factor);
    }
    return NDFT_OK;
}

ndft_status ndft_vectors_place(ndft_exec *exec, ndft_prec prec, int64_t batch,
                               const int64_t from_n[3], const void *from, const int64_t to_n[3],
                               void *to)
{
    const size_t element = 2 * ndft_real_size(prec), row_bytes = (size_t)to_n[0] * element;
    const int64_t width = from_n[0] < to_n[0] ? from_n[0] : to_n[0];
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t row = 0; row < batch * to_n[2] * to_n[1]; row++) {
        const int64_t y = row % to_n[1], z = row / to_n[1] % to_n[2], b = row / to_n[1] / to_n[2];
        const int64_t at = ((b * from_n[2] + z) * from_n[1] + y) * from_n[0];
        const size_t bytes = y < from_n[1] && z < from_n[2] ? (size_t)width * element : 0;
        char *out = (char *)to + (size_t)row * row_bytes;
        if (bytes) memcpy(out, (const char *)from + (size_t)at * element, bytes);
        memset(out + bytes, 0, row_bytes - bytes);
    }
    return NDFT_OK;
}

/* prec is known to the compiler. */
static inline void multiply(const ndft_exec *exec, ndft_prec prec, int64_t batch, int64_t n,
                            const void *factors, double sign, void *values)
{
#pragma omp parallel for collapse(2) num_threads(exec->threads) schedule(static)
    for (int64_t b = 0; b < batch; b++)
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = 2 * (b * n + i);
            const double re = ndft_real_at(values, prec, at);
            const double im = ndft_real_at(values, prec, at + 1);
            const double cosine = ndft_real_at(factors, prec, 2 * i);
            const double sine = sign * ndft_real_at(factors, prec, 2 * i + 1);
            ndft_put_real(values, prec, at, re * cosine - im * sine);
            ndft_put_real(values, prec, at + 1, re * sine + im * cosine);
        }
}

ndft_status ndft_vectors_multiply(ndft_exec *exec, ndft_prec prec, int64_t batch, int64_t n,
                                  const void *factors, bool conjugate, void *values)
{
    const double sign = conjugate ? -1 : 1;
    if (prec == NDFT_F32)
        multiply(exec, NDFT_F32, batch, n, factors, sign, values);
    else
        multiply(exec, NDFT_F64, batch, n, factors, sign, values);
    return NDFT_OK;
}

ndft_status ndft_vectors_add(ndft_exec *exec, ndft_prec prec, int64_t n, const void *x,
                             const void *y, void *sum)
{
    const float *x32 = x, *y32 = y;
    const double *x64 = x, *y64 = y;
    float *sum32 = sum;
    double *sum64 = sum;
    if (prec == NDFT_F32) {
#pragma omp parallel for simd num_threads(exec->threads) schedule(static)
        for (int64_t i = 0; i < n; i++) sum32[i] = x32[i] + y32[i];
    } else {
#pragma omp parallel for simd num_threads(exec->threads) schedule(static)
        for (int64_t i = 0; i < n; i++) sum64[i] = x64[i] + y64[i];
    }
    return NDFT_OK;
}
