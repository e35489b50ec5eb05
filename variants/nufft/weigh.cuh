/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WEIGH_CUH
#define NDFT_NUFFT_WEIGH_CUH

#include "weights.cuh"

/* Windows of at most so many cells and, each half, such a degree have their loops unrolled. */
enum { NDFT_WEIGH_UNROLLED = 8, NDFT_WEIGH_PAIRS = 5 };

/*
 * put(w, weight) for every cell w of a window of any width. Two cells share the even and the odd
 * part of one polynomial (window.h); up to the width that is unrolled coefficients are operands
 * from the constant bank.
 */
template <class R, class Put>
__device__ __forceinline__ void ndft_weigh_each(const ndft_weights<R> &weights, R s, Put put)
{
    const int width = weights.width;
    if (weights.table || width > NDFT_WEIGH_UNROLLED || weights.degree > 2 * NDFT_WEIGH_PAIRS) {
        for (int w = 0; w < width; w++) put(w, ndft_weight(weights, w, s));
        return;
    }
    const R z = s * s;
#pragma unroll
    for (int w = 0; w < NDFT_WEIGH_UNROLLED / 2; w++) {
        if (2 * w >= width) break;
        R even = weights.poly[2 * NDFT_WEIGH_PAIRS][w], odd = 0;
#pragma unroll
        for (int q = NDFT_WEIGH_PAIRS - 1; q >= 0; q--) {
            even = fma(even, z, weights.poly[2 * q][w]);
            odd = fma(odd, z, weights.poly[2 * q + 1][w]);
        }
        put(w, fma(odd, s, even));
        put(width - 1 - w, fma(-odd, s, even));
    }
}

#endif
