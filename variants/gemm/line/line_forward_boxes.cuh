/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_FORWARD_BOXES_CUH
#define NDFT_LINE_FORWARD_BOXES_CUH

#include "line_forward.cuh"

/*
 * Image to k-space in pieces of 512 samples, of voxels in boxes (line_boxes.h): a box turns so
 * little beside its centre within the baby steps that cosines, and sines, of NDFT_BOX_NODES of the
 * 32 angles b of the turns beside it make those of all. So rows of a product are few, and giant
 * steps need few columns; what sums are turned and joined by comes once a box, in f32.
 */
enum { NDFT_BOX_NODES = 8 };
/* Turns of a step beside a centre within which the nodes serve all angles, to 3e-8: 4.3 rad of the
 * largest. */
constexpr double NDFT_BOX_REACH = 0.0217;

/* Nodes of b, and weights of their cosines in that of (j + 1/2): of interpolation by even
 * polynomials. Those near Chebyshev's whose sizes of weights sum up to least, 2.6. */
constexpr __host__ __device__ int ndft_box_node(int i) /* twice it */
{
    return (int)(0x3f3d3933291f1305u >> 8 * i & 0xff);
}
constexpr __host__ __device__ double ndft_box_weight(int j, int k)
{
    const int b = 2 * j + 1, own = ndft_box_node(k);
    double weight = 1;
    for (int i = 0; i < NDFT_BOX_NODES; i++) {
        const int other = ndft_box_node(i);
        if (i != k) weight *= (double)(b * b - other * other) / (own * own - other * other);
    }
    return weight;
}

struct ndft_forward_boxes {
    using tile = ndft_line_tile<4, 2>;
    enum { NODES = NDFT_BOX_NODES, ANGLES = 32, TERMS = 2 * NODES, COLUMNS = 16 };

    struct stage {
        struct alignas(16) voxel {
            unsigned turns; /* half_step.r */
            float beside;   /* half of what a step turns it beside the centre, in radians */
            float re, im;   /* its value at the middle of the line */
        };
        voxel voxels[NDFT_FORWARD_STEP];
        float columns[COLUMNS][TERMS + 4]; /* of sums; without bank conflicts */
        float2 centre[2][ANGLES];          /* what cosines and sines are turned by */
    };

    /* 16 rows by 16 columns: of node g the cosine in row g, the sine in row 8 + g. */
    using sums = float[1][tile::NT][4];

    static __device__ __forceinline__ float node() /* twice it */
    {
        return (float)ndft_box_node((int)threadIdx.x / 4 % NODES);
    }

    static __device__ __forceinline__ void multiply_16(const stage &own, int first, float node,
                                                       const ndft_split_by_mma &split, sums &sum)
    {
        const unsigned g = threadIdx.x / 4 % 8, t = threadIdx.x % 4;
        ndft_complex<float> b[4], values[4];
        ndft_forward_giants<tile> giants;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const stage::voxel &voxel = own.voxels[first + ndft_forward_place((int)t, i)];
            __sincosf(voxel.beside * node, &b[i].im, &b[i].re);
            giants.a[i] = ndft_fixed_phasor(voxel.turns * (tile::BABIES * (2 * (g / 2) + 1)));
            values[i] = {voxel.re, voxel.im};
        }
        unsigned hi[1][4], lo[1][4];
#pragma unroll
        for (int w = 0; w < 2; w++)
            split.four(b[2 * w].re, b[2 * w + 1].re, b[2 * w].im, b[2 * w + 1].im, hi[0][2 * w],
                       hi[0][2 * w + 1], lo[0][2 * w], lo[0][2 * w + 1]);
        ndft_forward_columns<tile> columns;
        columns.make(giants, values, split);
        ndft_multiply_split(sum, hi, lo, columns.hi, columns.lo);
    }

    /* Sums of a lane's column, of all angles: of cosines in lanes before 16, of sines in others. */
    float part[ANGLES] = {};

    /* Adds a box's, whose centre has these turns. A sine's weight is its cosine's times the angle
     * over the node. */
    __device__ __forceinline__ void add(const sums &box, unsigned turns, stage &own)
    {
        const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4, kind = lane / COLUMNS;
        const float angle = (float)(2 * lane + 1);
        const ndft_complex<float> p = ndft_fixed_phasor(turns * (2 * (unsigned)lane + 1));
        __syncwarp();
#pragma unroll
        for (int n = 0; n < tile::NT; n++)
#pragma unroll
            for (int i = 0; i < 4; i++)
                own.columns[8 * n + 2 * t + i % 2][i / 2 * NODES + g] = box[0][n][i];
        own.centre[0][lane] = {p.re, -p.im * angle};
        own.centre[1][lane] = {p.re * angle, p.im};
        __syncwarp();
        float term[NODES];
#pragma unroll
        for (int i = 0; i < NODES; i += 4)
            *(float4 *)(term + i) = *(const float4 *)&own.columns[lane % COLUMNS][kind * NODES + i];
#pragma unroll
        for (int i = 0; i < NODES; i++)
            if (kind) term[i] *= 1.0f / (float)ndft_box_node(i);
#pragma unroll
        for (int j = 0; j < ANGLES; j++) {
            float sum = 0;
#pragma unroll
            for (int k = 0; k < NODES; k++)
                if (ndft_box_weight(j, k) != 0)
                    sum = fmaf((float)ndft_box_weight(j, k), term[k], sum);
            const float other = __shfl_xor_sync(~0u, sum, COLUMNS);
            const float2 by = own.centre[kind][j];
            part[j] = fmaf(by.x, sum, fmaf(by.y, other, part[j]));
        }
    }

    /* As sums of products lie, cosines and sines of b in rows. */
    __device__ __forceinline__ void arrange(stage &own, ndft_forward_sums<tile> &to) const
    {
        const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
        for (int m = 0; m < tile::MT; m++) {
            __syncwarp();
#pragma unroll
            for (int j = 0; j < 8; j++)
                own.columns[lane % COLUMNS][lane / COLUMNS * 8 + j] = part[8 * m + j];
            __syncwarp();
#pragma unroll
            for (int n = 0; n < tile::NT; n++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    to.d[m][n][i] = own.columns[8 * n + 2 * t + i % 2][i / 2 * 8 + g];
        }
    }

    /* Some voxels' part of the sum for the warp's piece of a line. */
    __device__ __forceinline__ void sum_line(const ndft_line_side &s, const ndft_segment &segment,
                                             const ndft_complex<float> *__restrict__ in,
                                             float scale, stage &own)
    {
        constexpr float restored = 1 + NDFT_FORWARD_STEP * 0x1p-28f;
        enum { LOADS = NDFT_FORWARD_STEP / 32 };
        const int lane = threadIdx.x % 32;
        const int64_t piece =
            segment.sum % s.split.outputs.blocks * NDFT_LINE_WARPS + threadIdx.x / 32;
        const ndft_line line = s.lines[piece < s.n_lines ? piece : s.n_lines - 1];
        in += segment.sum / s.split.outputs.blocks * s.in.coil;
        struct {
            ndft_line_voxel at;
            ndft_complex<float> value;
        } next[LOADS];
        auto load = [&](int step) {
#pragma unroll
            for (int i = 0; i < LOADS; i++) {
                const int64_t v = (int64_t)step * NDFT_FORWARD_STEP + 32 * i + lane;
                const int32_t place = s.places[v];
                next[i].at = s.voxels[v];
                next[i].value = {0, 0};
                if (place >= 0) next[i].value = in[place * s.in.element];
            }
        };
        const float twice = node();
        const ndft_split_by_mma split;
        sums total = {};
        int box = s.box[segment.begin];
        unsigned centre = ndft_fixed_turns(line.half_step, s.centres[box]);
        load(segment.begin);
        for (int step = segment.begin; step < segment.end; step++) {
            __syncwarp();
#pragma unroll
            for (int i = 0; i < LOADS; i++) {
                const unsigned turns = ndft_fixed_turns(line.half_step, next[i].at);
                const ndft_complex<float> middle =
                    ndft_fixed_phasor(ndft_fixed_turns(line.middle, next[i].at));
                ndft_complex<float> turned;
                ndft_rotate(turned, middle, {next[i].value.re * scale, next[i].value.im * scale});
                const float beside = (float)(int)(turns - centre) * NDFT_RADIANS;
                own.voxels[32 * i + lane] = {turns, beside, turned.re, turned.im};
            }
            if (step + 1 < segment.end) load(step + 1);
            __syncwarp();
            sums sum = {};
#pragma unroll
            for (int first = 0; first < NDFT_FORWARD_STEP; first += 16)
                multiply_16(own, first, twice, split, sum);
#pragma unroll
            for (int n = 0; n < tile::NT; n++)
#pragma unroll
                for (int i = 0; i < 4; i++)
                    total[0][n][i] = fmaf(sum[0][n][i], restored, total[0][n][i]);
            const int later = step + 1 < segment.end ? s.box[step + 1] : -1;
            if (later == box) continue;
            add(total, centre, own);
            if (later < 0) break;
            box = later;
            centre = ndft_fixed_turns(line.half_step, s.centres[box]);
#pragma unroll
            for (int n = 0; n < tile::NT; n++)
#pragma unroll
                for (int i = 0; i < 4; i++) total[0][n][i] = 0;
        }
    }
};

__global__ void __launch_bounds__(NDFT_LINE_THREADS, 4)
    ndft_line_forward_boxes(ndft_line_side s, const ndft_complex<float> *in,
                            ndft_complex<float> *out)
{
    using unit = ndft_forward_boxes;
    __shared__ unit::stage stage[NDFT_LINE_WARPS];
    unit::stage &own = stage[threadIdx.x / 32];
    const ndft_shares &shares = s.split.shares;
    const float scale = ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        unit sums;
        sums.sum_line(s, segment, in, scale, own);
        ndft_forward_sums<unit::tile> total;
        sums.arrange(own, total);
        total.put(s, segment, 1 / scale, out);
        at += segment.end - segment.begin;
    }
}

#endif
