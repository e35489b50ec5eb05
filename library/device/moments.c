/* SPDX-License-Identifier: Apache-2.0 */
#include "moments.h"

#include "base/problem.h"

/* prec is known to the compiler. */
static inline void weigh(const ndft_exec *exec, ndft_prec prec, const ndft_placement *t,
                         int weights, const void *w, const void *in, void *out)
{
    const int64_t all = t->coils * t->length;
#pragma omp parallel for collapse(2) num_threads(exec->threads) schedule(static)
    for (int l = 0; l < weights; l++)
        for (int64_t i = 0; i < all; i++) {
            const int64_t v = t->coil == 1 ? i / t->coils : i % t->length;
            const double weight = ndft_real_at(w, prec, l * t->length + v);
            for (int64_t part = 2 * i; part < 2 * i + 2; part++)
                ndft_put_real(out, prec, 2 * l * all + part, weight * ndft_real_at(in, prec, part));
        }
}

ndft_status ndft_moments_weigh(ndft_exec *exec, ndft_prec prec, const ndft_placement *t,
                               int weights, const void *w, const void *in, void *out)
{
    if (prec == NDFT_F32)
        weigh(exec, NDFT_F32, t, weights, w, in, out);
    else
        weigh(exec, NDFT_F64, t, weights, w, in, out);
    return NDFT_OK;
}

/* Im(a conj(b)) at two places. */
static inline double moment(ndft_prec prec, const void *a, int64_t i, const void *b, int64_t j)
{
    return ndft_real_at(a, prec, 2 * i + 1) * ndft_real_at(b, prec, 2 * j) -
           ndft_real_at(a, prec, 2 * i) * ndft_real_at(b, prec, 2 * j + 1);
}

static inline void moments(const ndft_exec *exec, ndft_prec prec, const ndft_placement *t,
                           int weights, const void *a, const void *b, bool add, void *sums)
{
    const int64_t all = t->coils * t->length;
#pragma omp parallel for num_threads(exec->threads) schedule(static)
    for (int64_t j = 0; j < t->length; j++)
        for (int l = 0; l < weights; l++) {
            double sum = add ? ndft_real_at(sums, prec, j * weights + l) : 0;
            for (int coil = 0; coil < t->coils; coil++) {
                const int64_t at = coil * t->coil + j * t->element;
                sum += moment(prec, a, l * all + at, b, at);
            }
            ndft_put_real(sums, prec, j * weights + l, sum);
        }
}

ndft_status ndft_moments_sum(ndft_exec *exec, ndft_prec prec, const ndft_placement *t, int weights,
                             const void *a, const void *b, bool add, void *sums)
{
    if (prec == NDFT_F32)
        moments(exec, NDFT_F32, t, weights, a, b, add, sums);
    else
        moments(exec, NDFT_F64, t, weights, a, b, add, sums);
    return NDFT_OK;
}
