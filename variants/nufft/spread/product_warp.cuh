/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_WARP_CUH
#define NDFT_NUFFT_PRODUCT_WARP_CUH

#include "product_parts.cuh"
#include "spread_interleaved.cuh"

#include <cstddef>

/* The kernel that forms the products of spread_interleaved.cuh. */

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

/* Conjugate weights of 32 visits' samples, or none. */
template <bool TURNED, class R> struct product_turns {
    ndft_complex<R> at[TURNED ? 32 : 1];
};

/* A copy of a complex number as ndft_copy_ahead's. */
template <class R>
__device__ __forceinline__ void copy_number(ndft_complex<R> *to, const ndft_complex<R> *from)
{
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from), "n"(sizeof *to)
        : "memory");
}

/* A warp of the kernel: its term's columns, sums of its tile's cells, and rows of weights. TURNED:
 * by the conjugate weights of the term, which data in the buffer are not. */
template <int DIM, int P, int NB, bool TURNED, class R> struct product_warp {
    static constexpr int COLUMNS = 4 * P * NB, BLOCK = 4 * P; /* of a warp, of a block of reals */
    static constexpr int X = ndft_product_edge(DIM, 0), Y = ndft_product_edge(DIM, 1);
    static constexpr int PLANES = ndft_product_cells(DIM) / 16, STEP = NDFT_PRODUCT_STEP;
    using row_piece = piece<R, P>;
    using rows_of = product_rows<DIM, R>;
    using turns = product_turns<TURNED, R>;

    const ndft_nufft_product<DIM, R> &p;
    rows_of *rows; /* [2] */
    const int term, first_column;
    const R *from; /* the lane's share of sample 0 */
    turns *spins;  /* [2] */
    R sum[PLANES][P * NB][4];
    row_piece next[2][NB]; /* of the two samples of the lane in the step to come */

    __device__ product_warp(const ndft_nufft_product<DIM, R> &p, rows_of *rows, turns *spins)
        : p(p), rows(rows), term((int)blockIdx.y / p.chunks),
          first_column((int)blockIdx.y % p.chunks * COLUMNS),
          from((const R *)(p.value + first_column) + share_of(lane() / 4) * P), spins(spins)
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

    /* Asks for the conjugate weight of the lane's sample, whose row is given. */
    __device__ __forceinline__ void ask_turn(const ndft_complex<R> *row, int sample,
                                             int buffer) const
    {
        ndft_complex<R> *to = &spins[buffer].at[lane()];
        if (p.rank.turn)
            *to = ndft_rank_sample(p.rank, row, sample, p.term + term);
        else
            copy_number(to, row + p.term + term);
    }

    /* Data of a lane's sample of a step, turned by its conjugate weight. */
    __device__ __forceinline__ void turn(ndft_complex<R> weight, const R (&value)[P * NB],
                                         R (&turned)[P * NB]) const
    {
#pragma unroll
        for (int i = 0; i < P * NB; i += 2) {
            const R x = value[i], y = value[i + 1];
            turned[i] = fma(weight.re, x, weight.im * y);
            turned[i + 1] = fma(weight.re, y, -weight.im * x);
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

    /* Adds a step from visit `first` of a batch on, whose data were loaded. */
    __device__ __forceinline__ void add(const R (&now)[2][P * NB], int first, int buffer)
    {
        R weight[4];
        const R *row[2];
        weigh(rows[buffer], first, weight, row);
        R turned[2][P * NB];
        turn_both(now, first, buffer, turned);
        const parts<R, P * NB> one(turned[0]), two(turned[1]);
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

    __device__ __forceinline__ void turn_both(const R (&now)[2][P * NB], int first, int buffer,
                                              R (&turned)[2][P * NB]) const
    {
#pragma unroll
        for (int k = 0; k < 2; k++) {
            if (TURNED)
                turn(spins[buffer].at[first + lane() % 4 + 4 * k], now[k], turned[k]);
            else
#pragma unroll
                for (int i = 0; i < P * NB; i++) turned[k][i] = now[k][i];
        }
    }

    /* Where a cell of the tile lies in a group's grid, -1 beyond its edge. */
    __device__ __forceinline__ int64_t place_of(const int3 &tile, int cell) const
    {
        const int x = tile.x + cell % X, y = tile.y + cell / X % Y;
        const int z = DIM > 2 ? tile.z + cell / (X * Y) : 0;
        if (x >= p.n[0] || y >= p.n[1] || z >= p.n[2]) return -1;
        return ((int64_t)z * p.n[1] + y) * p.n[0] + x;
    }

    /* Writes the tile, or its part. */
    __device__ __forceinline__ void put(const int3 &tile, int of_tile) const
    {
#pragma unroll
        for (int b = 0; b < NB; b++)
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const int at = share_of(lane() % 4 * 2 + e) * P; /* reals */
                const int column = first_column + b * BLOCK + at / 2;
                if (column >= p.columns) continue;
#pragma unroll
                for (int m = 0; m < PLANES; m++)
#pragma unroll
                    for (int h = 0; h < 2; h++) put_cell(tile, of_tile, column, b, e, m, h);
            }
    }

    __device__ __forceinline__ void put_cell(const int3 &tile, int of_tile, int column, int b,
                                             int e, int m, int h) const
    {
        int cell = lane() / 4 + 8 * h + 16 * m;
        if (DIM > 2) asm volatile("" : "+r"(cell)); /* or places of all are kept */
        const int64_t place = place_of(tile, cell);
        const int64_t slot = ((int64_t)of_tile * ndft_product_cells(DIM) + cell) * p.terms;
        if (of_tile < 0 && place < 0) return;
        row_piece out;
#pragma unroll
        for (int i = 0; i < P; i++) out.v[i] = sum[m][b * P + i][2 * h + e];
        *(row_piece *)(of_tile < 0 ? p.at(term, column, place)
                                   : p.part + (slot + term) * p.pitch + column) = out;
    }

    /* Tiles of a stream from one on, a word of each in a lane; those without visits are written at
     * once. */
    struct tiles {
        int index, now, next;
        int left; /* visits */
    };
    static constexpr int SLOT = offsetof(ndft_product_tile, slot) / 4,
                         COUNT = offsetof(ndft_product_tile, count) / 4;

    __device__ static int word_of_tile(int word, int at) { return __shfl_sync(~0u, word, at); }

    __device__ __forceinline__ void advance(tiles *of) const
    {
        of->now = of->next;
        of->left = word_of_tile(of->now, COUNT);
        of->next = lane() == SLOT ? NDFT_PRODUCT_BEYOND : 0;
        if (of->index < p.streams.layers * p.streams.count && lane() <= COUNT)
            of->next = ((const int32_t *)(p.streams.tile + of->index))[lane()];
        of->index += p.streams.count;
    }

    __device__ __forceinline__ void finish(tiles *of)
    {
        while (of->left == 0) {
            const int slot = word_of_tile(of->now, SLOT);
            if (slot == NDFT_PRODUCT_BEYOND) return;
            if (slot != NDFT_PRODUCT_NONE)
                put({word_of_tile(of->now, 0), word_of_tile(of->now, 1), word_of_tile(of->now, 2)},
                    slot);
            clear();
            advance(of);
        }
    }

    __device__ __forceinline__ int sample_at(int64_t visit, int left) const
    {
        return lane() < left ? p.visits.sample[visit + lane()] : 0;
    }

    /* Each tile of a stream; what it needs is asked for beforehand, whatever tile that is of. */
    __device__ __forceinline__ void run(int stream)
    {
        const ndft_product_stream all = p.streams.stream[stream];
        tiles of = {stream};
        int64_t visit = all.first;
        int left = all.count, buffer = 0;
        int sample = sample_at(visit, left);
        int after = TURNED ? sample_at(visit + 32, left - 32) : 0;
        ask(visit, min(32, left), 0);
        if (TURNED) ask_turn(ndft_rank_row(p.rank, sample), sample, 0);
        ndft_close_copies();
        load(sample, 0);
        advance(&of);
        advance(&of);
        clear();
        finish(&of);
        for (; left > 0; left -= 32, visit += 32, buffer ^= 1) {
            const int count = min(32, left);
            int later = 0; /* a sample's row is asked for before its weight is */
            if (TURNED)
                later = sample_at(visit + 64, left - 64);
            else
                after = sample_at(visit + 32, left - 32);
            const ndft_complex<R> *row = TURNED ? ndft_rank_row(p.rank, after) : nullptr;
            ndft_wait_for_copies<0>();
            __syncwarp();
            ask(visit + 32, min(32, left - 32), buffer ^ 1);
            for (int first = 0; first < count; first += STEP) {
                R now[2][P * NB];
#pragma unroll
                for (int i = 0; i < 2 * P * NB; i++)
                    now[i / (P * NB)][i % (P * NB)] = next[i / (P * NB)][i / P % NB].v[i % P];
                if (first + STEP < left)
                    load(first + STEP < 32 ? sample : after, (first + STEP) % 32);
                if (TURNED && first == STEP && left > 32) ask_turn(row, after, buffer ^ 1);
                add(now, first, buffer);
                of.left -= STEP;
                finish(&of);
            }
            ndft_close_copies();
            sample = after;
            after = later;
        }
    }
};

/* Blocks of a multiprocessor: four, or three where registers for four are spilled. */
template <int DIM, int P, int NB, class R>
constexpr int most_blocks = (sizeof(R) == sizeof(float) ? DIM > 2 && P > 2 : DIM > 2 || NB > 1) ? 3
                                                                                                : 4;

/* Warp = stream, or some of them. */
template <int DIM, int P, int NB, bool TURNED, class R>
__global__ void __launch_bounds__(32 * NDFT_PRODUCT_WARPS, (most_blocks<DIM, P, NB, R>))
    spread_products(const __grid_constant__ ndft_nufft_product<DIM, R> p)
{
    __shared__ __align__(16) product_rows<DIM, R> rows[NDFT_PRODUCT_WARPS][2];
    const int warp = threadIdx.x / 32;
    __shared__ product_turns<TURNED, R> spins[NDFT_PRODUCT_WARPS][2];
    product_warp<DIM, P, NB, TURNED, R> own(p, rows[warp], spins[warp]);
    ndft_wait_for_kernel_before();
    for (int at = blockIdx.x * NDFT_PRODUCT_WARPS; at < p.streams.count;
         at += gridDim.x * NDFT_PRODUCT_WARPS)
        own.run(at + warp);
}

} // namespace

#endif
