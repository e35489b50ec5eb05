/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_WEIGHTS_CUH
#define NDFT_NUFFT_WEIGHTS_CUH

#include "window.h"

#include <type_traits>

/* Loops over the cells of W known when compiling are unrolled. */
template <int W> constexpr int ndft_unroll = W == NDFT_MAX_WIDTH ? 1 : W;

/* Degree of the polynomials that kernels for W cells evaluate: no window has more than W + 1, or 4
 * of the least. */
template <int W>
constexpr int ndft_degree = W == NDFT_MAX_WIDTH ? NDFT_MAX_DEGREE
                            : W > 3             ? W + 1
                                                : 4;

/*
 * The window's weights in kernels: passed by value, so that polynomials lie in the constant bank,
 * where unrolled loops read them as operands. W is the window's width, or NDFT_MAX_WIDTH for any.
 * As the window is even, cells w and W-1-w share the even and the odd part of one polynomial.
 */
template <class R, int W = NDFT_MAX_WIDTH> struct ndft_weights {
    int width, degree, density;
    const R *table; /* rows of NDFT_MAX_WIDTH weights; NULL: by the polynomials */
    R poly[ndft_degree<W> + 1][(W + 1) / 2]; /* [q][w], zeros beyond degree and width */
};

/* Whether kernels for W cells serve a window. */
template <int W> bool ndft_serves(const ndft_window *window)
{
    return W == NDFT_MAX_WIDTH || (W == window->width && window->degree <= ndft_degree<W>);
}

template <class R>
constexpr int ndft_unrolled_width = sizeof(R) == sizeof(float) ? NDFT_UNROLLED_F32
                                                               : NDFT_UNROLLED_F64;

/* f of the width, as a constant, for which kernels serve a window. */
template <class R, int W = NDFT_MIN_WIDTH, class F>
auto ndft_by_width(const ndft_window *window, F f)
{
    if constexpr (W > ndft_unrolled_width<R>) {
        return f(std::integral_constant<int, NDFT_MAX_WIDTH>{});
    } else {
        if (ndft_serves<W>(window)) return f(std::integral_constant<int, W>{});
        return ndft_by_width<R, W + 1>(window, f);
    }
}

template <class R, int W>
ndft_weights<R, W> ndft_weights_make(const ndft_window *window, int density, const void *table)
{
    ndft_weights<R, W> weights = {};
    weights.width = window->width;
    weights.degree = window->degree;
    weights.density = density;
    weights.table = (const R *)table;
    for (int q = 0; q <= window->degree; q++)
        for (int w = 0; w < (window->width + 1) / 2; w++)
            weights.poly[q][w] = (R)window->poly[w][q];
    return weights;
}

/* Weight of cell first + w by the table. */
template <int W, class R>
__device__ __forceinline__ R ndft_table_weight(const ndft_weights<R, W> &weights, int w, R s)
{
    const R at = (s + 1) * (R)(weights.density / 2);
    const int row = (int)at;
    const R *low = weights.table + row * NDFT_MAX_WIDTH + w;
    return fma(at - row, low[NDFT_MAX_WIDTH] - low[0], low[0]);
}

/* By polynomials of this degree at most; no window has one below its width - 1. Single precision
 * hardly asks for more than kernels are compiled for: such a loop stays one, and the code short. */
template <int DEGREE, int W, class R>
__device__ __forceinline__ void ndft_weigh_pairs(const ndft_weights<R, W> &weights, R s, R *out)
{
    constexpr int TOP = DEGREE / 2, PAIRS = (DEGREE < W ? DEGREE + 2 : W + 1) / 2;
    constexpr bool RARE = sizeof(R) == sizeof(float) && DEGREE > ndft_degree<NDFT_UNROLLED_F32>;
    constexpr int UNROLL = RARE ? 1 : PAIRS;
    const int width = W == NDFT_MAX_WIDTH ? weights.width : W;
    const R z = s * s;
#pragma unroll UNROLL
    for (int w = 0; w < PAIRS; w++) {
        if (W == NDFT_MAX_WIDTH && 2 * w >= width) break;
        R even = weights.poly[2 * TOP][w], odd = DEGREE % 2 ? weights.poly[DEGREE][w] : 0;
#pragma unroll
        for (int q = TOP - 1; q >= 0; q--) {
            even = fma(even, z, weights.poly[2 * q][w]);
            odd = fma(odd, z, weights.poly[2 * q + 1][w]);
        }
        out[w] = fma(odd, s, even);
        out[width - 1 - w] = fma(-odd, s, even);
    }
}

/* All weights of one axis. */
template <int W, class R>
__device__ __forceinline__ void ndft_weigh(const ndft_weights<R, W> &weights, R s, R *out)
{
    if (weights.table) {
#pragma unroll ndft_unroll < W>
        for (int w = 0; w < W; w++)
            if (w < weights.width) out[w] = ndft_table_weight(weights, w, s);
    } else if constexpr (W < NDFT_MAX_WIDTH) {
        ndft_weigh_pairs<ndft_degree<W>>(weights, s, out);
    } else if (weights.degree <= 6) {
        ndft_weigh_pairs<6>(weights, s, out);
    } else if (weights.degree <= 10) {
        ndft_weigh_pairs<10>(weights, s, out);
    } else if (weights.degree <= 14) {
        ndft_weigh_pairs<14>(weights, s, out);
    } else {
        ndft_weigh_pairs<NDFT_MAX_DEGREE>(weights, s, out);
    }
}

#endif
