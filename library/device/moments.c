/* SPDX-License-Identifier: Apache-2.0 */
#include "moments.h"

#include "base/problem.h"

static int64_t place_of(const ndft_moment_columns *t, int coil, int64_t i)
{
    return t->layout == NDFT_PLANAR ? coil * t->length + i : i * t->coils + coil;
}

/* prec is known to the compiler. */
static inline void weigh(const ndft_exec *exec, const ndft_moment_columns *t, ndft_prec prec,
                         int weights, const void *w, const void *in, void *out)
{
    const int64_t all = t->coils * t->length;
#pragma omp parallel for collapse(2) num_threads(exec->threads) schedule(static)
    for (int l = 0; l < weights; l++)
        for (int64_t i = 0; i < all; i++) {
            const int64_t v = t->layout == NDFT_PLANAR ? i % t->length : i / t->coils;
            const double weight = ndft_real_at(w, prec, l * t->length + v);
            for (int64_t part = 2 * i; part < 2 * i + 2; part++)
                ndft_put_real(out, prec, 2 * l * all + part, weight * ndft_real_at(in, prec, part));
        }
}

ndft_status ndft_moments_weigh(ndft_exec *exec, const ndft_moment_columns *t, int weights,
                               const void *w, const void *in, void *out)
{
    if (t->prec == NDFT_F32)
        weigh(exec, t, NDFT_F32, weights, w, in, out);
    else
        weigh(exec, t, NDFT_F64, weights, w, in, out);
    return NDFT_OK;
}

/* Im(a conj(b)) at two places. */
static inline double moment(ndft_prec prec, const void *a, int64_t i, const void *b, int64_t j)
{
    return ndft_real_at(a, prec, 2 * i + 1) * ndft_real_at(b, prec, 2 * j) -
           ndft_real_at(a, prec, 2 * i) * ndft_real_at(b, prec, 2 * j + 1);
}

static inline void moments(const ndft_exec *exec, const ndft_moment_columns *t, ndft_prec prec,
                           int weights, const void *a, const void *b, bool add, void *sums)
{
    const int64_t all = t->coils * t->length;
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t j = 0; j < t->length; j++)
        for (int l = 0; l < weights; l++) {
            double sum = add ? ndft_real_at(sums, prec, j * weights + l) : 0;
            for (int coil = 0; coil < t->coils; coil++) {
                const int64_t at = place_of(t, coil, j);
                sum += moment(prec, a, l * all + at, b, at);
            }
            ndft_put_real(sums, prec, j * weights + l, sum);
        }
}

ndft_status ndft_moments_sum(ndft_exec *exec, const ndft_moment_columns *t, int weights,
                             const void *a, const void *b, bool add, void *sums)
{
    if (t->prec == NDFT_F32)
        moments(exec, t, NDFT_F32, weights, a, b, add, sums);
    else
        moments(exec, t, NDFT_F64, weights, a, b, add, sums);
    return NDFT_OK;
}
