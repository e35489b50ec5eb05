/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_FORWARD_COILS_CUH
#define NDFT_LINE_FORWARD_COILS_CUH

#include "line_forward.cuh"

/*
 * Image to k-space for several coils: a block owns a piece of a line, a warp one of its coils. For
 * 64 voxels at a time each warp makes the left operand and the phasors of a of 16 voxels for all,
 * through shared memory, as fragments; every warp then multiplies its own coil's values into the
 * right operand.
 */

enum { NDFT_LINE_COILS = NDFT_LINE_WARPS };
static_assert(NDFT_FORWARD_STEP == 16 * NDFT_LINE_WARPS, "every warp makes operands of 16");

/* What a block shares about its voxels. */
template <class T> struct ndft_coil_stage {
    uint4 rows[NDFT_LINE_WARPS][T::MT][2][32];             /* fragments, hi and lo */
    float4 giants[NDFT_LINE_WARPS][2][32];                 /* phasors of two voxels each */
    float4 values[NDFT_LINE_COILS][NDFT_FORWARD_STEP / 2]; /* of two voxels, as lanes take them */
    ndft_forward_stage phases;
    ndft_complex<float> middle[NDFT_FORWARD_STEP];
};

/* Two threads a voxel: one for what its phases along the line start from, one for the middle. */
template <class T>
__device__ __forceinline__ void ndft_coil_phases(const ndft_line &line, const ndft_line_voxel &at,
                                                 ndft_coil_stage<T> &stage)
{
    const int v = threadIdx.x % NDFT_FORWARD_STEP;
    if (threadIdx.x >= NDFT_FORWARD_STEP) {
        stage.middle[v] = ndft_fixed_phasor(ndft_fixed_turns(line.middle, at));
        return;
    }
    const unsigned turns = ndft_fixed_turns(line.half_step, at);
    ndft_complex<float> apart = {0, 0};
    if constexpr (T::MT == 2) apart = ndft_fixed_phasor(turns * 8);
    stage.phases.voxels[v] = {turns, 0, 0, apart.re};
    stage.phases.apart[v] = apart.im;
}

/* This warp's 16 voxels as operands for all coils. */
template <class T> __device__ __forceinline__ void ndft_coil_operands(ndft_coil_stage<T> &stage)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    ndft_forward_rows<T> rows;
    ndft_forward_giants<T> giants;
    rows.make(stage.phases, 16 * warp, ndft_split_by_conversion());
    giants.make(stage.phases, 16 * warp);
#pragma unroll
    for (int m = 0; m < T::MT; m++) {
        const auto &hi = rows.hi[m], &lo = rows.lo[m];
        stage.rows[warp][m][0][lane] = make_uint4(hi[0], hi[1], hi[2], hi[3]);
        stage.rows[warp][m][1][lane] = make_uint4(lo[0], lo[1], lo[2], lo[3]);
    }
    const auto &a = giants.a;
    stage.giants[warp][0][lane] = make_float4(a[0].re, a[0].im, a[1].re, a[1].im);
    stage.giants[warp][1][lane] = make_float4(a[2].re, a[2].im, a[3].re, a[3].im);
}

/* The products of 16 voxels with this warp's coil. */
template <class T>
__device__ __forceinline__ void ndft_coil_multiply(const ndft_coil_stage<T> &stage, int step,
                                                   ndft_forward_sums<T> &sum)
{
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, t = lane % 4;
    ndft_forward_rows<T> rows;
    ndft_forward_giants<T> giants;
    ndft_forward_columns<T> columns;
    ndft_complex<float> values[4];
#pragma unroll
    for (int m = 0; m < T::MT; m++) {
        const uint4 hi = stage.rows[step][m][0][lane], lo = stage.rows[step][m][1][lane];
        const unsigned his[4] = {hi.x, hi.y, hi.z, hi.w}, los[4] = {lo.x, lo.y, lo.z, lo.w};
#pragma unroll
        for (int w = 0; w < 4; w++) {
            rows.hi[m][w] = his[w];
            rows.lo[m][w] = los[w];
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i += 2) {
        const float4 a = stage.giants[step][i / 2][lane];
        const float4 w = stage.values[warp][(16 * step + 4 * t + i) / 2];
        giants.a[i] = {a.x, a.y};
        giants.a[i + 1] = {a.z, a.w};
        values[i] = {w.x, w.y};
        values[i + 1] = {w.z, w.w};
    }
    columns.make(giants, values, ndft_split_by_conversion());
    sum.multiply(rows, columns);
}

/* Values of a lane's two voxels on their way from memory. */
struct ndft_coil_values {
    ndft_complex<float> value[2];

    __device__ __forceinline__ void load(const ndft_line_side &s,
                                         const ndft_complex<float> *__restrict__ in, int64_t first)
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int64_t v = first + 32 * i + threadIdx.x % 32;
            value[i] = {0, 0};
            if (v < s.n_voxels) value[i] = in[v * s.in.element];
        }
    }

    /* To the middle of the line, and to the places of the lanes that take them together. */
    template <class T>
    __device__ __forceinline__ void turn(ndft_coil_stage<T> &stage, float scale) const
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int v = 32 * i + threadIdx.x % 32, place = v / 16 * 16 + v % 4 * 4 + v / 4 % 4;
            ndft_complex<float> turned;
            ndft_rotate(turned, stage.middle[v], {value[i].re * scale, value[i].im * scale});
            ((ndft_complex<float> *)stage.values[threadIdx.x / 32])[place] = turned;
        }
    }
};

template <class T>
__device__ __forceinline__ void
ndft_sum_line_coils(const ndft_line_side &s, const ndft_segment &segment,
                    const ndft_complex<float> *__restrict__ in, float scale, bool own,
                    ndft_coil_stage<T> &stage, ndft_forward_sums<T> &total)
{
    const ndft_line line = s.lines[segment.sum % s.split.outputs.blocks];
    ndft_coil_values next;
    for (int step = segment.begin; step < segment.end; step++) {
        const int64_t first = (int64_t)step * NDFT_FORWARD_STEP;
        const int64_t v = first + threadIdx.x % NDFT_FORWARD_STEP;
        next.load(s, in, first);
        ndft_coil_phases(line, s.voxels[v < s.n_voxels ? v : s.n_voxels - 1], stage);
        __syncthreads();
        next.turn(stage, scale);
        ndft_coil_operands(stage);
        __syncthreads();
        if (!own) continue;
        ndft_forward_sums<T> sum;
#pragma unroll
        for (int k = 0; k < NDFT_LINE_WARPS; k++) ndft_coil_multiply(stage, k, sum);
        total.add(sum);
    }
}

template <class T>
__global__ void __launch_bounds__(NDFT_LINE_THREADS, 3)
    ndft_line_forward_coils(ndft_line_side s, const ndft_complex<float> *in,
                            ndft_complex<float> *out)
{
    __shared__ ndft_coil_stage<T> stage;
    const ndft_shares &shares = s.split.shares;
    const float scale = ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        const int64_t coil =
            segment.sum / s.split.outputs.blocks * NDFT_LINE_COILS + threadIdx.x / 32;
        const bool own = coil < s.split.outputs.coils;
        ndft_forward_sums<T> total;
        ndft_sum_line_coils(s, segment, in + (own ? coil : 0) * s.in.coil, scale, own, stage,
                            total);
        if (own) total.put(s, segment, 1 / scale, out);
        at += segment.end - segment.begin;
    }
}

#endif
