/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_FORWARD_CUH
#define NDFT_SEPARABLE_FORWARD_CUH

#include "core/early.cuh"
#include "core/shares.cuh"
#include "separable_block.cuh"

/*
 * Image to k-space. A block keeps a slab of the image in shared memory, each thread the voxels that
 * it will turn into operands, and takes units of samples: modulate by the field at the unit's time,
 * fold, split into parts, multiply by the phasors along x, which gives U(sample, row); then the
 * epilogue adds conj(row phasor) U over the slab's rows. Nothing but the slab's sums leaves. The
 * voxels of the next chunk are folded while the tensor cores multiply those of this one.
 */

template <class M, int TILES> struct ndft_separable_forward : ndft_separable_sizes<M, TILES> {
    using sizes = ndft_separable_sizes<M, TILES>;
    using sizes::SAMPLES;
    using sizes::THREADS;
    using typename sizes::R;
    using complex = ndft_complex<R>;
    using sums = ndft_tile_sum<R>[TILES];
    /* Lanes of a row whose sums are kept apart until the block adds them up. */
    static constexpr int LANES = sizeof(R) == sizeof(float) ? 4 : 1;
    static constexpr int PAIR = 16 / sizeof(complex); /* sums in one load */

    /* A thread's voxels of one chunk, columns 4l..4l+3 of the row of its g: at +u and -u. */
    struct alignas(16) voxels {
        complex m[2][4];
        R dw[2][4];
    };

    /* Row lengths of arrays in shared memory, without bank conflicts. */
    static __host__ __device__ int row_stride(const ndft_slabs &s) { return s.rows + 8; }
    static __host__ __device__ int sum_stride() { return M::WARPS * LANES + 4; }

    static size_t shared_bytes(const ndft_slabs &s)
    {
        const size_t stages = 2 * (size_t)sizes::stage_vecs(s) * sizeof(uint4);
        const size_t slab = NDFT_RUN * (size_t)THREADS * sizeof(voxels);
        const size_t rows = ((size_t)(SAMPLES + 1) * row_stride(s) + s.rows) * sizeof(complex);
        return stages + slab + rows + SAMPLES * sum_stride() * sizeof(complex) +
               SAMPLES * sizeof(ndft_sample_turns<R>) +
               ndft_phase<R>::STEPS * sizeof(ndft_complex<double>) + M::WARPS * sizeof(float);
    }

    const ndft_separable<R> &s;
    const int warp, lane;
    uint4 *stage[2], *own;
    complex *row_phasors; /* [sample][row_stride], and a row for nothing */
    complex *row_sums;    /* [sample][sum_stride] */
    complex *rows;
    ndft_sample_turns<R> *samples; /* of a unit */
    ndft_complex<double> *turn;
    float *most;
    bool active, deep;
    int run, group;
    int own_row, own_sample, samples_at_once; /* where this thread makes row phasors */

    __device__ __forceinline__ ndft_separable_forward(const ndft_separable<R> &sep,
                                                      unsigned char *shared)
        : s(sep), warp(threadIdx.x / 32), lane(threadIdx.x % 32)
    {
        ndft_shared_room room = {shared};
        stage[0] = room.take<uint4>(sizes::stage_vecs(s.slabs));
        stage[1] = room.take<uint4>(sizes::stage_vecs(s.slabs));
        own = room.take<uint4>(NDFT_RUN * THREADS * (int)(sizeof(voxels) / sizeof(uint4)));
        row_phasors = room.take<complex>((SAMPLES + 1) * row_stride(s.slabs));
        row_sums = room.take<complex>(SAMPLES * sum_stride());
        rows = room.take<complex>(s.slabs.rows);
        samples = room.take<ndft_sample_turns<R>>(SAMPLES);
        turn = room.take<ndft_complex<double>>(ndft_phase<R>::STEPS);
        most = room.take<float>(M::WARPS);
        run = warp % s.slabs.runs;
        group = warp / s.slabs.runs;
        active = group < s.slabs.groups;
        deep = s.slabs.rows_total > s.slabs.ny;
        own_row = (int)threadIdx.x % s.slabs.rows;
        own_sample = (int)threadIdx.x / s.slabs.rows;
        samples_at_once = THREADS / s.slabs.rows;
        for (int i = threadIdx.x; i < SAMPLES * sum_stride(); i += THREADS) row_sums[i] = {0, 0};
        if (threadIdx.x < ndft_phase<R>::STEPS) turn[threadIdx.x] = s.turn[threadIdx.x];
    }

    __device__ uint4 *own_voxels(int h) const
    {
        return own + h * THREADS * (int)(sizeof(voxels) / sizeof(uint4)) + threadIdx.x;
    }

    /* Brings the slab in, scaled so that folded voxels stay within an f16; returns the scale. */
    __device__ R load_slab(int64_t slab, const complex *in)
    {
        voxels v[NDFT_RUN];
        float largest = 0;
        const int64_t first = slab * NDFT_OWN * THREADS + threadIdx.x;
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) {
            const int at = s.voxel[first + k * THREADS];
            complex z = {0, 0};
            if (at >= 0) z = in[at * s.in.element];
            v[k / 8].m[k / 4 % 2][k % 4] = z;
            v[k / 8].dw[k / 4 % 2][k % 4] = s.dw ? s.dw[first + k * THREADS] : 0;
            largest = fmaxf(largest, fmaxf(fabsf((float)z.re), fabsf((float)z.im)));
        }
        R scale = 1;
        if constexpr (M::TOP > 1) scale = 0.125f * ndft_f16_scale(ndft_block_most(largest, most));
#pragma unroll
        for (int k = 0; k < NDFT_OWN; k++) {
            v[k / 8].m[k / 4 % 2][k % 4].re *= scale;
            v[k / 8].m[k / 4 % 2][k % 4].im *= scale;
        }
#pragma unroll
        for (int h = 0; h < NDFT_RUN; h++) ndft_store_vecs(own_voxels(h), THREADS, v[h]);
        ndft_place_rows(s.slabs, slab, rows);
        return scale;
    }

    /* What phasors along x are multiplied by: m(+u) + m(-u) for the cosines, -i (m(+u) - m(-u)) for
     * the sines. */
    struct folded {
        typename M::operand_b even_re, even_im, odd_re, odd_im;
    };

    /* Voxels of chunk h at columns e of each lane times exp(-i dw t). */
    __device__ __forceinline__ void fold_pair(const voxels &v, int e, complex time, R (&even)[2][4],
                                              R (&odd)[2][4]) const
    {
        complex side[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const complex p = ndft_phase<R>::of(v.dw[i][e], time.re, time.im).phasor(turn);
            ndft_rotate(side[i], {p.re, -p.im}, v.m[i][e]);
        }
        even[0][e] = side[0].re + side[1].re;
        even[1][e] = side[0].im + side[1].im;
        odd[0][e] = side[0].im - side[1].im;
        odd[1][e] = side[1].re - side[0].re;
    }

    __device__ __forceinline__ folded fold_first(complex time) const
    {
        const voxels v = ndft_load_vecs<voxels>(own_voxels(0), THREADS);
        R even[2][4], odd[2][4];
#pragma unroll
        for (int e = 0; e < 4; e++) fold_pair(v, e, time, even, odd);
        return {M::split(even[0]), M::split(even[1]), M::split(odd[0]), M::split(odd[1])};
    }

    /* U += some of the phasors along x of chunk h times its voxels: cosines of tile i/2 where i is
     * even, sines where it is odd. */
    __device__ __forceinline__ void multiply(int h, int i, const folded &x, sums &re,
                                             sums &im) const
    {
        const uint4 *from = stage[h] + (run * TILES * 2 + i) * sizes::A_VECS * 32 + lane;
        const auto phasors = ndft_load_vecs<typename M::operand_a>(from, 32);
        M::multiply(re[i / 2], phasors, i % 2 == 0 ? x.even_re : x.odd_re);
        M::multiply(im[i / 2], phasors, i % 2 == 0 ? x.even_im : x.odd_im);
    }

    /* Multiplies x, chunk h, and replaces it by the other chunk, folded at the time given. Written
     * in slices, so that the compiler mixes them and tensor cores and the rest are busy together.
     */
    __device__ __forceinline__ void step(int h, complex time, folded &x, sums &re, sums &im) const
    {
        const voxels v = ndft_load_vecs<voxels>(own_voxels(1 - h), THREADS);
        R even[2][4], odd[2][4];
#pragma unroll
        for (int e = 0; e < 4; e++) {
#pragma unroll
            for (int i = e * TILES / 2; i < (e + 1) * TILES / 2; i++) multiply(h, i, x, re, im);
            fold_pair(v, e, time, even, odd);
        }
        x = {M::split(even[0]), M::split(even[1]), M::split(odd[0]), M::split(odd[1])};
    }

    __device__ __forceinline__ void make_row_phasors() const
    {
        if (own_sample >= samples_at_once) return;
        const complex row = rows[own_row];
        for (int first = own_sample; first < SAMPLES; first += TILES * samples_at_once) {
#pragma unroll
            for (int i = 0; i < TILES; i++) {
                const int j = first + i * samples_at_once;
                row_phasors[min(j, SAMPLES) * row_stride(s.slabs) + own_row] =
                    ndft_row_phasor(samples[min(j, SAMPLES - 1)], row, deep, turn);
            }
        }
    }

    /* The warp's rows, summed for each sample. */
    __device__ __forceinline__ void sum_rows(const sums &re, const sums &im) const
    {
        if (!active) return;
        const complex *phasors = row_phasors + group * NDFT_GROUP_ROWS + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < 2 * TILES; i++) {
            const int j = lane / 4 + i * 8, at = i % 2 * 2;
            const complex *p = phasors + j * row_stride(s.slabs);
            const ndft_pack<R, 4> pair = *(const ndft_pack<R, 4> *)p;
            complex sum = {0, 0};
            ndft_accumulate(sum, pair.v[0], -pair.v[1], {re[i / 2].d[at], im[i / 2].d[at]});
            ndft_accumulate(sum, pair.v[2], -pair.v[3], {re[i / 2].d[at + 1], im[i / 2].d[at + 1]});
            if constexpr (LANES == 1) {
#pragma unroll
                for (int d = 1; d < 4; d *= 2) {
                    sum.re += __shfl_xor_sync(~0u, sum.re, d);
                    sum.im += __shfl_xor_sync(~0u, sum.im, d);
                }
            }
            if (lane % 4 < LANES) row_sums[j * sum_stride() + warp * LANES + lane % 4] = sum;
        }
    }

    /* Eight lanes add up a sample's sums. */
    __device__ __forceinline__ void write_unit(R unscale, complex *to) const
    {
#pragma unroll
        for (int i = 0; i < (SAMPLES * 8 + THREADS - 1) / THREADS; i++) {
            const int j = (i * THREADS + (int)threadIdx.x) / 8;
            if (j >= SAMPLES) return;
            complex sum = {0, 0};
#pragma unroll
            for (int part = lane % 8 * PAIR; part < M::WARPS * LANES; part += 8 * PAIR) {
                const complex *from = row_sums + j * sum_stride() + part;
                const ndft_pack<R, 2 *PAIR> z = *(const ndft_pack<R, 2 * PAIR> *)from;
#pragma unroll
                for (int k = 0; k < PAIR; k++) {
                    sum.re += z.v[2 * k];
                    sum.im += z.v[2 * k + 1];
                }
            }
#pragma unroll
            for (int d = 1; d < 8; d *= 2) {
                sum.re += __shfl_xor_sync(~0u, sum.re, d);
                sum.im += __shfl_xor_sync(~0u, sum.im, d);
            }
            if (lane % 8 == 0) to[j] = {sum.re * unscale, sum.im * unscale};
        }
    }

    /* Units begin..end-1 of a slab. parts: [n_units][SAMPLES] of this slab. */
    __device__ __forceinline__ void sum_units(int64_t slab, int begin, int end, const complex *in,
                                              complex *parts)
    {
        const int vecs = sizes::stage_vecs(s.slabs);
        const uint4 *phasors = sizes::first_stage(s, slab, begin);
        sizes::fetch_stage(stage[0], phasors, vecs);
        sizes::fetch_samples(samples, s, begin);
        complex time = s.times[begin];
        const R unscale = 1 / (load_slab(slab, in) * (R)M::TOP);
        folded x = fold_first(time);
        for (int unit = begin; unit < end; unit++) {
            sums re = {}, im = {};
            const complex later = s.times[min(unit + 1, end - 1)];
            ndft_arrive();
            sizes::fetch_stage(stage[1], phasors, vecs);
            if (unit > begin) write_unit(unscale, parts + (int64_t)(unit - 1) * SAMPLES);
            make_row_phasors();
            step(0, time, x, re, im);
            ndft_arrive();
            if (unit + 1 < end) {
                sizes::fetch_stage(stage[0], phasors, vecs);
                sizes::fetch_samples(samples, s, unit + 1);
            }
            time = later;
            step(1, time, x, re, im);
            sum_rows(re, im);
        }
        __syncthreads();
        write_unit(unscale, parts + (int64_t)(end - 1) * SAMPLES);
    }
};

/* Sums are slabs of one coil after the other, their steps units. parts: [sums][units][SAMPLES] */
template <class M, int TILES>
__global__ void __launch_bounds__(32 * M::WARPS, 1)
    ndft_separable_to_samples(ndft_separable<typename M::R> s, ndft_shares shares,
                              const ndft_complex<typename M::R> *in,
                              ndft_complex<typename M::R> *parts)
{
    if constexpr (ndft_separable_by_wgmma<M>) return;
    extern __shared__ __align__(16) unsigned char shared[];
    using block = ndft_separable_forward<M, TILES>;
    block b(s, shared);
    const int64_t slabs = s.slabs.count, end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        __syncthreads();
        b.sum_units(segment.sum % slabs, segment.begin, segment.end,
                    in + segment.sum / slabs * s.in.coil,
                    parts + segment.sum * shares.steps * block::SAMPLES);
        at += segment.end - segment.begin;
    }
}

/* out = the sum over slabs, a thread per place of a unit, coils in y. */
template <class R>
__global__ void ndft_separable_join(const ndft_complex<R> *parts, int64_t slabs, int64_t places,
                                    const int32_t *order, ndft_strides strides,
                                    ndft_complex<R> *out)
{
    const int64_t place = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int32_t at = place < places ? order[place] : -1;
    ndft_wait_for_kernel_before();
    if (at < 0) return;
    parts += blockIdx.y * slabs * places + place;
    ndft_complex<R> sum = {0, 0};
#pragma unroll 16
    for (int64_t i = 0; i < slabs; i++) {
        const ndft_complex<R> part = parts[i * places];
        sum.re += part.re;
        sum.im += part.im;
    }
    out[at * strides.element + blockIdx.y * strides.coil] = sum;
}

#endif
