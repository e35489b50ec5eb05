/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WEIGH_CUH
#define NDFT_NUFFT_WEIGH_CUH

#include "nufft/window/weights.cuh"

/* Windows of at most so many cells have their loops unrolled. */
enum { NDFT_WEIGH_UNROLLED = 8 };

/* The polynomials of such a window, of a degree of at most 2 PAIRS, unrolled: two cells
 * share the even and the odd part of one (window.h), and coefficients are operands from the
 * constant bank. */
template <int PAIRS, class R, class Put>
__device__ __forceinline__ void ndft_weigh_pairs(const ndft_weights<R> &weights, R s, Put put)
{
    const R z = s * s;
#pragma unroll
    for (int w = 0; w < NDFT_WEIGH_UNROLLED / 2; w++) {
        if (2 * w >= weights.width) break;
        R even = weights.poly[2 * PAIRS][w], odd = 0;
#pragma unroll
        for (int q = PAIRS - 1; q >= 0; q--) {
            even = fma(even, z, weights.poly[2 * q][w]);
            odd = fma(odd, z, weights.poly[2 * q + 1][w]);
        }
        put(w, fma(odd, s, even));
        put(weights.width - 1 - w, fma(-odd, s, even));
    }
}

/* put(w, weight) for every cell w of a window of any width. */
template <class R, class Put>
__device__ __forceinline__ void ndft_weigh_each(const ndft_weights<R> &weights, R s, Put put)
{
    const bool unrolled = !weights.table && weights.width <= NDFT_WEIGH_UNROLLED;
    if (unrolled && weights.degree <= 6) {
        ndft_weigh_pairs<3>(weights, s, put);
    } else if (unrolled && weights.degree <= 10) {
        ndft_weigh_pairs<5>(weights, s, put);
    } else {
        for (int w = 0; w < weights.width; w++) put(w, ndft_weight(weights, w, s));
    }
}

#endif
