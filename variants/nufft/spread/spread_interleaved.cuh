/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_SPREAD_INTERLEAVED_CUH
#define NDFT_NUFFT_SPREAD_INTERLEAVED_CUH

#include "core/copies.cuh"
#include "core/early.cuh"
#include "nufft/transform/interleaved_fft.cuh"
#include "product_parts.cuh"
#include "product_visits.cuh"

/*
 * Spreading into grids whose columns lie side by side (transform/interleaved_fft.cuh), as products
 * on tensor cores: a warp owns a tile and goes through the list of all samples that reach it
 * (product_visits.cuh), eight at a time,
 *
 *     16 cells x reals of columns += weights (16 x 8) data (8 x reals of columns),
 *
 * for each plane of the tile. A weight is the product of those of the axes, which come to shared
 * memory 32 visits ahead, formed in registers. In f32 both operands are two parts of tf32, of which
 * three products are formed. Every cell is written once, in whole sectors; nothing is zeroed, and
 * sums are the same from run to run.
 *
 * A warp has 4 P NB columns: a lane reads P reals at a time of a sample, NB times.
 */
template <int DIM, class R> struct ndft_nufft_product {
    ndft_nufft_lists lists;
    const ndft_product_tile *tile; /* [units] */
    ndft_product_visits<R> visits;
    ndft_rank_view<R> rank; /* with place NULL: the buffer's are weighed */
    int n[3];               /* cells of the grid */
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

enum { NDFT_PRODUCT_WARPS = 4 };

namespace
{

template <class R, int P> struct alignas(P * sizeof(R)) piece {
    R v[P];
};

/* Which of the warp's eight shares of a block of columns is that of operands' column q: such that
 * lanes that are neighbours in the sums write neighbouring bytes. */
__device__ __forceinline__ int share_of(int q) { return (q & 1) * 4 + q / 2; }

/* Weights of 32 visits in shared memory: rows of reals such that lanes of a fragment, four rows and
 * as many cells of each, read all banks. */
template <int DIM, class R> struct product_rows {
    static constexpr int EDGES = ndft_product_edges(DIM), PACK = 16 / sizeof(R);
    static constexpr int STRIDE =
        EDGES + (DIM == 1 || (DIM == 2 && sizeof(R) == sizeof(double)) ? 4 : 0);
    static constexpr int CHUNKS = EDGES / PACK; /* of 16 bytes, of a visit */
    R at[32][STRIDE];
};

/* A warp of the kernel: its columns, sums of its tile's cells, and rows of weights. */
template <int DIM, int P, int NB, class R> struct product_warp {
    static constexpr int COLUMNS = 4 * P * NB, BLOCK = 4 * P; /* of a warp, of a block of reals */
    static constexpr int X = ndft_product_edge(DIM, 0), Y = ndft_product_edge(DIM, 1);
    static constexpr int PLANES = ndft_product_cells(DIM) / 16, STEP = NDFT_PRODUCT_STEP;
    using row_piece = piece<R, P>;
    using rows_of = product_rows<DIM, R>;

    const ndft_nufft_product<DIM, R> &p;
    rows_of *rows; /* [2] */
    const int term, first_column;
    const R *from; /* the lane's share of sample 0 */
    R sum[PLANES][P * NB][4];
    row_piece next[2][NB]; /* of the two samples of the lane in the step to come */

    __device__ product_warp(const ndft_nufft_product<DIM, R> &p, rows_of *rows)
        : p(p), rows(rows), term((int)blockIdx.y / p.chunks),
          first_column(((int)blockIdx.y - term * p.chunks) * COLUMNS),
          from((const R *)(p.value + first_column) + share_of(lane() / 4) * P)
    {
    }

    __device__ static int lane() { return threadIdx.x % 32; }

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int m = 0; m < PLANES; m++)
#pragma unroll
            for (int i = 0; i < P * NB; i++)
#pragma unroll
                for (int e = 0; e < 4; e++) sum[m][i][e] = 0;
    }

    /* Asks for the weights of so many visits, 32 at most. */
    __device__ __forceinline__ void ask(int64_t visit, int count, int buffer) const
    {
        constexpr int CHUNKS = rows_of::CHUNKS, PACK = rows_of::PACK;
        const R *from = p.visits.weight + visit * rows_of::EDGES;
        __syncwarp();
#pragma unroll
        for (int k = 0; k < CHUNKS; k++) {
            const int chunk = k * 32 + lane(), row = chunk / CHUNKS;
            if (row < count)
                ndft_copy_ahead(&rows[buffer].at[row][(chunk - row * CHUNKS) * PACK],
                                from + chunk * PACK);
        }
        ndft_close_copies();
    }

    /* The data of a step, of 32 visits' samples those from `first` on. */
    __device__ __forceinline__ void load(int sample, int first)
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int j = __shfl_sync(~0u, sample, first + lane() % 4 + 4 * k);
            const R *at = from + j * 2 * p.pitch;
#pragma unroll
            for (int b = 0; b < NB; b++) next[k][b] = *(const row_piece *)(at + b * 2 * BLOCK);
        }
    }

    /* Turned by the conjugate weight of their sample, which its lane has. */
    __device__ __forceinline__ void turn(ndft_complex<R> weight, int first,
                                         R (&value)[2][P * NB]) const
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const int at = first + lane() % 4 + 4 * k;
            const R re = __shfl_sync(~0u, weight.re, at), im = __shfl_sync(~0u, weight.im, at);
#pragma unroll
            for (int i = 0; i < P * NB; i += 2) {
                const R x = value[k][i], y = value[k][i + 1];
                value[k][i] = fma(re, x, im * y);
                value[k][i + 1] = fma(re, y, -im * x);
            }
        }
    }

    /* The lane's weights across planes, cells g and g + 8 of each, of two samples. */
    __device__ __forceinline__ void weigh(const rows_of &rows, int first, R (&weight)[4],
                                          const R *(&row)[2]) const
    {
        const int g = lane() / 4;
#pragma unroll
        for (int k = 0; k < 2; k++) {
            row[k] = rows.at[first + lane() % 4 + 4 * k];
            if (DIM == 1) {
                weight[2 * k] = row[k][g];
                weight[2 * k + 1] = row[k][g + 8];
            } else {
                const R across = row[k][g % X], *y = row[k] + X + g / X;
                weight[2 * k] = across * y[0];
                weight[2 * k + 1] = across * y[Y / 2];
            }
        }
    }

    /* Adds so many visits, a multiple of a step, one in the lane of each, then loads the data of
     * the first step of those that come after them, if any do. */
    __device__ __forceinline__ void add(int sample, int count, int buffer, int after,
                                        int count_after)
    {
        ndft_complex<R> spin = {1, 0};
        if (p.rank.place && lane() < count)
            spin = ndft_rank_sample(p.rank, ndft_rank_row(p.rank, sample), sample, p.term + term);
        for (int first = 0; first < count; first += STEP) {
            R now[2][P * NB], weight[4];
            const R *row[2];
#pragma unroll
            for (int i = 0; i < 2 * P * NB; i++)
                now[i / (P * NB)][i % (P * NB)] = next[i / (P * NB)][i / P % NB].v[i % P];
            const bool more = first + STEP < count;
            if (more || count_after > 0) load(more ? sample : after, more ? first + STEP : 0);
            if (p.rank.place) turn(spin, first, now);
            weigh(rows[buffer], first, weight, row);
            const parts<R, P * NB> one(now[0]), two(now[1]);
#pragma unroll
            for (int m = 0; m < PLANES; m++) {
                /* sixteen columns gain by leaving out a plane that no sample reaches, eight lose */
                if (DIM > 2 && P > 2 &&
                    !__any_sync(~0u, row[0][X + Y + m] != 0 || row[1][X + Y + m] != 0))
                    continue;
                R of_plane[4];
#pragma unroll
                for (int e = 0; e < 4; e++)
                    of_plane[e] = DIM > 2 ? weight[e] * row[e / 2][X + Y + m] : weight[e];
                multiply(parts<R, 4>(of_plane), one, two, sum[m]);
            }
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
        for (int m = 0; m < PLANES; m++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                const int cell = lane() / 4 + 8 * h + 16 * m;
                const int64_t place = place_of(tile, cell);
                const int64_t slot =
                    ((int64_t)tile.slot * ndft_product_cells(DIM) + cell) * p.terms;
                if (tile.slot < 0 && place < 0) continue;
#pragma unroll
                for (int b = 0; b < NB; b++)
#pragma unroll
                    for (int e = 0; e < 2; e++) {
                        const int at = share_of(lane() % 4 * 2 + e) * P; /* reals */
                        const int column = first_column + b * BLOCK + at / 2;
                        if (column >= p.columns) continue;
                        row_piece out;
#pragma unroll
                        for (int i = 0; i < P; i++) out.v[i] = sum[m][b * P + i][2 * h + e];
                        *(row_piece *)(tile.slot < 0 ? p.at(term, column, place)
                                                     : p.part + (slot + term) * p.pitch + column) =
                            out;
                    }
            }
    }
};

/* Each warp takes every so many-th tile, and asks for the next 32 visits before it works on what it
 * has. */
template <int DIM, int P, int NB, class R>
__global__ void __launch_bounds__(32 * NDFT_PRODUCT_WARPS, 4)
    spread_products(const __grid_constant__ ndft_nufft_product<DIM, R> p)
{
    __shared__ __align__(16) product_rows<DIM, R> rows[NDFT_PRODUCT_WARPS][2];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int all = p.lists.n_units, step = gridDim.x * NDFT_PRODUCT_WARPS;
    int index = blockIdx.x * NDFT_PRODUCT_WARPS + warp;
    if (index >= all) return;
    product_warp<DIM, P, NB, R> own(p, rows[warp]);
    ndft_wait_for_kernel_before();
    ndft_product_tile tile = p.tile[index];
    int sample = 0, buffer = 0;
    if (lane < tile.count) sample = p.visits.sample[tile.first + lane];
    own.ask(tile.first, min(32, tile.count), 0);
    bool loaded = false;
    for (; index < all; index += step) {
        ndft_product_tile next = {};
        if (index + step < all) next = p.tile[index + step];
        own.clear();
        int left = tile.count;
        do {
            const bool here = left > 32;
            const int64_t visit = here ? tile.first + tile.count - left + 32 : next.first;
            const int count = min(32, here ? left - 32 : next.count);
            int after = 0;
            if (lane < count) after = p.visits.sample[visit + lane];
            own.ask(visit, count, buffer ^ 1);
            ndft_wait_for_copies<1>();
            __syncwarp();
            if (left > 0) {
                if (!loaded) own.load(sample, 0);
                own.add(sample, min(32, left), buffer, after, count);
            }
            loaded = left > 0 && count > 0;
            sample = after;
            buffer ^= 1;
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
    const int pitch = (int)p.pitch, all = ndft_product_cells(DIM) * p.terms * pitch;
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
