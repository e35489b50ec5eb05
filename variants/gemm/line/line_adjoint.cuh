/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_ADJOINT_CUH
#define NDFT_LINE_ADJOINT_CUH

#include "line_tile.cuh"

/*
 * K-space to image: a warp owns 32 voxels and sums over pieces of lines. The data of a piece,
 * folded over the signs of a and b, are a small matrix that is made once, as fragments, by a kernel
 * of its own. The product with the cosines and sines of b leaves a complex number per voxel for
 * each cosine and sine of a; those are multiplied in f32, and the sum is turned from the middle of
 * the line.
 */

/* Word w of a lane's fragment in product (k, n): rows cos b_j and sin b_j of column g. */
struct ndft_fold_place {
    int j, l, part, sine;

    __device__ ndft_fold_place(int k, int n, int lane, int w)
        : j(8 * k + 4 * w + lane % 4), l(lane / 8 + n / 2 * 4), part(lane / 4 % 2), sine(n % 2)
    {
    }
};

/* Sums of the four samples +-a_l +-b_j with the signs that belong to cos b and sin b. */
template <class T>
__device__ __forceinline__ void ndft_fold(const ndft_line &line, const ndft_fold_place &place,
                                          const ndft_complex<float> *in, int64_t stride,
                                          float &cos_row, float &sin_row)
{
    ndft_complex<float> even = {0, 0}, odd = {0, 0};
#pragma unroll
    for (int signs = 0; signs < 4; signs++) {
        const int a = signs / 2 ? -1 : 1, b = signs % 2 ? -1 : 1;
        const int q = T::sample(place.l, a, place.j, b) - line.before;
        ndft_complex<float> d = {0, 0};
        if (q >= 0 && q < line.length) d = in[(line.first + q) * stride];
        if (place.sine) d = {-(float)a * d.im, (float)a * d.re};
        even = {even.re + d.re, even.im + d.im};
        odd = {odd.re - (float)b * d.im, odd.im + (float)b * d.re};
    }
    cos_row = place.part ? even.im : even.re;
    sin_row = place.part ? odd.im : odd.re;
}

/* Blocks (piece, coil) of MT*NT warps: the folded data as words hi, hi, lo, lo of each lane. */
template <class T> __global__ void ndft_fold_lines(ndft_line_side s, const ndft_complex<float> *in)
{
    const int product = threadIdx.x / 32, lane = threadIdx.x % 32;
    const ndft_line line = s.lines[blockIdx.x];
    const float scale = ndft_line_scale(s);
    in += blockIdx.y * s.in.coil;
    unsigned hi[2], lo[2];
#pragma unroll
    for (int w = 0; w < 2; w++) {
        const ndft_fold_place place(product / T::NT, product % T::NT, lane, w);
        float cos_row, sin_row;
        ndft_fold<T>(line, place, in, s.in.element, cos_row, sin_row);
        ndft_split_f16(cos_row * scale, sin_row * scale, hi[w], lo[w]);
    }
    const int64_t at = (int64_t)blockIdx.y * s.n_lines + blockIdx.x;
    s.folded[at * T::WORDS + threadIdx.x] = make_uint4(hi[0], hi[1], lo[0], lo[1]);
}

/* What the lanes of a voxel need of it and a line. */
struct alignas(16) ndft_adjoint_voxel {
    ndft_complex<float> near, far; /* phasors between the angles b of a lane */
    ndft_complex<float> giant;     /* and between its angles a */
    ndft_complex<float> middle;
    unsigned turns, unused[3]; /* half_step.r; a stride without bank conflicts */
};

template <class T>
__device__ __forceinline__ void ndft_turn_voxel(const ndft_line &line, const ndft_line_voxel &at,
                                                ndft_adjoint_voxel &to)
{
    const unsigned turns = ndft_fixed_turns(line.half_step, at);
    to.near = ndft_fixed_phasor(turns * 4);
    if constexpr (T::MT == 2) to.far = ndft_fixed_phasor(turns * 12);
    if constexpr (T::NT == 4) to.giant = ndft_fixed_phasor(turns * (4 * T::BABIES));
    to.middle = ndft_fixed_phasor(ndft_fixed_turns(line.middle, at));
    to.turns = turns;
}

/* What a lane makes of the warp's 32 voxels and a line: of voxels 16 m + 8 r + g. */
template <class T> struct ndft_adjoint_operand {
    unsigned hi[T::MT][2][4], lo[T::MT][2][4]; /* cosines and sines of b: the left operand */
    ndft_complex<float> a[2][2][T::NT / 2], middle[2][2];

    /* b = (t + 1/2 + 4 j) step are words r and r + 2 of both halves of the rows. */
    __device__ __forceinline__ void make_rows(const ndft_adjoint_voxel &voxel, int m, int r)
    {
        const unsigned t = threadIdx.x % 4;
        ndft_complex<float> b[2 * T::MT];
        const ndft_complex<float> mean = ndft_fixed_phasor(voxel.turns * (2 * t + 8 * T::MT - 3));
        ndft_sum_difference(mean, voxel.near, b[T::MT], b[T::MT - 1]);
        if constexpr (T::MT == 2) ndft_sum_difference(mean, voxel.far, b[3], b[0]);
#pragma unroll
        for (int j = 0; j < 2 * T::MT; j++)
            ndft_split_f16(b[j].re, b[j].im, hi[j / 2][m][j % 2 * 2 + r],
                           lo[j / 2][m][j % 2 * 2 + r]);
    }

    __device__ __forceinline__ void make_giants(const ndft_adjoint_voxel &voxel,
                                                ndft_complex<float> (&to)[T::NT / 2])
    {
        const unsigned t = threadIdx.x % 4;
        if constexpr (T::NT == 4)
            ndft_sum_difference(ndft_fixed_phasor(voxel.turns * (T::BABIES * (2 * t + 5))),
                                voxel.giant, to[1], to[0]);
        else
            to[0] = ndft_fixed_phasor(voxel.turns * (T::BABIES * (2 * t + 1)));
    }

    __device__ __forceinline__ void make(const ndft_adjoint_voxel (&voxels)[32])
    {
        const int g = threadIdx.x / 4 % 8;
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int r = 0; r < 2; r++) {
                const ndft_adjoint_voxel &voxel = voxels[16 * m + 8 * r + g];
                make_rows(voxel, m, r);
                make_giants(voxel, a[m][r]);
                middle[m][r] = voxel.middle;
            }
    }
};

/* A piece's folded data of one coil. */
template <class T> struct ndft_adjoint_data {
    unsigned hi[T::MT][T::NT][2], lo[T::MT][T::NT][2];

    __device__ __forceinline__ void load(const uint4 *__restrict__ folded)
    {
#pragma unroll
        for (int k = 0; k < T::MT; k++)
#pragma unroll
            for (int n = 0; n < T::NT; n++) {
                const uint4 words = __ldg(&folded[(k * T::NT + n) * 32 + threadIdx.x % 32]);
                hi[k][n][0] = words.x;
                hi[k][n][1] = words.y;
                lo[k][n][0] = words.z;
                lo[k][n][1] = words.w;
            }
    }

    /* Adds to the voxels' sums over the lane's angles a. */
    __device__ __forceinline__ void add_to(ndft_complex<float> (&total)[2][2],
                                           const ndft_adjoint_operand<T> &operand) const
    {
        float d[2][T::NT][4] = {};
#pragma unroll
        for (int k = 0; k < T::MT; k++)
            ndft_multiply_split(d, operand.hi[k], operand.lo[k], hi[k], lo[k]);
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int r = 0; r < 2; r++) {
                ndft_complex<float> sum = {0, 0};
#pragma unroll
                for (int l = 0; l < T::NT / 2; l++) {
                    const ndft_complex<float> a = operand.a[m][r][l];
                    const float(&c)[4] = d[m][2 * l], (&s)[4] = d[m][2 * l + 1];
                    sum.re = fmaf(a.re, c[2 * r], fmaf(a.im, s[2 * r], sum.re));
                    sum.im = fmaf(a.re, c[2 * r + 1], fmaf(a.im, s[2 * r + 1], sum.im));
                }
                const ndft_complex<float> middle = operand.middle[m][r];
                ndft_accumulate(total[m][r], middle.re, middle.im, sum);
            }
    }
};

/* A warp's sums: of voxel 16 m + 8 r + g, over the lane's angles a. */
template <class T, int COILS> struct ndft_adjoint_sums {
    ndft_complex<float> total[COILS][2][2] = {};

    /* One piece of a line; folded: of the first coil, `stride` words before the next. */
    __device__ __forceinline__ void add(const ndft_line &line, const ndft_line_voxel &own,
                                        const uint4 *folded, int64_t stride, int coils,
                                        ndft_adjoint_voxel (&stage)[32])
    {
        ndft_adjoint_data<T> data;
        ndft_adjoint_operand<T> operand;
        data.load(folded);
        __syncwarp();
        ndft_turn_voxel<T>(line, own, stage[threadIdx.x % 32]);
        __syncwarp();
        operand.make(stage);
#pragma unroll
        for (int c = 0; c < COILS; c++) {
            if (c > 0 && c >= coils) break;
            if (c > 0) data.load(folded + c * stride);
            data.add_to(total[c], operand);
        }
    }

    /* The four lanes of a voxel together. */
    __device__ __forceinline__ void put(const ndft_line_side &s, const ndft_segment &segment,
                                        float scale, int coils, ndft_complex<float> *out) const
    {
        const int lane = threadIdx.x % 32, first = (int)threadIdx.x - lane + lane / 4;
#pragma unroll
        for (int i = 0; i < COILS * 4; i++) {
            const int c = i / 4, m = i / 2 % 2, r = i % 2;
            ndft_complex<float> sum = total[c][m][r];
#pragma unroll
            for (int other = 1; other < 4; other *= 2) {
                sum.re += __shfl_xor_sync(0xffffffffu, sum.re, other);
                sum.im += __shfl_xor_sync(0xffffffffu, sum.im, other);
            }
            if (lane % 4 == 2 * m + r && c < coils)
                ndft_put(s.split, segment, first + 16 * m + 8 * r, {sum.re * scale, sum.im * scale},
                         out, c);
        }
    }
};

template <class T, int COILS>
__global__ void __launch_bounds__(NDFT_LINE_THREADS, COILS > 1 ? 3 : 4)
    ndft_line_adjoint(ndft_line_side s, ndft_complex<float> *out)
{
    if (COILS == 1 && ndft_line_by_wgmma<T>) return;
    __shared__ ndft_adjoint_voxel stage[NDFT_LINE_WARPS][32];
    const ndft_shares &shares = s.split.shares;
    const ndft_outputs &outputs = s.split.outputs;
    const float scale = 1 / ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1), coil_words = (int64_t)s.n_lines * T::WORDS;
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        const int64_t v = outputs.place(segment.sum, (int)threadIdx.x);
        const int first = (int)(segment.sum / outputs.blocks) * COILS;
        const int coils = min(COILS, outputs.coils - first);
        const ndft_line_voxel own = s.voxels[v < s.n_voxels ? v : s.n_voxels - 1];
        const uint4 *folded = s.folded + first * coil_words + (int64_t)segment.begin * T::WORDS;
        ndft_adjoint_sums<T, COILS> sums;
        for (int i = segment.begin; i < segment.end; i++, folded += T::WORDS)
            sums.add(s.lines[i], own, folded, coil_words, coils, stage[threadIdx.x / 32]);
        sums.put(s, segment, scale, coils, out);
        at += segment.end - segment.begin;
    }
}

#endif
