/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_ADJOINT_WGMMA_CUH
#define NDFT_SEPARABLE_ADJOINT_WGMMA_CUH

#include "separable_adjoint.cuh"
#include "separable_wgmma.cuh"

/*
 * K-space to image by wgmma. A block of four warps keeps the sums of 64 rows by 32 folded columns
 * in registers and takes units of samples: the data times the row phasors, split in registers,
 * times the phasors along x; the results are unfolded, turned by the field at the unit's time and
 * added to the voxels. Chains end as in the other form, and where phases of the field
 * against their first unit would need reduction.
 */
template <int TILES> struct ndft_separable_adjoint_wgmma : ndft_separable_wgmma {
    enum {
        CHUNKS = NDFT_ADJOINT_CHUNKS,
        COLUMNS = 16 * CHUNKS,
        BLOCKS = 2 * CHUNKS,
        OWN = 16 * CHUNKS
    };
    enum { SAMPLES = 16 * TILES, STAGES = 2 };
    enum { PART = part_vecs(COLUMNS), TILE = PARTS * PART }; /* vectors */
    using sums = float[BLOCKS][4];

    struct stage {
        uint4 phasors[STAGES][TILES][TILE];
        complex babies[STAGES][NDFT_GROUP_ROWS][SAMPLES + NDFT_BABY_PAD];
        complex values[STAGES][SAMPLES];
        ndft_sample_turns<float> samples[STAGES][SAMPLES];
        float4 total[OWN / 2][THREADS]; /* of a thread's voxels, at +u and -u */
        complex groups[2][GROUPS][SAMPLES + 2];
        ndft_bulk_barrier full[STAGES];
    };

    const ndft_separable<float> &s;
    stage &own;
    const complex *data; /* [n_units][SAMPLES] of this coil */
    const float *most;   /* [n_units] of this coil: largest of each unit */
    const int warp, lane;
    complex place;        /* of the group whose phasors this thread makes */
    complex start;        /* time of the chain's first unit, against which voxels are turned */
    const uint4 *phasors; /* of the slab's units */
    float dw[OWN];
    float scale, next_scale;
    int round; /* units so far */

    __device__ __forceinline__ ndft_separable_adjoint_wgmma(const ndft_separable<float> &sep,
                                                            stage &shared)
        : s(sep), own(shared), warp(threadIdx.x / 32), lane(threadIdx.x % 32), round(0)
    {
        if (threadIdx.x < STAGES) own.full[threadIdx.x].begin();
    }

    __device__ __forceinline__ void start_slab(int64_t slab)
    {
        const int64_t first = slab * OWN * THREADS + threadIdx.x;
#pragma unroll
        for (int k = 0; k < OWN; k++) dw[k] = s.dw ? s.dw[first + k * THREADS] : 0;
#pragma unroll
        for (int k = 0; k < OWN / 2; k++) own.total[k][threadIdx.x] = {0, 0, 0, 0};
        scale = next_scale = 0x1p126f;
    }

    /* The scale falls with the largest datum so far; what smaller ones then lose is small beside
     * what is in the sum. */
    __device__ __forceinline__ void choose_scale(float largest)
    {
        if (largest > 0) next_scale = fminf(scale, ndft_f16_scale(largest));
    }

    __device__ __forceinline__ void rescale()
    {
        if (next_scale == scale) return;
        const float down = next_scale / scale;
#pragma unroll 4
        for (int k = 0; k < OWN / 2; k++) {
            float4 &z = own.total[k][threadIdx.x];
            z = {z.x * down, z.y * down, z.z * down, z.w * down};
        }
        scale = next_scale;
    }

    /* Starts the copies of a unit, the i-th that the block takes: what the plan has of it. */
    __device__ __forceinline__ void fetch_tables(int unit, int i) const
    {
        if (threadIdx.x != 0) return;
        const int64_t first = (int64_t)unit * SAMPLES;
        const int at = i % STAGES;
        ndft_bulk_barrier &full = own.full[at];
        full.expect(sizeof own.phasors[0] + sizeof own.babies[0] + sizeof own.values[0] +
                    sizeof own.samples[0]);
        full.copy(own.phasors[at], phasors + (int64_t)unit * TILES * TILE, sizeof own.phasors[0]);
        full.copy(own.babies[at],
                  s.babies + (int64_t)unit * NDFT_GROUP_ROWS * (SAMPLES + NDFT_BABY_PAD),
                  sizeof own.babies[0]);
        full.copy(own.samples[at], s.samples + first, sizeof own.samples[0]);
    }

    /* Then its data. */
    __device__ __forceinline__ void fetch_values(int unit, int i) const
    {
        if (threadIdx.x != 0) return;
        own.full[i % STAGES].copy(own.values[i % STAGES], data + (int64_t)unit * SAMPLES,
                                  sizeof own.values[0]);
    }

    /* Phasors of groups of rows, times the scale. */
    __device__ __forceinline__ void make_groups(int i) const
    {
        const auto *samples = own.samples[i % STAGES];
        auto *groups = own.groups[i % 2];
        const bool deep = s.slabs.rows_total > s.slabs.plane_rows;
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const int j = tile * 16 + (int)threadIdx.x / GROUPS;
            const complex p = ndft_row_phasor(samples[j], place, deep, s.turn);
            groups[threadIdx.x % GROUPS][j] = {p.re * next_scale, p.im * next_scale};
        }
    }

    /* A unit's data of a tile times exp(+i phase along y and z). */
    struct rows {
        operand re, im;
    };

    /* Of the i-th unit, the lane's four samples from `first` on. */
    __device__ __forceinline__ void make_rows(int i, int first, rows &x) const
    {
        const int at = i % STAGES;
        complex z[4];
        const float4 *from = (const float4 *)(own.values[at] + first);
        const float4 *baby = (const float4 *)(own.babies[at][lane / 4] + first);
#pragma unroll
        for (int e = 0; e < 2; e++) {
            const float4 v = from[e], b = baby[e];
            ndft_rotate(z[2 * e], {b.x, b.y}, {v.x, v.y});
            ndft_rotate(z[2 * e + 1], {b.z, b.w}, {v.z, v.w});
        }
#pragma unroll
        for (int r = 0; r < 2; r++) {
            const float4 *group = (const float4 *)&own.groups[i % 2][2 * warp + r][first];
            float re[4], im[4];
#pragma unroll
            for (int e = 0; e < 4; e++) {
                const float4 p = group[e / 2];
                complex turned;
                ndft_rotate(turned, e % 2 ? complex{p.z, p.w} : complex{p.x, p.y}, z[e]);
                re[e] = turned.re;
                im[e] = turned.im;
            }
            x.re.set(r, re);
            x.im.set(r, im);
        }
    }

    /* Sums over a unit's samples for the folded voxels: cosines and sines. */
    struct folded {
        sums re[2], im[2];
    };

    __device__ __forceinline__ void multiply_tile(uint64_t phasors, int tile, rows &x,
                                                  folded &v) const
    {
        const uint64_t cosines = phasors + tile * TILE, sines = cosines + 2 * PART;
        settle_operand(x.re);
        settle_operand(x.im);
        fence();
        add(v.re[0], x.re, cosines, tile == 0);
        add(v.im[0], x.im, cosines, tile == 0);
        add(v.re[1], x.re, sines, tile == 0);
        add(v.im[1], x.im, sines, tile == 0);
        commit();
    }

    /* A thread's voxels are those of block i, row g or g + 8, column 2l or 2l + 1, at +u and -u. */
    __device__ __forceinline__ void add_unit(const folded &v, float angle)
    {
#pragma unroll
        for (int k = 0; k < OWN / 2; k++) {
            const int block = k / 4, at = k % 4;
            const float cr = v.re[0][block][at], ci = v.im[0][block][at];
            const float sr = v.re[1][block][at], si = v.im[1][block][at];
            const complex p = phasor(dw[2 * k] * angle), q = phasor(dw[2 * k + 1] * angle);
            const float4 total = own.total[k][threadIdx.x];
            complex plus = {total.x, total.y}, minus = {total.z, total.w};
            ndft_accumulate(plus, p.re, p.im, {cr - si, ci + sr});
            ndft_accumulate(minus, q.re, q.im, {cr + si, ci - sr});
            own.total[k][threadIdx.x] = {plus.re, plus.im, minus.re, minus.im};
        }
    }

    /* Units begin..end-1 of a slab. Data may come of a kernel before, the plan's tables do not. */
    __device__ __forceinline__ void sum_units(int64_t slab, int begin, int end)
    {
        phasors = s.phasors + slab % s.slabs.along_x * s.n_units * TILES * TILE;
        place = group_place(s.slabs, slab, threadIdx.x % GROUPS);
        for (int i = 0; i < STAGES && begin + i < end; i++) fetch_tables(begin + i, round + i);
        start_slab(slab);
        start = s.times[begin];
        ndft_wait_for_kernel_before();
        for (int i = 0; i < STAGES && begin + i < end; i++) fetch_values(begin + i, round + i);
        choose_scale(most[begin]);
        own.full[round % STAGES].wait(round / STAGES);
        make_groups(round);
        __syncthreads();
        for (int unit = begin; unit < end; unit++, round++) {
            const complex time = s.times[unit];
            const float largest = most[min(unit + 1, end - 1)];
            const int at = round % STAGES;
            const unsigned address = ndft_shared_address(own.phasors[at]);
            const uint64_t phasors = right(__shfl_sync(~0u, address, 0)); /* told to be uniform */
            folded v;
            rows x[TILES];
#pragma unroll
            for (int i = 0; i < TILES; i++) {
                make_rows(round, 16 * i + lane % 4 * 4, x[i]);
                multiply_tile(phasors, i, x[i], v);
                if (i > 0) wait<1>();
            }
            rescale();
            if (unit + 1 < end) {
                choose_scale(largest);
                own.full[(round + 1) % STAGES].wait((round + 1) / STAGES);
                make_groups(round + 1);
            }
            wait<0>();
#pragma unroll
            for (int i = 0; i < 2; i++) {
                settle(v.re[i]);
                settle(v.im[i]);
            }
            __syncthreads();
            if (unit + STAGES < end) {
                fetch_tables(unit + STAGES, round + STAGES);
                fetch_values(unit + STAGES, round + STAGES);
            }
            add_unit(v, angle(time, start));
        }
    }

    /* Turns the chain's sums, adds them to those before it, of this thread, and keeps or puts
     * them. */
    __device__ __forceinline__ void end_chain(bool first, bool last, const ndft_split<float> &split,
                                              const ndft_segment &segment,
                                              ndft_complex<double> *kept, complex *out) const
    {
        const float unscale = whole(SAMPLES) / (scale * TOP);
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            complex &sum = ((complex *)&own.total[k / 2][threadIdx.x])[k % 2];
            const complex p = ndft_phase<float>::of(dw[k], start.re, start.im).phasor(nullptr);
            complex z;
            ndft_rotate(z, {unscale * p.re, unscale * p.im}, sum);
            sum = z;
        }
#pragma unroll 1
        for (int k = 0; k < OWN; k++) {
            const complex sum = ((const complex *)&own.total[k / 2][threadIdx.x])[k % 2];
            ndft_complex<double> z = {sum.re, sum.im};
            const int at = k * THREADS + (int)threadIdx.x;
            if (!first) {
                z.re += kept[at].re;
                z.im += kept[at].im;
            }
            if (last)
                ndft_put(split, segment, at, {(float)z.re, (float)z.im}, out);
            else
                kept[at] = z;
        }
    }
};

/* As ndft_separable_to_voxels. */
template <int TILES>
__global__ void __launch_bounds__(ndft_separable_wgmma::THREADS, 3)
    ndft_separable_to_voxels_wgmma(ndft_separable<float> s, ndft_split<float> split,
                                   const ndft_complex<float> *data, const float *most,
                                   ndft_complex<double> *kept, ndft_complex<float> *out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    using block = ndft_separable_adjoint_wgmma<TILES>;
    block b(s, *(typename block::stage *)shared);
    ndft_let_kernel_after_begin(); /* all blocks have a place */
    kept += (int64_t)blockIdx.x * block::OWN * block::THREADS;
    const int64_t slabs = s.slabs.count, end = split.shares.begin(blockIdx.x + 1);
    for (int64_t at = split.shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(split.shares, blockIdx.x, at);
        const int64_t coil = segment.sum / slabs;
        b.data = data + coil * s.n_units * block::SAMPLES;
        b.most = most + coil * s.n_units;
        for (int begin = segment.begin, next; begin < segment.end; begin = next) {
            next = block::span_end(s, begin, min(begin + NDFT_CHAIN, segment.end));
            __syncthreads();
            b.sum_units(segment.sum % slabs, begin, next);
            b.end_chain(begin == segment.begin, next == segment.end, split, segment, kept, out);
        }
        at += segment.end - segment.begin;
    }
}

#endif
