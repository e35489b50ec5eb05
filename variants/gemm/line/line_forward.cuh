/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_FORWARD_CUH
#define NDFT_LINE_FORWARD_CUH

#include "line_tile.cuh"

/*
 * Image to k-space: a warp owns a piece of a line and sums over voxels, 64 at a time. Each lane
 * first takes two voxels for all: their phases, and their values turned to the middle of the line,
 * which go to shared memory. Then every lane makes its elements of both operands, for four voxels a
 * product: one or two angles b, and one a.
 */

/* Voxels of a step, after which sums leave the tensor cores: they round towards zero. */
enum { NDFT_FORWARD_STEP = 64 };

/* What all lanes need of voxels: rows of 16 bytes, which neither stores nor loads take in parts. */
struct ndft_forward_stage {
    struct alignas(16) voxel {
        unsigned turns; /* half_step.r */
        float re, im;   /* its value at the middle of the line */
        float apart;    /* cosine of half the angle between a lane's two rows; its sine: */
    };
    voxel voxels[NDFT_FORWARD_STEP];
    float apart[NDFT_FORWARD_STEP];
};

/* The voxel among 16 that is number i of the lanes t. */
__device__ __forceinline__ int ndft_forward_place(int t, int i) { return 4 * i + t; }

/* How a warp that makes both operands splits them: beside many products by tensor cores. */
template <class T> struct ndft_forward_split {
    using type = ndft_split_by_conversion;
};
template <> struct ndft_forward_split<ndft_line_tile<2, 4>> {
    using type = ndft_split_by_mma;
};

/* Cosines and sines of b for 16 voxels: the left operand. */
template <class T> struct ndft_forward_rows {
    unsigned hi[T::MT][4], lo[T::MT][4];

    template <class Split>
    __device__ __forceinline__ void make(const ndft_forward_stage &stage, int first,
                                         const Split &split)
    {
        const unsigned g = threadIdx.x / 4 % 8, t = threadIdx.x % 4;
        ndft_complex<float> b[T::MT][4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int v = first + ndft_forward_place(t, i);
            const ndft_forward_stage::voxel &voxel = stage.voxels[v];
            if constexpr (T::MT == 2)
                ndft_sum_difference(ndft_fixed_phasor(voxel.turns * (2 * g + 9)),
                                    {voxel.apart, stage.apart[v]}, b[1][i], b[0][i]);
            else
                b[0][i] = ndft_fixed_phasor(voxel.turns * (2 * g + 1));
        }
#pragma unroll
        for (int m = 0; m < T::MT; m++)
#pragma unroll
            for (int w = 0; w < 2; w++) {
                const ndft_complex<float> *pair = b[m] + 2 * w;
                split.four(pair[0].re, pair[1].re, pair[0].im, pair[1].im, hi[m][2 * w],
                           hi[m][2 * w + 1], lo[m][2 * w], lo[m][2 * w + 1]);
            }
    }
};

/* Phasors of a lane's angle a for its four voxels. */
template <class T> struct ndft_forward_giants {
    ndft_complex<float> a[4];

    __device__ __forceinline__ void make(const ndft_forward_stage &stage, int first)
    {
        const unsigned g = threadIdx.x / 4 % 8, t = threadIdx.x % 4, l = T::NT == 4 ? g : g / 2;
#pragma unroll
        for (int i = 0; i < 4; i++)
            a[i] = ndft_fixed_phasor(stage.voxels[first + ndft_forward_place(t, i)].turns *
                                     (T::BABIES * (2 * l + 1)));
    }
};

/* Those times the voxels' values: the right operand. */
template <class T> struct ndft_forward_columns {
    unsigned hi[T::NT][2], lo[T::NT][2];

    template <class Split>
    __device__ __forceinline__ void make(const ndft_forward_giants<T> &giants,
                                         const ndft_complex<float> (&values)[4], const Split &split)
    {
        float column[T::NT][4];
        const bool imaginary = threadIdx.x / 4 % 2;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const ndft_complex<float> a = giants.a[i], w = values[i];
            if constexpr (T::NT == 4) {
                column[0][i] = a.re * w.re;
                column[1][i] = a.re * w.im;
                column[2][i] = a.im * w.re;
                column[3][i] = a.im * w.im;
            } else {
                const float part = imaginary ? w.im : w.re;
                column[0][i] = a.re * part;
                column[1][i] = a.im * part;
            }
        }
#pragma unroll
        for (int n = 0; n < T::NT; n++)
            split.four(column[n][0], column[n][1], column[n][2], column[n][3], hi[n][0], hi[n][1],
                       lo[n][0], lo[n][1]);
    }
};

/* The sums of a piece. */
template <class T> struct ndft_forward_sums {
    float d[T::MT][T::NT][4] = {};

    __device__ __forceinline__ void multiply(const ndft_forward_rows<T> &rows,
                                             const ndft_forward_columns<T> &columns)
    {
        ndft_multiply_split(d, rows.hi, rows.lo, columns.hi, columns.lo);
    }

    /* Those of a step, which tensor cores have cut off by 2^-28 an input on average. */
    __device__ __forceinline__ void add(const ndft_forward_sums &other)
    {
        constexpr float restored = 1 + NDFT_FORWARD_STEP * 0x1p-28f;
#pragma unroll
        for (int m = 0; m < T::MT; m++)
#pragma unroll
            for (int n = 0; n < T::NT; n++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    d[m][n][i] = fmaf(other.d[m][n][i], restored, d[m][n][i]);
    }

    /* The four samples of all signs from sums[sine of b][sine of a]. */
    static __device__ __forceinline__ void
    put_signs(const ndft_line_side &s, const ndft_segment &segment, int l, int j, float scale,
              const ndft_complex<float> (&sums)[2][2], ndft_complex<float> *out)
    {
        const int warp = (int)(threadIdx.x / 32) * T::SAMPLES, block = s.split.outputs.block;
        const int column = warp / block, first = warp - column * block;
#pragma unroll
        for (int signs = 0; signs < 4; signs++) {
            const int a = signs / 2 ? -1 : 1, b = signs % 2 ? -1 : 1;
            const float fa = (float)a, fb = (float)b, fab = fa * fb;
            const ndft_complex<float> sample = {
                sums[0][0].re - fab * sums[1][1].re - fa * sums[0][1].im - fb * sums[1][0].im,
                sums[0][0].im - fab * sums[1][1].im + fa * sums[0][1].re + fb * sums[1][0].re};
            ndft_put(s.split, segment, first + T::sample(l, a, j, b),
                     {sample.re * scale, sample.im * scale}, out, column);
        }
    }

    __device__ __forceinline__ void put(const ndft_line_side &s, const ndft_segment &segment,
                                        float scale, ndft_complex<float> *out) const
    {
        const int g = threadIdx.x / 4 % 8, t = threadIdx.x % 4;
#pragma unroll
        for (int m = 0; m < T::MT; m++) {
            const auto &e = d[m];
            if constexpr (T::NT == 4) {
#pragma unroll
                for (int i = 0; i < 2; i++)
                    put_signs(s, segment, 2 * t + i, 8 * m + g, scale,
                              {{{e[0][i], e[1][i]}, {e[2][i], e[3][i]}},
                               {{e[0][2 + i], e[1][2 + i]}, {e[2][2 + i], e[3][2 + i]}}},
                              out);
            } else {
                put_signs(s, segment, t, 8 * m + g, scale,
                          {{{e[0][0], e[0][1]}, {e[1][0], e[1][1]}},
                           {{e[0][2], e[0][3]}, {e[1][2], e[1][3]}}},
                          out);
            }
        }
    }
};

/* A voxel's coordinates and value on their way from memory. */
struct ndft_forward_load {
    ndft_line_voxel at;
    ndft_complex<float> value;

    __device__ __forceinline__ void load(const ndft_line_side &s,
                                         const ndft_complex<float> *__restrict__ in, int64_t v)
    {
        const int64_t inside = v < s.n_voxels ? v : s.n_voxels - 1;
        at = s.voxels[inside];
        value = in[inside * s.in.element];
        if (v >= s.n_voxels) value = {0, 0};
    }

    template <class T>
    __device__ __forceinline__ void turn(const ndft_line &line, float scale,
                                         ndft_forward_stage &stage, int v) const
    {
        const unsigned turns = ndft_fixed_turns(line.half_step, at);
        const ndft_complex<float> middle = ndft_fixed_phasor(ndft_fixed_turns(line.middle, at));
        ndft_complex<float> turned, apart = {0, 0};
        ndft_rotate(turned, middle, {value.re * scale, value.im * scale});
        if constexpr (T::MT == 2) apart = ndft_fixed_phasor(turns * 8);
        stage.voxels[v] = {turns, turned.re, turned.im, apart.re};
        if constexpr (T::MT == 2) stage.apart[v] = apart.im;
    }
};

/* Some voxels' part of the sum for the warp's piece of a line. */
template <class T>
__device__ __forceinline__ void ndft_sum_line(const ndft_line_side &s, const ndft_segment &segment,
                                              const ndft_complex<float> *__restrict__ in,
                                              float scale, ndft_forward_stage &stage,
                                              ndft_forward_sums<T> &total)
{
    const int lane = threadIdx.x % 32, t = lane % 4;
    const int64_t piece = segment.sum % s.split.outputs.blocks * NDFT_LINE_WARPS + threadIdx.x / 32;
    const ndft_line line = s.lines[piece < s.n_lines ? piece : s.n_lines - 1];
    in += segment.sum / s.split.outputs.blocks * s.in.coil;
    ndft_forward_load next[NDFT_FORWARD_STEP / 32];
    auto load = [&](int step) {
#pragma unroll
        for (int i = 0; i < NDFT_FORWARD_STEP / 32; i++)
            next[i].load(s, in, (int64_t)step * NDFT_FORWARD_STEP + 32 * i + lane);
    };
    load(segment.begin);
    const typename ndft_forward_split<T>::type split;
    for (int step = segment.begin; step < segment.end; step++) {
        __syncwarp();
#pragma unroll
        for (int i = 0; i < NDFT_FORWARD_STEP / 32; i++)
            next[i].turn<T>(line, scale, stage, 32 * i + lane);
        load(step + 1);
        __syncwarp();
        ndft_forward_sums<T> sum;
#pragma unroll
        for (int first = 0; first < NDFT_FORWARD_STEP; first += 16) {
            ndft_forward_rows<T> rows;
            ndft_forward_giants<T> giants;
            ndft_forward_columns<T> columns;
            ndft_complex<float> values[4];
            rows.make(stage, first, split);
            giants.make(stage, first);
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const auto &voxel = stage.voxels[first + ndft_forward_place(t, i)];
                values[i] = {voxel.re, voxel.im};
            }
            columns.make(giants, values, split);
            sum.multiply(rows, columns);
        }
        total.add(sum);
    }
}

template <class T>
__global__ void __launch_bounds__(NDFT_LINE_THREADS, 3)
    ndft_line_forward(ndft_line_side s, const ndft_complex<float> *in, ndft_complex<float> *out)
{
    __shared__ ndft_forward_stage stage[NDFT_LINE_WARPS];
    const ndft_shares &shares = s.split.shares;
    const float scale = ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        ndft_forward_sums<T> total;
        ndft_sum_line<T>(s, segment, in, scale, stage[threadIdx.x / 32], total);
        total.put(s, segment, 1 / scale, out);
        at += segment.end - segment.begin;
    }
}

#endif
