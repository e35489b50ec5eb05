/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_STRIP_WALK_CUH
#define NDFT_NUFFT_STRIP_WALK_CUH

#include "box_part.cuh"
#include "core/early.cuh"
#include "strip_copies.cuh"

/*
 * Reading interleaved grids of several groups of eight coils in two dimensions by strips, in f32.
 * A block has a part of a tile, and brings the cells that its samples read, the tile and the window
 * beyond it, of two groups into shared memory. A warp goes through an equal share of the samples; a
 * lane is a coil and half of a window's rows. Samples are in the order of strips, of one or two
 * rows of cells, and along them of their columns. A lane keeps its cells of the last sample in
 * registers, column x in slot x modulo the window's width, so that the next one asks only for
 * columns that are new: not cells are turned by slots, but weights along x, which lanes share.
 * Boxes (interleaved_boxes.cuh) read all cells of a sample from shared memory, whose rate is their
 * bound. What does not depend on data is made with the plan (strip_order.cuh).
 *
 * Sums go to the caller's samples by way of shared memory, in the order of their numbers, so that
 * what is next to each other there is written together.
 */

enum {
    NDFT_STRIP_GROUPS = 2, /* of a block */
    NDFT_STRIP_WARPS = 4,
    NDFT_STRIP_THREADS = 32 * NDFT_STRIP_WARPS
};

namespace
{

/* A sample: its weights along x by slots, and those along y of both halves of its rows. */
struct strip_sample {
    float4 x[2], y[2];
    int4
        at; /* bytes of slot 0 in its strip's first row, in the box; marks; bytes of its sum; number
             * of the sample whose sum is as far behind the first as this from the part's first */
};

template <int W> struct strip_form {
    static constexpr int ROWS = W < 7 ? 2 : 1; /* of a strip: as many as registers take */
    static constexpr int HALF = (W + 1) / 2;   /* of a window's rows */
    static constexpr int BLOCKS = W < 7 ? 6 : 5;
    static constexpr int EDGE = NDFT_BOX_EDGE + W - 1; /* cells of a box */
    static constexpr int PITCH = EDGE | 1;             /* odd, so that groups are in other banks */
    static constexpr int CELL = NDFT_BOX_COILS * sizeof(ndft_complex<float>); /* of a group */
    static constexpr int LINE = NDFT_STRIP_GROUPS * PITCH * CELL;             /* bytes */
    static constexpr int LANES = NDFT_STRIP_GROUPS * NDFT_BOX_COILS;
    /* A sample's slots that are new, whether it is of a strip's second row, where x begins. */
    enum { SLOTS = (1 << W) - 1, SECOND = 1 << 8, FIRST = 9 };
};

/* What a block has in shared memory. Behind the sums of a sample is its weight in a term. */
template <int W> struct strip_room {
    using form = strip_form<W>;
    ndft_complex<float> cells[form::EDGE][NDFT_STRIP_GROUPS * form::PITCH][NDFT_BOX_COILS];
    strip_sample sample[NDFT_BOX_SAMPLES + 1]; /* the last is asked for, and not used */
    ndft_complex<float> sum[NDFT_BOX_SAMPLES][form::LANES + 1];
    strip_copies copies;
};

template <int W> struct strip_reader {
    ndft_nufft_view<float, W> view;
    const ndft_nufft_part *part;
    const strip_sample *sample;
    ndft_nufft_lanes lanes;
    alignas(64) ndft_tensor_map map; /* of boxes [row][group][cells], of the passes' grids */
};

/* A thread's view of a block's part of a tile. */
template <int W> struct strip_walk {
    using complex = ndft_complex<float>;
    using form = strip_form<W>;
    static constexpr int HALF = form::HALF, LANES = form::LANES;
    static constexpr int ALL = HALF + form::ROWS - 1; /* rows of a lane */
    const strip_reader<W> &r;
    strip_room<W> &room;
    int warp, lane;
    box_part part;

    __device__ strip_walk(const strip_reader<W> &r, strip_room<W> &room)
        : r(r), room(room), warp(threadIdx.x / 32), lane(threadIdx.x % 32),
          part(r.part[blockIdx.x], r.view.samples.tiles[0])
    {
    }

    /* By one thread. */
    __device__ __forceinline__ void ask_samples() const
    {
        room.copies.begin();
        room.copies.ask(room.sample, r.sample + part.begin, part.count * (int)sizeof *room.sample);
    }

    /* Asks for the cells of a term's grids, beside so many bytes. */
    __device__ __forceinline__ void ask(int term, int beside) const
    {
        const int(&n)[3] = r.view.grid.n;
        if (!strip_copies::boxes() || part.x + form::EDGE > n[0] || part.y + form::EDGE > n[1])
            return ask_rows(term, beside);
        if (threadIdx.x > 0) return;
        constexpr int CELL = form::CELL / sizeof(float);
        const int group = term * r.lanes.coil_groups + (int)blockIdx.y * NDFT_STRIP_GROUPS;
        room.copies.expect(beside + (int)sizeof room.cells);
        room.copies.ask_box(room.cells, &r.map, {part.x * CELL, group, part.y});
    }

    /* The same around the grid's edge: a lane for a row of a group. */
    __device__ __forceinline__ void ask_rows(int term, int beside) const
    {
        constexpr int ROW = form::EDGE * form::CELL, ROWS = form::EDGE * NDFT_STRIP_GROUPS;
        const int(&n)[3] = r.view.grid.n, first = blockIdx.y * NDFT_STRIP_GROUPS;
        const int last = r.lanes.coil_groups - 1 - first;
        const int64_t line = (int64_t)n[0] * form::CELL;
        const char *cells = (const char *)r.view.grid.cells +
                            (term * (int64_t)r.lanes.coil_groups + first) * n[1] * line;
        const int inside = min(ROW, (n[0] - part.x) * form::CELL); /* before the grid's edge */
        if (threadIdx.x == 0) room.copies.expect(beside + ROWS * ROW);
        for (int e = warp + NDFT_STRIP_WARPS * lane; e < ROWS; e += NDFT_STRIP_THREADS) {
            const int row = e / NDFT_STRIP_GROUPS, group = min(e % NDFT_STRIP_GROUPS, last);
            const char *from = cells + (group * n[1] + ndft_wrapped(part.y + row, n[1])) * line;
            char *to = (char *)room.cells[0][e * form::PITCH];
            room.copies.ask(to, from + part.x * form::CELL, inside);
            if (inside < ROW) room.copies.ask(to + inside, from, ROW - inside);
        }
    }

    /* A thread's sample's weight in a term of the pass, while cells come. */
    __device__ __forceinline__ void put_turn(int term) const
    {
        if ((int)threadIdx.x >= part.count) return;
        const ndft_rank_view<float> &rank = r.view.rank;
        const int64_t j = r.sample[part.begin + threadIdx.x].at.w;
        room.sum[threadIdx.x][LANES] =
            ndft_rank_sample(rank, ndft_rank_row(rank, j), j, r.view.pass.term + term);
    }

    /* By its address: where shared memory begins would be asked for before each read, else. */
    static __device__ __forceinline__ complex cell_at(unsigned address)
    {
        complex cell;
        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];"
                     : "=f"(cell.re), "=f"(cell.im)
                     : "r"(address));
        return cell;
    }

    /* The columns that are new to a sample. */
    __device__ __forceinline__ void read(int marks, unsigned from, complex (&cell)[W][ALL]) const
    {
#pragma unroll
        for (int k = 0; k < W; k++) {
            if (!(marks & 1 << k)) continue;
            const bool around = k < marks >> form::FIRST;
            const unsigned column = from + (around ? W + k : k) * form::CELL;
#pragma unroll
            for (int b = 0; b < ALL; b++) cell[k][b] = cell_at(column + b * form::LINE);
        }
    }

    /* A lane's rows of a window, from one of its own on. */
    template <int FIRST>
    static __device__ __forceinline__ complex gather(const strip_sample &s, int half,
                                                     const complex (&cell)[W][ALL])
    {
        const float4 x0 = s.x[0], x1 = W > 4 ? s.x[1] : float4{}, y = s.y[half];
        const float wx[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
        const float wy[4] = {y.x, y.y, y.z, y.w};
        complex sum = {0, 0};
#pragma unroll
        for (int k = 0; k < W; k++) {
            complex part = {0, 0};
#pragma unroll
            for (int b = 0; b < HALF; b++) {
                part.re = fma(wy[b], cell[k][FIRST + b].re, part.re);
                part.im = fma(wy[b], cell[k][FIRST + b].im, part.im);
            }
            sum.re = fma(wx[k], part.re, sum.re);
            sum.im = fma(wx[k], part.im, sum.im);
        }
        return sum;
    }

    /* Of two lanes' halves, each of which keeps a component, or adds it. */
    template <bool FIELD>
    __device__ __forceinline__ void keep(complex sum, char *sums, int half, int own, int term) const
    {
        if (FIELD) {
            const complex turn = *(const complex *)(sums + LANES * sizeof turn), before = sum;
            ndft_rotate(sum, turn, before);
        }
        const float other = __shfl_xor_sync(~0u, half ? sum.re : sum.im, LANES);
        const float both = (half ? sum.im : sum.re) + other;
        float &to = *(float *)(sums + own);
        to = FIELD && term ? to + both : both;
    }

    /* Adds to the sums what a term gives. */
    template <bool FIELD> __device__ __forceinline__ void add(int term) const
    {
        const int half = lane / LANES, coil = lane % LANES;
        const int first = part.count * warp / NDFT_STRIP_WARPS;
        const int end = part.count * (warp + 1) / NDFT_STRIP_WARPS;
        unsigned cells =
            ndft_shared_address(&room.cells[half * (W - HALF)][coil / NDFT_BOX_COILS * form::PITCH]
                                           [coil % NDFT_BOX_COILS]);
        int own = coil * (int)sizeof(complex) + half * (int)sizeof(float);
        asm("" : "+r"(cells), "+r"(own)); /* not computed anew for each sample */
        complex cell[W][ALL];
        int4 next = room.sample[first].at;
        next.y |= form::SLOTS;
#pragma unroll 1
        for (int s = first; s < end; s++) {
            const int marks = __reduce_or_sync(~0u, next.y); /* known to be alike in all lanes */
            const strip_sample &sample = room.sample[s];
            char *sums = (char *)room.sum + next.z;
            if (marks & form::SLOTS) read(marks, cells + next.x, cell);
            next = room.sample[s + 1].at; /* early */
            const complex sum = marks & form::SECOND ? gather<form::ROWS - 1>(sample, half, cell)
                                                     : gather<0>(sample, half, cell);
            keep<FIELD>(sum, sums, half, own, term);
        }
    }

    __device__ __forceinline__ void put(complex *out) const
    {
        const int first = blockIdx.y * LANES + warp, end = r.view.pass.coils;
        for (int s = lane; s < part.count; s += 32) {
            complex *to = out + ndft_datum(r.view, room.sample[s].at.w, first);
#pragma unroll
            for (int c = 0; c < LANES; c += NDFT_STRIP_WARPS) {
                if (first + c >= end) break;
                complex sum = room.sum[s][warp + c];
                if (r.view.pass.joins) sum = {to->re + sum.re, to->im + sum.im};
                *to = sum;
                to += NDFT_STRIP_WARPS * r.view.data.coil;
            }
        }
    }
};

/* Block = a part of a tile (x) and two groups of coils (y), all their terms. */
template <bool FIELD, int W>
__global__ void __launch_bounds__(NDFT_STRIP_THREADS, strip_form<W>::BLOCKS)
    read_strips(const __grid_constant__ strip_reader<W> r, ndft_complex<float> *out)
{
    extern __shared__ __align__(128) unsigned char strip_memory[];
    unsigned at = ndft_shared_address(strip_memory);
    asm("" : "+r"(at)); /* in a register, as above */
    strip_room<W> &room = *(strip_room<W> *)__cvta_shared_to_generic(at);
    __builtin_assume(__isShared(&room));
    const strip_walk<W> own(r, room);
    if (threadIdx.x == 0) own.ask_samples();
    ndft_wait_for_kernel_before();
    __syncthreads();
    const int terms = FIELD ? r.view.pass.terms : 1;
    for (int term = 0; term < terms; term++) {
        own.ask(term, term ? 0 : own.part.count * (int)sizeof(strip_sample));
        if (FIELD) own.put_turn(term);
        room.copies.wait(term);
        if (FIELD) __syncthreads();
        own.template add<FIELD>(term);
        __syncthreads();
    }
    own.put(out);
}

} // namespace

#endif
