/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SPREAD_INTERLEAVED_CUH
#define NDFT_NUFFT_SPREAD_INTERLEAVED_CUH

#include "core/early.cuh"
#include "core/mma.cuh"
#include "nufft/transform/interleaved_fft.cuh"
#include "product_visits.cuh"

/*
 * Spreading into grids whose columns lie side by side (transform/interleaved_fft.cuh), as products
 * on tensor cores: a warp owns a tile of 16 cells and goes through the list of all samples that
 * reach it (samples.cuh), eight at a time,
 *
 *     tile (16 cells x reals of columns) += weights (16 x 8) data (8 x reals of columns).
 *
 * Weights of 32 samples are evaluated into shared memory, a sample a lane, zeros where a window
 * ends; a weight is the product of those of the axes, formed in registers. In f32 both operands are
 * two parts of tf32, of which three products are formed. Every cell is written once, in whole
 * sectors; nothing is zeroed, and sums are the same from run to run.
 *
 * A warp has 4 P NB columns: a lane reads P reals at a time of a sample, NB times.
 */
template <int DIM, class R> struct ndft_nufft_product {
    ndft_nufft_lists lists;
    const ndft_product_tile *tile; /* [units] */
    const ndft_product_visit<DIM, R> *visit;
    ndft_rank_view<R> rank; /* with place NULL: the buffer's are weighed */
    int n[3];               /* cells of the grid */
    int axis[3];            /* reals of a sample's row of weights before each axis' cells */
    int stride;             /* reals of a row */
    int columns, log_lanes; /* of a term's groups, or all; log2 of those side by side */
    int chunks, terms;      /* warps that share a term's columns; terms, or 1 */
    int term;               /* the first */
    int64_t pitch;          /* columns of a sample in the buffer, a multiple of a warp's */
    const ndft_complex<R> *value;
    ndft_complex<R> *cells;
    ndft_complex<R> *part; /* [slot][cell of the tile][term][pitch] */

    /* Where a cell of a group's grid lies in a column of the term's. */
    __device__ __forceinline__ ndft_complex<R> *at(int of_term, int column, int64_t place) const
    {
        const int group = (of_term * columns + column) >> log_lanes;
        const int64_t group_cells = (int64_t)n[0] * n[1] * n[2];
        return cells + ((group * group_cells + place) << log_lanes) +
               (column & ((1 << log_lanes) - 1));
    }
};

enum { NDFT_PRODUCT_CELLS = 16, NDFT_PRODUCT_WARPS = 4 };

namespace
{

template <class R, int P> struct alignas(P * sizeof(R)) piece {
    R v[P];
};

/* A lane's part of the weights of 16 cells and 8 samples. */
template <class R> struct weight_parts {
    R a[4];
    __device__ explicit weight_parts(const R (&weight)[4])
    {
#pragma unroll
        for (int e = 0; e < 4; e++) a[e] = weight[e];
    }
};

template <> struct weight_parts<float> {
    unsigned high[4], low[4];
    __device__ explicit weight_parts(const float (&weight)[4])
    {
#pragma unroll
        for (int e = 0; e < 4; e++) ndft_split_tf32(weight[e], high[e], low[e]);
    }
};

/* sum += weights times the data of two samples of a lane, of N reals. */
template <int N>
__device__ __forceinline__ void multiply(const weight_parts<float> &a, const piece<float, N> &one,
                                         const piece<float, N> &two, float (*sum)[4])
{
    unsigned high[N][2], low[N][2];
#pragma unroll
    for (int i = 0; i < N; i++) {
        ndft_split_tf32(one.v[i], high[i][0], low[i][0]);
        ndft_split_tf32(two.v[i], high[i][1], low[i][1]);
    }
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.low, high[i][0], high[i][1]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, low[i][0], low[i][1]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, high[i][0], high[i][1]);
}

template <int N>
__device__ __forceinline__ void multiply(const weight_parts<double> &w, const piece<double, N> &one,
                                         const piece<double, N> &two, double (*sum)[4])
{
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int i = 0; i < N; i++) {
                auto &to = *(double(*)[2])(sum[i] + 2 * m);
                ndft_mma_f64::multiply(to, {w.a[m + 2 * k]}, {k ? two.v[i] : one.v[i]});
            }
}

/* Which of the warp's eight shares of a block of columns is that of operands' column q: such that
 * lanes that are neighbours in the sums write neighbouring bytes. */
__device__ __forceinline__ int share_of(int q) { return (q & 1) * 4 + q / 2; }

/* A warp of the kernel: its tile, columns and rows of weights. */
template <int DIM, int P, int NB, class R, int W> struct product_warp {
    static constexpr int COLUMNS = 4 * P * NB, BLOCK = 4 * P; /* of a warp, of a block of reals */
    static constexpr int X = ndft_product_edge(DIM, 0), Y = ndft_product_edge(DIM, 1);
    using row_piece = piece<R, P>;

    using visit = ndft_product_visit<DIM, R>;

    const ndft_nufft_product<DIM, R> &p;
    const ndft_weights<R, W> &weights;
    R *rows;
    R sum[P * NB][4];

    __device__ product_warp(const ndft_nufft_product<DIM, R> &p, const ndft_weights<R, W> &weights,
                            R *rows)
        : p(p), weights(weights), rows(rows)
    {
    }

    __device__ int lane() const { return threadIdx.x % 32; }
    __device__ int term() const { return blockIdx.y / p.chunks; }
    __device__ int first_column() const { return (blockIdx.y - term() * p.chunks) * COLUMNS; }

    /* The weights of the lane's visit on the tile's cells, zeros where it has none. */
    __device__ __forceinline__ void put_rows(const visit &at, bool inside) const
    {
        R *row = rows + lane() * p.stride;
        __syncwarp();
#pragma unroll
        for (int d = 0; d < DIM; d++) {
            R *axis = row + p.axis[d];
#pragma unroll
            for (int e = 0; e < ndft_product_edge(DIM, d); e++) axis[e] = 0;
            if (!inside) continue;
            ndft_weigh(weights, at.s[d], axis + at.start[d]);
            if (DIM == 1 && at.start[d] - p.n[d] > -weights.width) /* around a grid of one tile */
                ndft_weigh(weights, at.s[d], axis + (at.start[d] - p.n[d]));
        }
        __syncwarp();
    }

    /* Of two samples of the batch's step of eight that begins at `first`. */
    __device__ __forceinline__ void load(int j, int count, int first,
                                         row_piece (&value)[2][NB]) const
    {
        const int share = share_of(lane() / 4) * P;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int at = min(first + lane() % 4 + 4 * k, count - 1);
            const int64_t sample = __shfl_sync(~0u, j, at);
            const R *from = (const R *)(p.value + sample * p.pitch + first_column()) + share;
#pragma unroll
            for (int b = 0; b < NB; b++) value[k][b] = *(const row_piece *)(from + b * 2 * BLOCK);
        }
    }

    /* Turned by the conjugate weight of their sample, which its lane has. */
    __device__ __forceinline__ void turn(ndft_complex<R> weight, int first,
                                         row_piece (&value)[2][NB]) const
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int at = first + lane() % 4 + 4 * k;
            const R re = __shfl_sync(~0u, weight.re, at), im = __shfl_sync(~0u, weight.im, at);
#pragma unroll
            for (int b = 0; b < NB; b++)
#pragma unroll
                for (int i = 0; i < P; i += 2) {
                    const R x = value[k][b].v[i], y = value[k][b].v[i + 1];
                    value[k][b].v[i] = fma(re, x, im * y);
                    value[k][b].v[i + 1] = fma(re, y, -im * x);
                }
        }
    }

    /* The lane's weights: cells g and g + 8 of two samples. */
    __device__ __forceinline__ weight_parts<R> weights_at(int first) const
    {
        constexpr int LAST = DIM - 1, HALF = ndft_product_edge(DIM, LAST) / 2;
        const int g = lane() / 4, x = g % X, y = g / X % Y;
        const int last = DIM == 1 ? x : DIM == 2 ? y : 0;
        R weight[4];
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const R *row = rows + (first + lane() % 4 + 4 * k) * p.stride;
            R across = 1;
            if (DIM > 1) across = row[p.axis[0] + x];
            if (DIM > 2) across *= row[p.axis[1] + y];
            const R *at = row + p.axis[LAST] + last;
            weight[2 * k] = across * at[0];
            weight[2 * k + 1] = across * at[HALF];
        }
        return weight_parts<R>(weight);
    }

    /* Adds so many visits, one in the lane of each. */
    __device__ __forceinline__ void add(const visit &at, int count)
    {
        const int64_t j = at.sample;
        row_piece next[2][NB];
        load(at.sample, count, 0, next);
        ndft_complex<R> weight = {1, 0};
        if (p.rank.place && lane() < count)
            weight = ndft_rank_sample(p.rank, ndft_rank_row(p.rank, j), j, p.term + term());
        put_rows(at, lane() < count);
        for (int first = 0; first < count; first += 8) {
            row_piece now[2][NB];
#pragma unroll
            for (int k = 0; k < 2; k++)
#pragma unroll
                for (int b = 0; b < NB; b++) now[k][b] = next[k][b];
            if (first + 8 < count) load(at.sample, count, first + 8, next);
            if (p.rank.place) turn(weight, first, now);
            const weight_parts<R> a = weights_at(first);
#pragma unroll
            for (int b = 0; b < NB; b++) multiply<P>(a, now[0][b], now[1][b], sum + b * P);
        }
    }

    /* Where a cell of the tile lies in a group's grid, -1 beyond its edge. */
    __device__ __forceinline__ int64_t place_of(const ndft_product_tile &tile, int cell) const
    {
        const int x = tile.at[0] + cell % X, y = tile.at[1] + cell / X % Y;
        const int z = tile.at[2] + cell / (X * Y);
        if (x >= p.n[0] || y >= p.n[1] || z >= p.n[2]) return -1;
        return ((int64_t)z * p.n[1] + y) * p.n[0] + x;
    }

    /* Writes the tile, or its part. */
    __device__ __forceinline__ void put(const ndft_product_tile &tile) const
    {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            const int cell = lane() / 4 + 8 * h;
            const int64_t place = place_of(tile, cell);
            const int64_t slot = ((int64_t)tile.slot * NDFT_PRODUCT_CELLS + cell) * p.terms;
            if (tile.slot < 0 && place < 0) continue;
#pragma unroll
            for (int b = 0; b < NB; b++)
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    const int at = share_of(lane() % 4 * 2 + e) * P; /* reals */
                    const int column = first_column() + b * BLOCK + at / 2;
                    if (column >= p.columns) continue;
                    row_piece out;
#pragma unroll
                    for (int i = 0; i < P; i++) out.v[i] = sum[b * P + i][2 * h + e];
                    *(row_piece *)(tile.slot < 0 ? p.at(term(), column, place)
                                                 : p.part + (slot + term()) * p.pitch + column) =
                        out;
                }
        }
    }
};

/* Each warp takes every so many-th tile, and asks for the next one's visits before it works on what
 * it has. */
template <int DIM, int P, int NB, class R, int W>
__global__ void __launch_bounds__(32 * NDFT_PRODUCT_WARPS, 4)
    spread_products(const __grid_constant__ ndft_nufft_product<DIM, R> p,
                    const __grid_constant__ ndft_weights<R, W> weights)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int all = p.lists.n_units, step = gridDim.x * NDFT_PRODUCT_WARPS;
    int index = blockIdx.x * NDFT_PRODUCT_WARPS + warp;
    if (index >= all) return;
    product_warp<DIM, P, NB, R, W> own(p, weights, (R *)shared + warp * 32 * p.stride);
    ndft_wait_for_kernel_before();
    ndft_product_tile tile = p.tile[index];
    ndft_product_visit<DIM, R> visit = {};
    if (lane < tile.count) visit = p.visit[tile.first + lane];
    for (; index < all; index += step) {
        ndft_product_tile next = {};
        if (index + step < all) next = p.tile[index + step];
#pragma unroll
        for (int i = 0; i < P * NB; i++)
#pragma unroll
            for (int e = 0; e < 4; e++) own.sum[i][e] = 0;
        int left = tile.count;
        do {
            const ndft_product_visit<DIM, R> now = visit;
            const int64_t after = left > 32 ? tile.first + tile.count - left + 32 : next.first;
            if (lane < (left > 32 ? left - 32 : next.count)) visit = p.visit[after + lane];
            if (left > 0) own.add(now, min(32, left));
            left -= 32;
        } while (left > 0);
        own.put(tile);
        tile = next;
    }
}

/* Block = a tile in parts; each thread adds the parts of some of its cells' columns in order. */
template <int DIM, class R>
__global__ void join_products(const __grid_constant__ ndft_nufft_product<DIM, R> p)
{
    constexpr int X = ndft_product_edge(DIM, 0), Y = ndft_product_edge(DIM, 1);
    const ndft_nufft_joint joint = p.lists.joint[blockIdx.x];
    const int pitch = (int)p.pitch, all = NDFT_PRODUCT_CELLS * p.terms * pitch;
    ndft_wait_for_kernel_before();
    for (int at = blockIdx.y * blockDim.x + threadIdx.x; at < all; at += gridDim.y * blockDim.x) {
        const int row = at / pitch, column = at - row * pitch;
        const int cell = row / p.terms;
        const int x = joint.at[0] + cell % X, y = joint.at[1] + cell / X % Y;
        const int z = joint.at[2] + cell / (X * Y);
        if (column >= p.columns || x >= p.n[0] || y >= p.n[1] || z >= p.n[2]) continue;
        ndft_complex<R> sum = {0, 0};
#pragma unroll 8
        for (int s = joint.begin; s < joint.end; s++) {
            const ndft_complex<R> next = p.part[s * (int64_t)all + at];
            sum.re += next.re;
            sum.im += next.im;
        }
        *p.at(row - cell * p.terms, column, ((int64_t)z * p.n[1] + y) * p.n[0] + x) = sum;
    }
}

} // namespace

#endif
