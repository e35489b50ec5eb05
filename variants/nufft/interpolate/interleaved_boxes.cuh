/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_INTERLEAVED_BOXES_CUH
#define NDFT_NUFFT_INTERLEAVED_BOXES_CUH

#include "box_part.cuh"
#include "core/copies.cuh"
#include "core/early.cuh"

/*
 * Reading interleaved grids of a group of eight coils in two dimensions by boxes, in f32: samples
 * are sorted by tiles of 8x8 cells, and a block has up to NDFT_BOX_SAMPLES of a tile. It brings the
 * cells that they read, the tile and the window beyond it, into shared memory once, those of eight
 * coils side by side, and the next term's while it adds up what it has. Eight threads share a
 * sample: two cells side by side, 128 bytes without a conflict of banks. Sums go to the caller's
 * samples by way of shared memory, so that what is next to each other there is written together.
 *
 * By way of the first cache instead (interpolate_interleaved.cu) a thread has the latency of it
 * before it again and again: half of the rate of bytes.
 */

enum { NDFT_BOX_THREADS = 128 };

namespace
{

/* What a block has in shared memory. */
template <int W> struct box_room {
    static constexpr int SIDE = NDFT_BOX_EDGE + W - 1; /* cells along both axes */
    static constexpr int ROW = SIDE * NDFT_BOX_COILS;  /* complex numbers */
    static constexpr int CHUNKS = SIDE * ROW / 2;      /* of 16 bytes */
    float4 weights[NDFT_BOX_SAMPLES][4];               /* x: even cells, odd ones; y */
    int place[NDFT_BOX_SAMPLES], number[NDFT_BOX_SAMPLES];
    ndft_complex<float> sum[NDFT_BOX_COILS][NDFT_BOX_SAMPLES + 1];
    float4 cells[2][CHUNKS]; /* the second where there are several terms */
};

template <int W> size_t box_bytes(int terms)
{
    return sizeof(box_room<W>) - (terms > 1 ? 0 : box_room<W>::CHUNKS * sizeof(float4));
}

template <int W> struct box_reader {
    ndft_nufft_view<float, W> view; /* of samples sorted by boxes */
    const ndft_nufft_part *part;
};

template <int W> struct box {
    using room_of = box_room<W>;
    static constexpr int PACKS = NDFT_BOX_COILS / 2; /* of a cell */
    static constexpr int COPIES = (room_of::CHUNKS + NDFT_BOX_THREADS - 1) / NDFT_BOX_THREADS;
    const box_reader<W> &r;
    room_of &room;
    box_part part;
    int from[COPIES]; /* where the thread's chunks lie in a term's grid */

    __device__ box(const box_reader<W> &r, room_of &room)
        : r(r), room(room), part(r.part[blockIdx.x], r.view.samples.tiles[0])
    {
        constexpr int ROW = room_of::ROW / 2;
        const int(&n)[3] = r.view.grid.n;
#pragma unroll
        for (int k = 0; k < COPIES; k++) {
            const int e = threadIdx.x + k * NDFT_BOX_THREADS, row = e / ROW, at = e - row * ROW;
            const int cell =
                ndft_wrapped(part.y + row, n[1]) * n[0] + ndft_wrapped(part.x + at / PACKS, n[0]);
            from[k] = cell * PACKS + at % PACKS;
        }
    }

    /* Asks for the cells of a term's grid. */
    __device__ __forceinline__ void ask(int term, int buffer) const
    {
        const ndft_nufft_grid &grid = r.view.grid;
        const float4 *cells =
            (const float4 *)grid.cells + (int64_t)term * grid.n[0] * grid.n[1] * PACKS;
        float4 *to = room.cells[buffer] + threadIdx.x;
#pragma unroll
        for (int k = 0; k < COPIES; k++)
            if ((k + 1) * NDFT_BOX_THREADS <= room_of::CHUNKS ||
                threadIdx.x + k * NDFT_BOX_THREADS < room_of::CHUNKS)
                ndft_copy_ahead(to + k * NDFT_BOX_THREADS, cells + from[k]);
    }

    /* Weights of all samples, an axis a thread. */
    __device__ __forceinline__ void put_weights() const
    {
        for (int e = threadIdx.x; e < 2 * part.count; e += NDFT_BOX_THREADS) {
            const int s = e / 2, d = e % 2, i = part.begin + s;
            const ndft_nufft_samples &samples = r.view.samples;
            float w[NDFT_BOX_WIDTH] = {};
            ndft_weigh(r.view.weights, ((const float *)(d ? samples.s[1] : samples.s[0]))[i], w);
            if (d == 0) {
                room.weights[s][0] = {w[0], w[2], w[4], w[6]};
                room.weights[s][1] = {w[1], w[3], w[5], w[7]};
                const int below = samples.first[1][i] - part.y;
                room.place[s] =
                    (below * room_of::SIDE + samples.first[0][i] - part.x) * (NDFT_BOX_COILS / 2);
                room.number[s] = samples.number[i];
            } else {
                room.weights[s][2] = {w[0], w[1], w[2], w[3]};
                room.weights[s][3] = {w[4], w[5], w[6], w[7]};
            }
        }
    }

    /* A sample's sum over every second cell of each row, of two coils. */
    __device__ __forceinline__ float4 gather(int s, int side, int pack, int buffer) const
    {
        constexpr int HALF = (W + 1) / 2, PACKS = NDFT_BOX_COILS / 2;
        const float4 *from = room.cells[buffer] + room.place[s] + side * PACKS + pack;
        /* of odd windows, beyond which a weight is zero, but a cell perhaps no number */
        const float4 *last = from - (W % 2 ? side * PACKS : 0);
        const float4 xs = room.weights[s][side], y0 = room.weights[s][2], y1 = room.weights[s][3];
        const float wx[4] = {xs.x, xs.y, xs.z, xs.w};
        const float wy[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
        float4 sum = {};
#pragma unroll
        for (int b = 0; b < W; b++) {
            float4 part = {};
#pragma unroll
            for (int k = 0; k < HALF; k++) {
                const float4 *cell = k == HALF - 1 ? last : from;
                const float4 c = cell[(b * room_of::SIDE + 2 * k) * PACKS];
                part.x = fma(wx[k], c.x, part.x);
                part.y = fma(wx[k], c.y, part.y);
                part.z = fma(wx[k], c.z, part.z);
                part.w = fma(wx[k], c.w, part.w);
            }
            sum.x = fma(wy[b], part.x, sum.x);
            sum.y = fma(wy[b], part.y, sum.y);
            sum.z = fma(wy[b], part.z, sum.z);
            sum.w = fma(wy[b], part.w, sum.w);
        }
        return sum;
    }

    /* Adds to the sums what a term, of the pass, gives. */
    template <bool FIELD> __device__ __forceinline__ void add(int term, int buffer) const
    {
        const int side = threadIdx.x / 4 % 2, pack = threadIdx.x % 4, coil = 2 * pack + side;
        const ndft_rank_view<float> &rank = r.view.rank;
        for (int s0 = threadIdx.x / 32 * 4; s0 < part.count; s0 += NDFT_BOX_THREADS / 8) {
            const int own_sample = s0 + (int)threadIdx.x % 32 / 8,
                      s = min(own_sample, part.count - 1);
            ndft_complex<float> turn = {1, 0}, all = {0, 0};
            if (FIELD) {
                const int64_t j = room.number[s];
                turn = ndft_rank_sample(rank, ndft_rank_row(rank, j), j, r.view.pass.term + term);
            }
            const float4 own = gather(s, side, pack, buffer);
            ndft_complex<float> sum =
                side ? ndft_complex<float>{own.z, own.w} : ndft_complex<float>{own.x, own.y};
            sum.re += __shfl_xor_sync(~0u, side ? own.x : own.z, 4);
            sum.im += __shfl_xor_sync(~0u, side ? own.y : own.w, 4);
            if (FIELD) {
                if (term > 0 && s == own_sample) all = room.sum[coil][s];
                ndft_accumulate(all, turn.re, turn.im, sum);
                sum = all;
            }
            if (s == own_sample) room.sum[coil][s] = sum;
        }
    }

    __device__ __forceinline__ void put(ndft_complex<float> *out) const
    {
        for (int c = threadIdx.x / 32; c < NDFT_BOX_COILS; c += NDFT_BOX_THREADS / 32) {
            if (c >= r.view.pass.coils) return;
            for (int s = threadIdx.x % 32; s < part.count; s += 32)
                ndft_put_sample(r.view, room.number[s], c, room.sum[c][s], out);
        }
    }
};

/* Block = samples of a box, all their terms. While one term's cells are added up the next are asked
 * for. */
template <bool FIELD, int W>
__global__ void __launch_bounds__(NDFT_BOX_THREADS, 8)
    read_boxes(const __grid_constant__ box_reader<W> r, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char box_memory[];
    const box<W> own(r, *(box_room<W> *)box_memory);
    const int terms = FIELD ? r.view.pass.terms : 1;
    own.put_weights();
    ndft_wait_for_kernel_before();
    own.ask(0, 0);
    ndft_close_copies();
    for (int term = 0; term < terms; term++) {
        if (term + 1 < terms) own.ask(term + 1, (term + 1) % 2);
        ndft_close_copies();
        ndft_wait_for_copies<1>();
        __syncthreads();
        own.template add<FIELD>(term, term % 2);
        __syncthreads();
    }
    own.put(out);
}

} // namespace

#endif
