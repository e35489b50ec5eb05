/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_FOOTPRINT_CUH
#define NDFT_NUFFT_FOOTPRINT_CUH

#include "core/atomic_add.cuh"
#include "nufft/pipeline_cufft.cuh"

/*
 * A thread, or a few neighbouring ones, have a sample, whose weights they evaluate once for all
 * coils of their share: how samples and coils are dealt to threads. Interpolation is straight from
 * the grid, whose cells are read from the caches, 16 bytes at a time. Samples that are neighbours
 * in their tile share lines of the first cache, whose rate of lines is the ceiling.
 */

enum { NDFT_SAMPLE_THREADS = 128 };

/* Samples, of so many threads each, along x, shares of coils along y. */
inline dim3 ndft_nufft_sample_blocks(const ndft_nufft_plan *plan, const ndft_nufft_pass *pass,
                                     int lanes)
{
    return {ndft_blocks(plan->samples.count * lanes, NDFT_SAMPLE_THREADS),
            ndft_blocks(pass->coils, plan->share), 1};
}

/*
 * The cells of one sample, 16 bytes at a time: along x, in pairs of f32 cells that begin at even
 * ones (a sample that begins at an odd one has a weight of zero in front). Grids have an even
 * number of cells along x, so pairs do not break where the grid wraps around. A pair of cells, or
 * one of f64, is a pack, and each of LANES threads has every LANES-th of a row.
 */
template <class R, int DIM, int W, int LANES> struct ndft_footprint {
    static constexpr int PAIR = 16 / sizeof(ndft_complex<R>);
    static constexpr int PACKS = ((W + PAIR - 1 + PAIR - 1) / PAIR + LANES - 1) / LANES;
    static constexpr int UNROLL = 2 * ndft_unroll<W>;
    static constexpr int PLANES = DIM > 2 ? W : 1, ROWS = DIM > 1 ? W : 1;
    using pack = ndft_pack<R, 2 * PAIR>;

    int width, packs, first, row, plane; /* packs of this thread from first on, every LANES-th */
    R x[PACKS * PAIR], y[ROWS], z[PLANES];

    __device__ ndft_footprint(const ndft_nufft_view<R, W> &view, int64_t i)
        : width(W == NDFT_MAX_WIDTH ? view.weights.width : W), row(0), plane(0)
    {
        R at[W];
        ndft_weigh(view.weights, ((const R *)view.samples.s[0])[i], at);
        first = view.samples.first[0][i];
        const int odd = first & (PAIR - 1), lane = threadIdx.x % LANES;
        first = first / PAIR + lane;
        packs = ((odd + width + PAIR - 1) / PAIR - lane + LANES - 1) / LANES;
#pragma unroll UNROLL
        for (int w = 0; w < PACKS * PAIR; w++) x[w] = weight_of(at, w, lane, odd);
        y[0] = z[0] = 1;
        if constexpr (DIM > 1) {
            ndft_weigh(view.weights, ((const R *)view.samples.s[1])[i], y);
            row = view.samples.first[1][i];
        }
        if constexpr (DIM > 2) {
            ndft_weigh(view.weights, ((const R *)view.samples.s[2])[i], z);
            plane = view.samples.first[2][i];
        }
    }

    /* Of the w-th cell of this thread, from the weights of a sample that begins at an odd cell or
     * not. */
    __device__ __forceinline__ R weight_of(const R (&at)[W], int w, int lane, int odd) const
    {
        const int from = w / PAIR * LANES * PAIR + w % PAIR; /* of lane 0 */
        R weight = 0;
#pragma unroll UNROLL
        for (int c = 0; c < W; c++)
            if (c == from + lane * PAIR - odd && c < width) weight = at[c];
        return weight;
    }

    /* f(offset of a row of cells, in packs, and its weight) for all rows, planes after each other
     * or so many AT_ONCE, whose weights then stay in registers. */
    template <int AT_ONCE = 0, class F>
    __device__ __forceinline__ void rows(const ndft_nufft_grid &grid, F f) const
    {
        constexpr int TOGETHER = AT_ONCE ? AT_ONCE : 1;
        const int64_t across = grid.row / PAIR, deep = grid.plane / PAIR;
        R left[PLANES]; /* the next plane's first: picked by a number they would lie in memory */
        if constexpr (AT_ONCE > 0) {
#pragma unroll
            for (int c = 0; c < PLANES; c++) left[c] = z[c];
        }
#pragma unroll TOGETHER
        for (int c = 0; c < PLANES; c++) {
            if (W == NDFT_MAX_WIDTH && DIM > 2 && c >= width) break;
            const int64_t from = ndft_wrapped(plane + c, grid.n[2]) * deep;
            const R depth = AT_ONCE ? left[0] : z[c];
#pragma unroll UNROLL
            for (int b = 0; b < ROWS; b++) {
                if (W == NDFT_MAX_WIDTH && DIM > 1 && b >= width) break;
                f(from + ndft_wrapped(row + b, grid.n[1]) * across, depth * y[b]);
            }
            if constexpr (AT_ONCE > 0) {
#pragma unroll
                for (int k = 0; k + 1 < PLANES; k++) left[k] = left[k + 1];
            }
        }
    }

    /* sum of weight times cell over a column, of one thread */
    template <int AT_ONCE = 0>
    __device__ __forceinline__ ndft_complex<R> gather(const ndft_nufft_grid &grid,
                                                      const ndft_complex<R> *column) const
    {
        static_assert(LANES == 1, "threads of a sample do not add up");
        ndft_complex<R> sum = {0, 0};
        const int across = grid.n[0] / PAIR;
        rows<AT_ONCE>(grid, [&](int64_t at, R weight) {
            ndft_complex<R> part = {0, 0};
#pragma unroll UNROLL
            for (int a = 0; a < PACKS; a++) {
                if (W == NDFT_MAX_WIDTH && a >= packs) break;
                const pack cells = ((const pack *)column)[at + ndft_wrapped(first + a, across)];
#pragma unroll
                for (int e = 0; e < PAIR; e++) {
                    part.re = fma(x[a * PAIR + e], cells.v[2 * e], part.re);
                    part.im = fma(x[a * PAIR + e], cells.v[2 * e + 1], part.im);
                }
            }
            sum.re = fma(weight, part.re, sum.re);
            sum.im = fma(weight, part.im, sum.im);
        });
        return sum;
    }

    /* column += weight times value at its cells */
    __device__ __forceinline__ void scatter(const ndft_nufft_grid &grid, ndft_complex<R> *column,
                                            ndft_complex<R> value) const
    {
        const int across = grid.n[0] / PAIR;
        rows(grid, [&](int64_t at, R weight) {
            const ndft_complex<R> part = {weight * value.re, weight * value.im};
#pragma unroll UNROLL
            for (int a = 0; a < PACKS; a++) {
                if ((W == NDFT_MAX_WIDTH || LANES > 1) && a >= packs) break;
                pack cells;
#pragma unroll
                for (int e = 0; e < PAIR; e++) {
                    cells.v[2 * e] = x[a * PAIR + e] * part.re;
                    cells.v[2 * e + 1] = x[a * PAIR + e] * part.im;
                }
                ndft_atomic_add((pack *)column + at + ndft_wrapped(first + a * LANES, across),
                                cells);
            }
        });
    }
};

#endif
