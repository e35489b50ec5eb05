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
    s.folded[at * (T::MT * T::NT * 32) + threadIdx.x] = make_uint4(hi[0], hi[1], lo[0], lo[1]);
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

/* Cosines and sines of a lane's angles b = (t + 1/2 + 4 j) step, as words r and r + 2 of both
 * halves of the rows. */
template <class T>
__device__ __forceinline__ void ndft_adjoint_rows(const ndft_adjoint_voxel &voxel, unsigned t,
                                                  int r, unsigned (&hi)[T::MT][4],
                                                  unsigned (&lo)[T::MT][4])
{
    ndft_complex<float> b[2 * T::MT];
    const ndft_complex<float> mean = ndft_fixed_phasor(voxel.turns * (2 * t + 8 * T::MT - 3));
    ndft_sum_difference(mean, voxel.near, b[T::MT], b[T::MT - 1]);
    if constexpr (T::MT == 2) ndft_sum_difference(mean, voxel.far, b[3], b[0]);
#pragma unroll
    for (int j = 0; j < 2 * T::MT; j++)
        ndft_split_f16(b[j].re, b[j].im, hi[j / 2][j % 2 * 2 + r], lo[j / 2][j % 2 * 2 + r]);
}

/* The sum over a lane's angles a of one row of the product. */
template <class T>
__device__ __forceinline__ ndft_complex<float>
ndft_adjoint_giants(const ndft_adjoint_voxel &voxel, unsigned t, int r, const float (&d)[T::NT][4])
{
    ndft_complex<float> a[T::NT / 2], sum = {0, 0};
    if constexpr (T::NT == 4)
        ndft_sum_difference(ndft_fixed_phasor(voxel.turns * (T::BABIES * (2 * t + 5))), voxel.giant,
                            a[1], a[0]);
    else
        a[0] = ndft_fixed_phasor(voxel.turns * (T::BABIES * (2 * t + 1)));
#pragma unroll
    for (int l = 0; l < T::NT / 2; l++) {
        const float(&c)[4] = d[2 * l], (&s)[4] = d[2 * l + 1];
        sum.re = fmaf(a[l].re, c[2 * r], fmaf(a[l].im, s[2 * r], sum.re));
        sum.im = fmaf(a[l].re, c[2 * r + 1], fmaf(a[l].im, s[2 * r + 1], sum.im));
    }
    return sum;
}

/* One piece of a line for the warp's voxels; total[m][r]: voxel 16 m + 8 r + g, of the lane's
 * angles a. */
template <class T>
__device__ __forceinline__ void ndft_add_line(const uint4 *__restrict__ folded,
                                              const ndft_adjoint_voxel (&stage)[32],
                                              ndft_complex<float> (&total)[2][2])
{
    const int lane = threadIdx.x % 32, g = lane / 4;
    const unsigned t = lane % 4;
    uint4 data[T::MT][T::NT];
#pragma unroll
    for (int k = 0; k < T::MT; k++)
#pragma unroll
        for (int n = 0; n < T::NT; n++) data[k][n] = folded[(k * T::NT + n) * 32 + lane];
#pragma unroll
    for (int m = 0; m < 2; m++) {
        unsigned hi[T::MT][4], lo[T::MT][4];
        float d[T::NT][4] = {};
#pragma unroll
        for (int r = 0; r < 2; r++) ndft_adjoint_rows<T>(stage[16 * m + 8 * r + g], t, r, hi, lo);
#pragma unroll
        for (int k = 0; k < T::MT; k++)
#pragma unroll
            for (int n = 0; n < T::NT; n++)
                ndft_multiply_split(d[n], hi[k], lo[k], {data[k][n].x, data[k][n].y},
                                    {data[k][n].z, data[k][n].w});
#pragma unroll
        for (int r = 0; r < 2; r++) {
            const ndft_adjoint_voxel &voxel = stage[16 * m + 8 * r + g];
            ndft_accumulate(total[m][r], voxel.middle.re, voxel.middle.im,
                            ndft_adjoint_giants<T>(voxel, t, r, d));
        }
    }
}

/* The four lanes of a voxel together. */
__device__ __forceinline__ void ndft_put_voxels(const ndft_line_side &s,
                                                const ndft_segment &segment, float scale,
                                                ndft_complex<float> (&total)[2][2],
                                                ndft_complex<float> *out)
{
    const int lane = threadIdx.x % 32, first = (int)threadIdx.x - lane + lane / 4;
#pragma unroll
    for (int m = 0; m < 2; m++)
#pragma unroll
        for (int r = 0; r < 2; r++) {
            ndft_complex<float> sum = total[m][r];
#pragma unroll
            for (int other = 1; other < 4; other *= 2) {
                sum.re += __shfl_xor_sync(0xffffffffu, sum.re, other);
                sum.im += __shfl_xor_sync(0xffffffffu, sum.im, other);
            }
            if (lane % 4 == 2 * m + r)
                ndft_put(s.split, segment, first + 16 * m + 8 * r, {sum.re * scale, sum.im * scale},
                         out);
        }
}

template <class T>
__global__ __launch_bounds__(NDFT_LINE_THREADS, 4) void ndft_line_adjoint(ndft_line_side s,
                                                                          ndft_complex<float> *out)
{
    __shared__ ndft_adjoint_voxel stage[NDFT_LINE_WARPS][32];
    ndft_adjoint_voxel(&own)[32] = stage[threadIdx.x / 32];
    const ndft_shares &shares = s.split.shares;
    const float scale = 1 / ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        const int64_t voxel = s.split.outputs.place(segment.sum, (int)threadIdx.x);
        const int64_t coil = segment.sum / s.split.outputs.blocks;
        const ndft_line_voxel coordinates = s.voxels[voxel < s.n_voxels ? voxel : s.n_voxels - 1];
        ndft_complex<float> total[2][2] = {};
        for (int line = segment.begin; line < segment.end; line++) {
            __syncwarp();
            ndft_turn_voxel<T>(s.lines[line], coordinates, own[threadIdx.x % 32]);
            __syncwarp();
            ndft_add_line<T>(s.folded + (coil * s.n_lines + line) * (T::MT * T::NT * 32), own,
                             total);
        }
        ndft_put_voxels(s, segment, scale, total, out);
        at += segment.end - segment.begin;
    }
}

#endif
