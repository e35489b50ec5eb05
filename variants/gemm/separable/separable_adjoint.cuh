/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_ADJOINT_CUH
#define NDFT_SEPARABLE_ADJOINT_CUH

#include "core/early.cuh"
#include "core/shares.cuh"
#include "separable_block.cuh"

/*
 * k-space to image. A block keeps the sums of a slab's voxels in registers and takes units of
 * samples: the data times the row phasors, split into parts, become operands in shared memory; the
 * phasors along x times these sum over the unit's samples; the results are unfolded, turned by the
 * field at the unit's time and added to the voxels. A chain of additions loses digits as the root
 * of its length, so chains end after NDFT_CHAIN units and are added in double in global memory.
 */

enum { NDFT_CHAIN = 128 }; /* units */

template <class M, int TILES> struct ndft_separable_adjoint : ndft_separable_sizes<M, TILES> {
    using sizes = ndft_separable_sizes<M, TILES>;
    using sizes::SAMPLES;
    using sizes::THREADS;
    using typename sizes::R;
    using complex = ndft_complex<R>;
    using operand_b = typename M::operand_b;
    static constexpr int DATA_VECS = 2 * sizes::B_VECS * 32; /* re and im of 16 samples, 8 rows */

    using field = ndft_pack<R, 8>; /* rad/s at a thread's voxels of one chunk */
    static constexpr int DW_VECS = sizeof(field) / sizeof(uint4);

    static size_t shared_bytes(const ndft_slabs &s)
    {
        const size_t vecs = 2 * sizes::stage_vecs(s) + 2 * TILES * s.groups * DATA_VECS +
                            NDFT_RUN * THREADS * DW_VECS;
        return vecs * sizeof(uint4) + s.rows * sizeof(complex) +
               SAMPLES * (sizeof(ndft_sample_turns<R>) + sizeof(complex)) +
               ndft_phase<R>::STEPS * sizeof(ndft_complex<double>);
    }

    const ndft_separable<R> &s;
    const complex *data; /* [n_units][SAMPLES] of this coil */
    const float *most;   /* [n_units] of this coil: largest of each unit */
    const int warp, lane;
    uint4 *stage[2], *operands; /* operands: [2][TILES][groups][re, im] */
    uint4 *dw;                  /* [NDFT_RUN] field of a thread's voxels */
    complex *rows;
    ndft_sample_turns<R> *samples; /* of a unit */
    complex *values;               /* its data */
    ndft_complex<double> *turn;
    bool deep;
    int run, group;
    int own_tile, own_rows, tiles_at_once; /* what operands this warp makes */
    complex total[NDFT_OWN];
    R scale, next_scale;

    __device__ __forceinline__ ndft_separable_adjoint(const ndft_separable<R> &sep,
                                                      unsigned char *shared)
        : s(sep), warp(threadIdx.x / 32), lane(threadIdx.x % 32)
    {
        ndft_shared_room room = {shared};
        stage[0] = room.take<uint4>(sizes::stage_vecs(s.slabs));
        stage[1] = room.take<uint4>(sizes::stage_vecs(s.slabs));
        operands = room.take<uint4>(2 * operand_vecs());
        dw = room.take<uint4>(NDFT_RUN * THREADS * DW_VECS) + threadIdx.x;
        rows = room.take<complex>(s.slabs.rows);
        samples = room.take<ndft_sample_turns<R>>(SAMPLES);
        values = room.take<complex>(SAMPLES);
        turn = room.take<ndft_complex<double>>(ndft_phase<R>::STEPS);
        run = warp % s.slabs.runs;
        group = warp / s.slabs.runs;
        own_tile = warp / s.slabs.groups;
        own_rows = warp % s.slabs.groups;
        tiles_at_once = M::WARPS / s.slabs.groups;
        if (own_tile >= tiles_at_once) own_tile = TILES;
        if (group >= s.slabs.groups) group = 0; /* for nothing */
        deep = s.slabs.rows_total > s.slabs.ny;
        if (threadIdx.x < ndft_phase<R>::STEPS) turn[threadIdx.x] = s.turn[threadIdx.x];
    }

    __device__ __forceinline__ int operand_vecs() const
    {
        return TILES * s.slabs.groups * DATA_VECS;
    }

    __device__ __forceinline__ void start_slab(int64_t slab)
    {
        const int64_t first = slab * NDFT_OWN * THREADS + threadIdx.x;
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) total[k] = {0, 0};
#pragma unroll
        for (int h = 0; h < NDFT_RUN; h++) {
            field f;
#pragma unroll
            for (int i = 0; i < 8; i++) f.v[i] = s.dw ? s.dw[first + (h * 8 + i) * THREADS] : 0;
            ndft_store_vecs(dw + h * THREADS * DW_VECS, THREADS, f);
        }
        scale = next_scale = M::TOP > 1 ? 0x1p126f : 1.0f;
        ndft_place_rows(s.slabs, slab, rows);
    }

    /* The scale falls with the largest datum so far; what smaller ones then lose is small beside
     * what is in the sum. */
    __device__ __forceinline__ void choose_scale(float largest)
    {
        if constexpr (M::TOP > 1)
            if (largest > 0) next_scale = fminf(scale, ndft_f16_scale(largest));
    }

    /* A unit's data times exp(+i phase along y and z), a lane the columns g, inputs 4l..4l+3.
     * These are samples l, l + 4 ..., which lie in different banks. */
    __device__ __forceinline__ void make_operands(uint4 *operands) const
    {
        for (int tile = own_tile; tile < TILES; tile += tiles_at_once) {
            const complex row = rows[own_rows * NDFT_GROUP_ROWS + lane / 4];
            const int first = tile * 16 + lane % 4;
            R re[4], im[4];
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const complex z = values[first + 4 * e];
                complex turned;
                ndft_rotate(turned, ndft_row_phasor(samples[first + 4 * e], row, deep, turn),
                            {z.re * next_scale, z.im * next_scale});
                re[e] = turned.re;
                im[e] = turned.im;
            }
            uint4 *to = operands + (tile * s.slabs.groups + own_rows) * DATA_VECS + lane;
            ndft_store_vecs(to, 32, M::split(re));
            ndft_store_vecs(to + sizes::B_VECS * 32, 32, M::split(im));
        }
    }

    __device__ __forceinline__ void rescale()
    {
        if (next_scale == scale) return;
        const R down = next_scale / scale;
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) {
            total[k].re *= down;
            total[k].im *= down;
        }
        scale = next_scale;
    }

    /* Sums over a unit's samples for the folded voxels of a chunk: cosines and sines. */
    struct folded {
        ndft_tile_sum<R> re[2], im[2];
    };

    /* Adds tile i/2 of a unit: its cosines where i is even, its sines where it is odd. */
    __device__ __forceinline__ void multiply(int h, int i, const uint4 *operands, folded &v) const
    {
        const uint4 *from = stage[h] + (run * TILES * 2 + i) * sizes::A_VECS * 32 + lane;
        const uint4 *data = operands + (i / 2 * s.slabs.groups + group) * DATA_VECS + lane;
        const auto phasors = ndft_load_vecs<typename M::operand_a>(from, 32);
        M::multiply(v.re[i % 2], phasors, ndft_load_vecs<operand_b>(data, 32));
        M::multiply(v.im[i % 2], phasors, ndft_load_vecs<operand_b>(data + sizes::B_VECS * 32, 32));
    }

    /* The voxels of chunk H: columns g and g + 8, rows 2l and 2l + 1, at +u and -u. Products and
     * phasors exp(+i dw t) are written in slices, so that the compiler mixes them and tensor cores
     * and the rest are busy together. */
    template <int H> __device__ __forceinline__ void add_unit(const uint4 *operands, complex time)
    {
        const field f = ndft_load_vecs<field>(dw + H * THREADS * DW_VECS, THREADS);
        folded v = {};
        complex p[8];
#pragma unroll
        for (int e = 0; e < 4; e++) {
#pragma unroll
            for (int i = e * TILES / 2; i < (e + 1) * TILES / 2; i++) multiply(H, i, operands, v);
#pragma unroll
            for (int i = 2 * e; i < 2 * e + 2; i++)
                p[i] = ndft_phase<R>::of(f.v[i], time.re, time.im).phasor(turn);
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const complex plus = {v.re[0].d[i] - v.im[1].d[i], v.im[0].d[i] + v.re[1].d[i]};
            const complex minus = {v.re[0].d[i] + v.im[1].d[i], v.im[0].d[i] - v.re[1].d[i]};
            ndft_accumulate(total[H * 8 + 2 * i], p[2 * i].re, p[2 * i].im, plus);
            ndft_accumulate(total[H * 8 + 2 * i + 1], p[2 * i + 1].re, p[2 * i + 1].im, minus);
        }
    }

    /* Starts the copy of what the operands of a unit are made of. */
    __device__ __forceinline__ void fetch_data(int unit) const
    {
        constexpr int VECS = SAMPLES * sizeof(complex) / 16;
        sizes::fetch_samples(samples, s, unit);
        ndft_fetch<VECS, THREADS>((uint4 *)values, (const uint4 *)data + (int64_t)unit * VECS,
                                  VECS);
    }

    /* Units begin..end-1 of a slab. */
    __device__ __forceinline__ void sum_units(int64_t slab, int begin, int end)
    {
        const int vecs = sizes::stage_vecs(s.slabs);
        const uint4 *phasors = sizes::first_stage(s, slab, begin);
        uint4 *now = operands, *next = operands + operand_vecs();
        sizes::fetch_stage(stage[0], phasors, vecs);
        fetch_data(begin);
        start_slab(slab);
        choose_scale(most[begin]);
        ndft_arrive();
        make_operands(now);
        for (int unit = begin; unit < end; unit++) {
            const complex time = s.times[unit];
            const float largest = most[min(unit + 1, end - 1)];
            ndft_arrive();
            sizes::fetch_stage(stage[1], phasors, vecs);
            if (unit + 1 < end) fetch_data(unit + 1);
            rescale();
            add_unit<0>(now, time);
            ndft_arrive();
            if (unit + 1 < end) {
                sizes::fetch_stage(stage[0], phasors, vecs);
                choose_scale(largest);
                make_operands(next);
            }
            add_unit<1>(now, time);
            uint4 *const done = now;
            now = next;
            next = done;
        }
    }

    /* A voxel's sum of this chain and of those before it, of this thread; NULL: none. */
    __device__ __forceinline__ ndft_complex<double> sum(int k,
                                                        const ndft_complex<double> *before) const
    {
        const R unscale = 1 / (scale * (R)M::TOP);
        ndft_complex<double> z = {total[k].re * unscale, total[k].im * unscale};
        if (before) {
            z.re += before[k * THREADS].re;
            z.im += before[k * THREADS].im;
        }
        return z;
    }

    __device__ __forceinline__ void keep(const ndft_complex<double> *before,
                                         ndft_complex<double> *kept) const
    {
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) kept[k * THREADS] = sum(k, before);
    }

    __device__ __forceinline__ void put(const ndft_complex<double> *before,
                                        const ndft_split<R> &split, const ndft_segment &segment,
                                        complex *out) const
    {
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) {
            const ndft_complex<double> z = sum(k, before);
            ndft_put(split, segment, k * THREADS + (int)threadIdx.x, {(R)z.re, (R)z.im}, out);
        }
    }
};

/* Sums are the voxels of slabs, of one coil after the other, their steps units. data:
 * [coils][units][SAMPLES]; most: [coils][units]; kept: [blocks][NDFT_OWN][THREADS], where a segment
 * has several chains. */
template <class M, int TILES>
__global__ void __launch_bounds__(32 * M::WARPS, 1)
    ndft_separable_to_voxels(ndft_separable<typename M::R> s, ndft_split<typename M::R> split,
                             const ndft_complex<typename M::R> *data, const float *most,
                             ndft_complex<double> *kept, ndft_complex<typename M::R> *out)
{
    if constexpr (ndft_separable_by_wgmma<M>) return;
    extern __shared__ __align__(16) unsigned char shared[];
    using block = ndft_separable_adjoint<M, TILES>;
    block b(s, shared);
    ndft_wait_for_kernel_before();
    kept += (int64_t)blockIdx.x * NDFT_OWN * block::THREADS + threadIdx.x;
    const int64_t slabs = s.slabs.count, end = split.shares.begin(blockIdx.x + 1);
    for (int64_t at = split.shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(split.shares, blockIdx.x, at);
        const int64_t coil = segment.sum / slabs;
        b.data = data + coil * s.n_units * block::SAMPLES;
        b.most = most + coil * s.n_units;
        for (int begin = segment.begin, next; begin < segment.end; begin = next) {
            next = min(begin + NDFT_CHAIN, segment.end);
            __syncthreads();
            b.sum_units(segment.sum % slabs, begin, next);
            const auto *before = begin > segment.begin ? kept : nullptr;
            if (next < segment.end)
                b.keep(before, kept);
            else
                b.put(before, split, segment, out);
        }
        at += segment.end - segment.begin;
    }
}

/* The data in units, zeros where there is no sample, and the largest magnitude of each unit: a warp
 * per unit, coils in y. */
template <class R>
__global__ void ndft_separable_gather(const ndft_complex<R> *in, ndft_strides strides,
                                      const int32_t *order, int n_units, int size,
                                      ndft_complex<R> *data, float *most)
{
    const int unit = (int)((blockIdx.x * blockDim.x + threadIdx.x) / 32), lane = threadIdx.x % 32;
    if (unit >= n_units) return;
    ndft_let_kernel_after_begin();
    const int64_t first = (int64_t)unit * size;
    data += ((int64_t)blockIdx.y * n_units + unit) * size;
    constexpr int MOST = (16 * NDFT_MOST_TILES + 31) / 32; /* samples of a lane */
    int at[MOST];
    ndft_complex<R> z[MOST];
#pragma unroll
    for (int i = 0; i < MOST; i++) at[i] = lane + 32 * i < size ? order[first + lane + 32 * i] : -1;
#pragma unroll
    for (int i = 0; i < MOST; i++) {
        z[i] = {0, 0};
        if (at[i] >= 0) z[i] = in[at[i] * strides.element + blockIdx.y * strides.coil];
    }
    float largest = 0;
#pragma unroll
    for (int i = 0; i < MOST; i++) {
        if (lane + 32 * i < size) data[lane + 32 * i] = z[i];
        largest = fmaxf(largest, fmaxf(fabsf((float)z[i].re), fabsf((float)z[i].im)));
    }
    const unsigned all = __reduce_max_sync(~0u, __float_as_uint(largest));
    if (lane == 0) most[(int64_t)blockIdx.y * n_units + unit] = __uint_as_float(all);
}

#endif
