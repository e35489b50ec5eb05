/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WEIGHTS_CUH
#define NDFT_NUFFT_WEIGHTS_CUH

#include "window.h"

/*
 * The window's weights in kernels: passed by value, so that polynomials lie in the constant bank,
 * where unrolled loops read them as operands.
 */
template <class R> struct ndft_weights {
    int width, degree, density;
    const R *table; /* rows of NDFT_MAX_WIDTH weights; NULL: by the polynomials */
    R poly[NDFT_MAX_DEGREE + 1][NDFT_MAX_WIDTH]; /* [q][w], zeros beyond degree and width */
};

/* Weight of cell first + w alone. */
template <class R>
__device__ __forceinline__ R ndft_weight(const ndft_weights<R> &weights, int w, R s)
{
    if (weights.table) {
        const R at = (s + 1) * (R)(weights.density / 2);
        const int row = (int)at;
        const R *low = weights.table + row * NDFT_MAX_WIDTH + w;
        return fma(at - row, low[NDFT_MAX_WIDTH] - low[0], low[0]);
    }
    R sum = weights.poly[weights.degree][w];
    for (int q = weights.degree - 1; q >= 0; q--) sum = fma(sum, s, weights.poly[q][w]);
    return sum;
}

/* Degree up to which ndft_weigh of W cells is unrolled. */
template <int W> constexpr int ndft_unrolled_degree = W + 4;

/*
 * All weights of one axis, W at least the width (zeros beyond it). As the window is even, cells w
 * and width-1-w share the even and the odd part of one polynomial; that holds where W is the width.
 */
template <int W, class R>
__device__ __forceinline__ void ndft_weigh(const ndft_weights<R> &weights, R s, R (&out)[W])
{
    if (weights.table) {
#pragma unroll
        for (int w = 0; w < W; w++) out[w] = ndft_weight(weights, w, s);
        return;
    }
    constexpr int TOP = ndft_unrolled_degree<W> / 2;
    const R z = s * s;
#pragma unroll
    for (int w = 0; w < (W + 1) / 2; w++) {
        R even = weights.poly[2 * TOP][w], odd = weights.poly[2 * TOP + 1][w];
#pragma unroll
        for (int q = TOP - 1; q >= 0; q--) {
            even = fma(even, z, weights.poly[2 * q][w]);
            odd = fma(odd, z, weights.poly[2 * q + 1][w]);
        }
        out[w] = fma(odd, s, even);
        out[W - 1 - w] = fma(-odd, s, even);
    }
}

#endif
