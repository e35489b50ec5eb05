/* SPDX-License-Identifier: Apache-2.0 */
#include "weigh_loop.h"

typedef ndft_real real;

/* to = weight x from, or added to what is there. */
static inline __attribute__((always_inline)) void multiply(real *restrict to,
                                                           const real *restrict from,
                                                           const real *restrict weight, int64_t n,
                                                           const real sign, const bool add)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const real re = weight[2 * i], im = sign * weight[2 * i + 1];
        const real x = from[2 * i] * re - from[2 * i + 1] * im;
        const real y = from[2 * i] * im + from[2 * i + 1] * re;
        to[2 * i] = add ? to[2 * i] + x : x;
        to[2 * i + 1] = add ? to[2 * i + 1] + y : y;
    }
}

static const real *weights_of(const peer_weights *w, int term, int64_t begin)
{
    return (const real *)w->of + 2 * (term * w->length + begin);
}

void NDFT_LOOP(peer_expand)(const peer_weights *w, int64_t begin, int64_t end, const void *in,
                            void *columns)
{
    const real sign = w->conjugated ? -1 : 1;
    for (int l = 0; l < w->terms; l++)
        for (int c = 0; c < w->coils; c++)
            multiply((real *)columns + 2 * ((int64_t)(l * w->coils + c) * w->length + begin),
                     (const real *)in + 2 * (c * w->length + begin), weights_of(w, l, begin),
                     end - begin, sign, false);
}

void NDFT_LOOP(peer_join)(const peer_weights *w, int64_t begin, int64_t end, const void *columns,
                          void *out)
{
    const real sign = w->conjugated ? -1 : 1;
    for (int c = 0; c < w->coils; c++) {
        real *to = (real *)out + 2 * (c * w->length + begin);
        const real *from = (const real *)columns + 2 * (c * w->length + begin);
        multiply(to, from, weights_of(w, 0, begin), end - begin, sign, false);
        for (int l = 1; l < w->terms; l++)
            multiply(to, from + 2 * (int64_t)l * w->coils * w->length, weights_of(w, l, begin),
                     end - begin, sign, true);
    }
}
