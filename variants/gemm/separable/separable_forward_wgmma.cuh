/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_FORWARD_WGMMA_CUH
#define NDFT_SEPARABLE_FORWARD_WGMMA_CUH

#include "core/shares.cuh"
#include "separable_wgmma.cuh"

/*
 * Image to k-space by wgmma. A block of four warps keeps a slab of 64 rows in shared memory and
 * takes units of samples, chunk by chunk: modulate by the field at the unit's time, fold and split
 * in registers, multiply by the phasors along x, while which the next chunk is folded. Then the
 * rows' sums times their phasors are added up. SHARED: units may share a time, and are folded once.
 */
template <int TILES, bool SHARED> struct ndft_separable_forward_wgmma : ndft_separable_wgmma {
    enum {
        CHUNKS = NDFT_FORWARD_CHUNKS,
        OWN = 16 * CHUNKS,
        SAMPLES = 16 * TILES,
        BLOCKS = 2 * TILES
    };
    enum { PART = part_vecs(SAMPLES), CHUNK = PARTS * PART }; /* vectors */
    using sums = float[BLOCKS][4];

    struct stage {
        float4 pairs[OWN / 2][THREADS];      /* a thread's voxels, at +u and -u */
        float4 dw[4][THREADS];               /* their field, of the first chunk */
        uint4 phasors[CHUNKS][CHUNK];        /* of a unit */
        complex groups[GROUPS][SAMPLES + 2]; /* phasors of groups of rows */
        complex rows[SAMPLES][34];           /* sums of a sample, of 32 lanes */
        ndft_sample_turns<float> samples[SAMPLES];
        ndft_bulk_barrier full[CHUNKS];
        float most[THREADS / 32];
    };

    const ndft_separable<float> &s;
    stage &own;
    const int warp, lane;
    float dw[OWN];        /* of the other chunk */
    complex place;        /* of the group whose phasors this thread makes */
    const uint4 *phasors; /* of the slab's units */
    int round;            /* units so far */

    __device__ __forceinline__ ndft_separable_forward_wgmma(const ndft_separable<float> &sep,
                                                            stage &shared)
        : s(sep), own(shared), warp(threadIdx.x / 32), lane(threadIdx.x % 32), round(0)
    {
        if (threadIdx.x < CHUNKS) own.full[threadIdx.x].begin();
    }

    static __device__ __forceinline__ void turn(complex &to, float dw, complex time, float scale,
                                                complex m)
    {
        const complex p = ndft_phase<float>::of(dw, time.re, time.im).phasor(nullptr);
        ndft_rotate(to, {scale * p.re, -scale * p.im}, m);
    }

    /* Brings the slab in as it is at a time, scaled so that folded voxels stay within an f16;
     * returns the scale. Loads are under way together, half of a kind at a time. */
    __device__ __forceinline__ float load_slab(int64_t slab, const complex *in, complex time)
    {
        enum { SOME = OWN / 2 };
        const int64_t first = slab * OWN * THREADS + threadIdx.x;
        const int *voxel = s.voxel + first;
        const float *field = s.dw + first;
        float largest = 0;
        int at[OWN];
#pragma unroll
        for (int k = 0; k < OWN; k++) at[k] = voxel[k * THREADS];
#pragma unroll
        for (int from = 0; from < OWN; from += SOME) {
            complex z[SOME];
#pragma unroll
            for (int k = 0; k < SOME; k++) {
                z[k] = {0, 0};
                if (at[from + k] >= 0) z[k] = in[at[from + k] * s.in.element];
            }
#pragma unroll
            for (int k = 0; k < SOME; k++) {
                ((complex *)&own.pairs[(from + k) / 2][threadIdx.x])[k % 2] = z[k];
                largest = fmaxf(largest, fmaxf(fabsf(z[k].re), fabsf(z[k].im)));
            }
        }
        const float scale = 0.125f * ndft_f16_scale(ndft_block_most(largest, own.most));
#pragma unroll
        for (int from = 0; from < OWN; from += SOME) {
            float dw_of[SOME];
#pragma unroll
            for (int k = 0; k < SOME; k++) dw_of[k] = s.dw ? field[(from + k) * THREADS] : 0;
#pragma unroll
            for (int k = 0; k < SOME; k++) {
                complex &m = ((complex *)&own.pairs[(from + k) / 2][threadIdx.x])[k % 2];
                turn(m, dw_of[k], time, scale, m);
                if (from == 0)
                    ((float *)&own.dw[k / 4][threadIdx.x])[k % 4] = dw_of[k];
                else
                    dw[from + k] = dw_of[k];
            }
        }
        return scale;
    }

    __device__ __forceinline__ complex turned(float re, float im, float dw, float angle) const
    {
        complex z;
        ndft_rotate(z, phasor(dw * angle), {re, im});
        return z;
    }

    /* What phasors along x are multiplied by: m(+u) + m(-u) for the cosines, -i (m(+u) - m(-u)) for
     * the sines. */
    struct folded {
        operand even_re, even_im, odd_re, odd_im;
    };

    /* Chunk c times exp(i dw angle), of a lane's row g (r = 0) or g + 8. */
    __device__ __forceinline__ void fold_row(int c, int r, float angle, folded &x) const
    {
        float even[2][4], odd[2][4];
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const int k = (c * 2 + r) * 4 + e;
            const float4 z = own.pairs[k][threadIdx.x];
            complex field = {dw[2 * k], dw[2 * k + 1]};
            if (c == 0) field = ((const complex *)&own.dw[k / 2][threadIdx.x])[k % 2];
            const complex plus = turned(z.x, z.y, field.re, angle);
            const complex minus = turned(z.z, z.w, field.im, angle);
            even[0][e] = plus.re + minus.re;
            even[1][e] = plus.im + minus.im;
            odd[0][e] = plus.im - minus.im;
            odd[1][e] = minus.re - plus.re;
        }
        x.even_re.set(r, even[0]);
        x.even_im.set(r, even[1]);
        x.odd_re.set(r, odd[0]);
        x.odd_im.set(r, odd[1]);
    }

    __device__ __forceinline__ void fold(int c, float angle, folded &x) const
    {
        fold_row(c, 0, angle, x);
        fold_row(c, 1, angle, x);
    }

    __device__ __forceinline__ void multiply_chunk(int c, folded &x, sums &re, sums &im) const
    {
        const uint64_t cosines = right(ndft_shared_address(own.phasors[c])),
                       sines = cosines + 2 * PART;
        settle_operand(x.even_re);
        settle_operand(x.even_im);
        settle_operand(x.odd_re);
        settle_operand(x.odd_im);
        fence();
        add(re, x.even_re, cosines, c == 0);
        add(im, x.even_im, cosines, c == 0);
        add(re, x.odd_re, sines, false);
        add(im, x.odd_im, sines, false);
        commit();
    }

    /* Starts the copy of a unit's chunk; what groups are made of comes with the last. */
    __device__ __forceinline__ void fetch(int unit, int c) const
    {
        if (threadIdx.x != 0) return;
        const int samples = c + 1 == s.slabs.chunks ? (int)sizeof own.samples : 0;
        own.full[c].expect(CHUNK * (int)sizeof(uint4) + samples);
        own.full[c].copy(own.phasors[c], phasors + ((int64_t)unit * s.slabs.chunks + c) * CHUNK,
                         CHUNK * (int)sizeof(uint4));
        if (samples) own.full[c].copy(own.samples, s.samples + (int64_t)unit * SAMPLES, samples);
    }

    __device__ __forceinline__ void make_groups() const
    {
        const bool deep = s.slabs.rows_total > s.slabs.plane_rows;
#pragma unroll
        for (int i = 0; i < TILES; i++) {
            const int j = i * 16 + (int)threadIdx.x / GROUPS;
            own.groups[threadIdx.x % GROUPS][j] =
                ndft_row_phasor(own.samples[j], place, deep, s.turn);
        }
    }

    /* A lane's rows g and g + 8, summed for each sample by their groups' phasors. */
    __device__ __forceinline__ void sum_rows(const sums &re, const sums &im) const
    {
        const int j = lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < BLOCKS; i++) {
            const float4 a = *(const float4 *)&own.groups[2 * warp][8 * i + j];
            const float4 b = *(const float4 *)&own.groups[2 * warp + 1][8 * i + j];
            complex sum[2] = {{0, 0}, {0, 0}};
            ndft_accumulate(sum[0], a.x, -a.y, {re[i][0], im[i][0]});
            ndft_accumulate(sum[1], a.z, -a.w, {re[i][1], im[i][1]});
            ndft_accumulate(sum[0], b.x, -b.y, {re[i][2], im[i][2]});
            ndft_accumulate(sum[1], b.z, -b.w, {re[i][3], im[i][3]});
            own.rows[8 * i + j][warp * 8 + lane / 4] = sum[0];
            own.rows[8 * i + j + 1][warp * 8 + lane / 4] = sum[1];
        }
    }

    /* The phasors of four rows of a group, 4 half to 4 half + 3, for a sample of a unit. */
    __device__ __forceinline__ void load_babies(int unit, complex (&baby)[4]) const
    {
        const int64_t row = (int64_t)unit * NDFT_GROUP_ROWS + lane / 16 * 4;
        if (warp >= TILES) return;
#pragma unroll
        for (int i = 0; i < 4; i++)
            baby[i] = s.babies[(row + i) * (SAMPLES + NDFT_BABY_PAD) + warp * 16 + lane % 16];
    }

    /* Two lanes add up a sample's sums. */
    __device__ __forceinline__ void write_unit(const complex (&baby)[4], float unscale,
                                               complex *to) const
    {
        if (warp >= TILES) return;
        const int j = warp * 16 + lane % 16;
        complex sum = {0, 0};
#pragma unroll
        for (int i = 0; i < 2; i++) {
            complex row[2] = {{0, 0}, {0, 0}};
#pragma unroll
            for (int w = 0; w < 4; w++) {
                const float4 z = *(const float4 *)&own.rows[j][w * 8 + lane / 16 * 4 + 2 * i];
                row[0].re += z.x;
                row[0].im += z.y;
                row[1].re += z.z;
                row[1].im += z.w;
            }
            ndft_accumulate(sum, baby[2 * i].re, -baby[2 * i].im, row[0]);
            ndft_accumulate(sum, baby[2 * i + 1].re, -baby[2 * i + 1].im, row[1]);
        }
        sum.re += __shfl_xor_sync(~0u, sum.re, 16);
        sum.im += __shfl_xor_sync(~0u, sum.im, 16);
        if (lane < 16) to[j] = {sum.re * unscale, sum.im * unscale};
    }

    /* Units begin..end-1 of a slab, near in time. The first chunk of a unit is folded while the
     * last products of the one before run. parts: [n_units][SAMPLES] of this slab. */
    __device__ __forceinline__ void sum_units(int64_t slab, int begin, int end, const complex *in,
                                              complex *parts)
    {
        const int chunks = s.slabs.chunks;
        phasors = s.phasors + slab % s.slabs.along_x * s.n_units * chunks * CHUNK;
        place = group_place(s.slabs, slab, threadIdx.x % GROUPS);
#pragma unroll
        for (int c = 0; c < CHUNKS; c++)
            if (c < chunks) fetch(begin, c);
        const complex start = s.times[begin];
        const float unscale =
            whole(2 * NDFT_CHUNK_COLUMNS * chunks) / (load_slab(slab, in, start) * TOP);
        folded x[CHUNKS];
        fold(0, 0, x[0]);
        bool same = false; /* as the time before */
        for (int unit = begin; unit < end; unit++, round++) {
            const float back = -angle(s.times[unit], start);
            sums re, im;
            complex baby[4]; /* of the unit before */
            if (unit > begin) load_babies(unit - 1, baby);
#pragma unroll
            for (int c = 0; c < CHUNKS; c++) {
                if (c >= chunks) break;
                if (c > 0 && !(SHARED && same)) fold(c, back, x[c]);
                own.full[c].wait(round);
                multiply_chunk(c, x[c], re, im);
                if (c > 0) wait<1>();
            }
            __syncthreads();
            if (chunks == CHUNKS && unit + 1 < end) fetch(unit + 1, 0);
            if (unit > begin) write_unit(baby, unscale, parts + (int64_t)(unit - 1) * SAMPLES);
            make_groups();
            if (unit + 1 < end) {
                const float next = -angle(s.times[unit + 1], start);
                same = next == back;
                if (!(SHARED && same)) fold(0, next, x[0]);
            }
            wait<0>();
            settle(re);
            settle(im);
            __syncthreads();
            if (unit + 1 < end) fetch(unit + 1, chunks - 1);
            sum_rows(re, im);
        }
        complex baby[4];
        load_babies(end - 1, baby);
        __syncthreads();
        write_unit(baby, unscale, parts + (int64_t)(end - 1) * SAMPLES);
    }
};

/* Sums are slabs of one coil after the other, their steps units. parts: [sums][units][SAMPLES] */
template <int TILES, bool SHARED>
__global__ void __launch_bounds__(ndft_separable_wgmma::THREADS, 3)
    ndft_separable_to_samples_wgmma(ndft_separable<float> s, ndft_shares shares,
                                    const ndft_complex<float> *in, ndft_complex<float> *parts)
{
    extern __shared__ __align__(16) unsigned char shared[];
    using block = ndft_separable_forward_wgmma<TILES, SHARED>;
    block b(s, *(typename block::stage *)shared);
    ndft_let_kernel_after_begin(); /* all blocks have a place */
    const int64_t slabs = s.slabs.count, end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        for (int begin = segment.begin, next; begin < segment.end; begin = next) {
            next = block::span_end(s, begin, segment.end);
            __syncthreads();
            b.sum_units(segment.sum % slabs, begin, next, in + segment.sum / slabs * s.in.coil,
                        parts + segment.sum * shares.steps * block::SAMPLES);
        }
        at += segment.end - segment.begin;
    }
}

#endif
