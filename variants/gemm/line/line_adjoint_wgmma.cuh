/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_ADJOINT_WGMMA_CUH
#define NDFT_LINE_ADJOINT_WGMMA_CUH

#include "core/bulk.cuh"
#include "core/wgmma.cuh"
#include "line_adjoint.cuh"

/*
 * K-space to image by wgmma, of compute capability 9.0a, for pieces of 512 samples: a block of four
 * warps owns 128 voxels, of which a product takes 16 of each warp. Pieces' folded data come in bulk
 * copies. While the tensor cores multiply one half of the voxels, warps reduce the products of the
 * other and make their next operands.
 */
struct ndft_adjoint_wgmma : ndft_wgmma_unit {
    using tile = ndft_line_tile<2, 4>;
    enum { CHUNK = 4 }; /* pieces of a copy */

    /* What the lanes of a voxel need of it and a piece. */
    struct voxel {
        unsigned turns; /* half_step.r */
        float twice;    /* 2 cos of its step */
        ndft_complex<float> middle;
    };

    struct stage {
        uint4 data[2][CHUNK][tile::WORDS]; /* of a piece: hi, lo; columns, inputs */
        ndft_line lines[2][CHUNK];
        voxel voxels[NDFT_LINE_THREADS];
        ndft_bulk_barrier full[2];
    };

    static __device__ __forceinline__ voxel turn(const ndft_line &line, const ndft_line_voxel &at)
    {
        const unsigned turns = ndft_fixed_turns(line.half_step, at);
        return {turns, 2 * ndft_fixed_phasor(2 * turns).re,
                ndft_fixed_phasor(ndft_fixed_turns(line.middle, at))};
    }

    /* Place of a word of folded data, cos b_j and sin b_j of column `lane / 4`, among hi and lo:
     * core matrices of eight inputs, which are of j = i, 4 + i, 8 + i and 12 + i. */
    static __device__ __forceinline__ int word(const ndft_fold_place &of, int n, int lane)
    {
        return (n * 4 + of.j % 4) * 32 + lane / 4 * 4 + of.j / 4;
    }

    /* The left operand of voxels 16 m + 8 r + g of the warp: cosines and sines of b. A lane's are
     * of j = 4 t to 4 t + 3, the outer two after x(b + d) = 2 cos d x(b) - x(b - d). */
    struct rows {
        unsigned hi[tile::MT][4], lo[tile::MT][4];

        __device__ __forceinline__ void make(const voxel *voxels, int m)
        {
            const unsigned t = threadIdx.x % 4;
#pragma unroll
            for (int r = 0; r < 2; r++) {
                const voxel &own = voxels[16 * m + 8 * r + threadIdx.x / 4 % 8];
                const float twice = own.twice;
                ndft_complex<float> b[4];
                b[1] = ndft_fixed_phasor(own.turns * (8 * t + 3));
                b[2] = ndft_fixed_phasor(own.turns * (8 * t + 5));
                b[0] = {fmaf(twice, b[1].re, -b[2].re), fmaf(twice, b[1].im, -b[2].im)};
                b[3] = {fmaf(twice, b[2].re, -b[1].re), fmaf(twice, b[2].im, -b[1].im)};
#pragma unroll
                for (int j = 0; j < 4; j++)
                    ndft_split_f16(b[j].re, b[j].im, hi[j / 2][j % 2 * 2 + r],
                                   lo[j / 2][j % 2 * 2 + r]);
            }
        }
    };

    /* sum = their products with a piece. */
    static __device__ __forceinline__ void multiply_piece(rows &a, const uint4 *data,
                                                          float (&sum)[4][4])
    {
        const uint64_t b = descriptor(ndft_shared_address(data), 128, 512), low = b + (2048 >> 4);
#pragma unroll
        for (int k = 0; k < 2; k++) {
            settle(a.hi[k]);
            settle(a.lo[k]);
        }
        fence();
#pragma unroll
        for (int k = 0; k < 2; k++) multiply(sum, a.lo[k], b + k * (256 >> 4), k > 0);
#pragma unroll
        for (int k = 0; k < 2; k++) multiply(sum, a.hi[k], low + k * (256 >> 4), 1);
#pragma unroll
        for (int k = 0; k < 2; k++) multiply(sum, a.hi[k], b + k * (256 >> 4), 1);
        commit();
    }

    /* Adds to the voxels' sums over the lane's angles a, l = t and 4 + t. */
    static __device__ __forceinline__ void reduce(const voxel *voxels, int m, float (&d)[4][4],
                                                  ndft_complex<float> (&total)[2])
    {
        const unsigned t = threadIdx.x % 4;
        settle(d);
#pragma unroll
        for (int r = 0; r < 2; r++) {
            const voxel &own = voxels[16 * m + 8 * r + threadIdx.x / 4 % 8];
            ndft_complex<float> sum = {0, 0};
#pragma unroll
            for (int l = 0; l < 2; l++) {
                const ndft_complex<float> a =
                    ndft_fixed_phasor(own.turns * (tile::BABIES * (2 * t + 8 * l + 1)));
                const float(&c)[4] = d[2 * l], (&s)[4] = d[2 * l + 1];
                sum.re = fmaf(a.re, c[2 * r], fmaf(a.im, s[2 * r], sum.re));
                sum.im = fmaf(a.re, c[2 * r + 1], fmaf(a.im, s[2 * r + 1], sum.im));
            }
            ndft_accumulate(total[r], own.middle.re, own.middle.im, sum);
        }
    }
};

/* Blocks (piece, coil): the folded data as B lies for wgmma. */
static __global__ void ndft_fold_lines_wgmma(ndft_line_side s, const ndft_complex<float> *in)
{
    using T = ndft_adjoint_wgmma::tile;
    const int k = threadIdx.x / 32 / T::NT, n = threadIdx.x / 32 % T::NT, lane = threadIdx.x % 32;
    const ndft_line line = s.lines[blockIdx.x];
    const float scale = ndft_line_scale(s);
    const int64_t at = (int64_t)blockIdx.y * s.n_lines + blockIdx.x;
    auto *to = (unsigned *)(s.folded + at * T::WORDS);
    in += blockIdx.y * s.in.coil;
#pragma unroll
    for (int w = 0; w < 2; w++) {
        const ndft_fold_place place(k, n, lane, w);
        const int word = ndft_adjoint_wgmma::word(place, n, lane);
        float cos_row, sin_row;
        ndft_fold<T>(line, place, in, s.in.element, cos_row, sin_row);
        ndft_split_f16(cos_row * scale, sin_row * scale, to[word], to[512 + word]);
    }
}

/* The sums of a block's 128 voxels over pieces begin..end-1: of voxel 16 m + 8 r + g, over the
 * lane's angles a. `round` counts copies. */
__device__ __forceinline__ void ndft_adjoint_add(const ndft_line_side &s,
                                                 const ndft_segment &segment,
                                                 const ndft_line_voxel &own, const uint4 *folded,
                                                 ndft_adjoint_wgmma::stage &stage, int &round,
                                                 ndft_complex<float> (&total)[2][2])
{
    using unit = ndft_adjoint_wgmma;
    const int lane = threadIdx.x % 32, first = (int)threadIdx.x - lane;
    auto copy = [&](int begin, int of) {
        const int pieces = min((int)unit::CHUNK, segment.end - begin);
        if (threadIdx.x != 0 || pieces <= 0) return;
        ndft_bulk_barrier &full = stage.full[of % 2];
        const int data = pieces * (int)sizeof stage.data[0][0];
        const int lines = pieces * (int)sizeof(ndft_line);
        full.expect(data + lines);
        full.copy(stage.data[of % 2], folded + (int64_t)begin * unit::tile::WORDS, data);
        full.copy(stage.lines[of % 2], s.lines + begin, lines);
    };
    copy(segment.begin, round);
    copy(segment.begin + unit::CHUNK, round + 1);
    unit::voxel *voxels = stage.voxels + first;
    for (int chunk = segment.begin; chunk < segment.end; chunk += unit::CHUNK, round++) {
        const int pieces = min((int)unit::CHUNK, segment.end - chunk), place = round % 2;
        stage.full[place].wait(round / 2);
        for (int i = 0; i < pieces; i++) {
            const uint4 *data = stage.data[place][i];
            float d[2][4][4];
            unit::rows a[2];
            __syncwarp();
            voxels[lane] = unit::turn(stage.lines[place][i], own);
            __syncwarp();
            a[0].make(voxels, 0);
            unit::multiply_piece(a[0], data, d[0]);
            a[1].make(voxels, 1);
            unit::multiply_piece(a[1], data, d[1]);
            unit::wait<1>();
            unit::reduce(voxels, 0, d[0], total[0]);
            unit::wait<0>();
            unit::reduce(voxels, 1, d[1], total[1]);
        }
        __syncthreads(); /* all have read the stage */
        copy(chunk + 2 * unit::CHUNK, round);
    }
}

static __global__ void __launch_bounds__(NDFT_LINE_THREADS, 5)
    ndft_line_adjoint_wgmma(ndft_line_side s, ndft_complex<float> *out)
{
    using T = ndft_adjoint_wgmma::tile;
    __shared__ alignas(128) ndft_adjoint_wgmma::stage stage;
    const ndft_shares &shares = s.split.shares;
    const ndft_outputs &outputs = s.split.outputs;
    const float scale = 1 / ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    int round = 0;
    if (threadIdx.x < 2) stage.full[threadIdx.x].begin();
    __syncthreads();
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        const int64_t v = outputs.place(segment.sum, (int)threadIdx.x);
        const ndft_line_voxel own = s.voxels[v < s.n_voxels ? v : s.n_voxels - 1];
        const uint4 *folded =
            s.folded + segment.sum / outputs.blocks * (int64_t)s.n_lines * T::WORDS;
        ndft_adjoint_sums<T, 1> sums;
        ndft_adjoint_add(s, segment, own, folded, stage, round, sums.total[0]);
        sums.put(s, segment, scale, 1, out);
        at += segment.end - segment.begin;
    }
}

#endif
