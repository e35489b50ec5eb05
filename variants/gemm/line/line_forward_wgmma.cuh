/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_LINE_FORWARD_WGMMA_CUH
#define NDFT_LINE_FORWARD_WGMMA_CUH

#include "line_forward.cuh"
#include "line_wgmma.cuh"

/*
 * Image to k-space by wgmma, of compute capability 9.0a: a block of four warps owns a piece of a
 * line of 512 samples and takes 128 voxels a step. A product's 64 rows are the 32 cosines and sines
 * of b twice, for two groups of 16 voxels: A is sparse, two of four inputs are those of a row's
 * group, and B has both groups' columns. So a product that tensor cores take in the time of 16
 * inputs is of 32 voxels. Each thread makes B for one voxel, whose columns of a kind, cos a w or
 * sin a w, follow from the middle two: x(a + d) = 2 cos d x(a) - x(a - d).
 */
struct ndft_forward_wgmma : ndft_line_wgmma {
    using tile = ndft_line_tile<2, 4>;
    enum { STEP = 128, PRODUCTS = STEP / 32 };

    /* Of a product: its columns, and its voxels' phases as the lanes of A take them. */
    struct product {
        uint4 columns[2][tile::NT][4][8]; /* parts, kinds, inputs: 8 columns */
        uint4 turns[2][4];                /* groups, lanes t */
    };
    struct stage {
        product products[2][PRODUCTS];
        ndft_line line;
    };

    /* Columns of an input: those of its voxel. */
    static __device__ __forceinline__ void make_columns(product &to, int input, unsigned turns,
                                                        ndft_complex<float> w)
    {
        constexpr unsigned A = tile::BABIES;
        const ndft_complex<float> below = ndft_fixed_phasor(turns * (7 * A)),
                                  above = ndft_fixed_phasor(turns * (9 * A));
        const float twice = 2 * ndft_fixed_phasor(turns * (2 * A)).re;
#pragma unroll
        for (int kind = 0; kind < 4; kind++) {
            const float part = kind % 2 ? w.im : w.re;
            float x[8];
            x[3] = (kind / 2 ? below.im : below.re) * part;
            x[4] = (kind / 2 ? above.im : above.re) * part;
#pragma unroll
            for (int l = 5; l < 8; l++) {
                x[l] = fmaf(twice, x[l - 1], -x[l - 2]);
                x[7 - l] = fmaf(twice, x[8 - l], -x[9 - l]);
            }
            uint4 hi, lo;
            ndft_split_f16(x[0], x[1], hi.x, lo.x);
            ndft_split_f16(x[2], x[3], hi.y, lo.y);
            ndft_split_f16(x[4], x[5], hi.z, lo.z);
            ndft_split_f16(x[6], x[7], hi.w, lo.w);
            to.columns[0][kind][input / 8][input % 8] = hi;
            to.columns[1][kind][input / 8][input % 8] = lo;
        }
    }

    /* A thread's voxel of a step: input `lane` of its warp's product. Inputs 4q + 2 group + e
     * are voxels 2q + e of a row's group, of which lane t has those with q = t and t + 4. */
    static __device__ __forceinline__ void make(product (&to)[PRODUCTS], const ndft_line &line,
                                                float scale, const ndft_forward_load &load)
    {
        const int lane = threadIdx.x % 32, q = lane / 4, e = lane % 2, group = lane / 2 % 2;
        product &own = to[threadIdx.x / 32];
        const unsigned turns = ndft_fixed_turns(line.half_step, load.at);
        const ndft_complex<float> middle =
            ndft_fixed_phasor(ndft_fixed_turns(line.middle, load.at));
        ndft_complex<float> turned;
        ndft_rotate(turned, middle, {load.value.re * scale, load.value.im * scale});
        ((unsigned *)&own.turns[group][q % 4])[e + q / 4 * 2] = turns;
        make_columns(own, lane, turns, turned);
    }

    /* Cosines and sines of the lane's angle for its four voxels of a product. */
    static __device__ __forceinline__ void make_rows(const product &from, unsigned odd,
                                                     unsigned (&hi)[4], unsigned (&lo)[4])
    {
        const uint4 four = from.turns[threadIdx.x / 64][threadIdx.x % 4];
        const unsigned turns[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int w = 0; w < 2; w++) {
            const ndft_complex<float> x = ndft_fixed_phasor(turns[2 * w] * odd),
                                      y = ndft_fixed_phasor(turns[2 * w + 1] * odd);
            ndft_split_f16(x.re, y.re, hi[2 * w], lo[2 * w]);
            ndft_split_f16(x.im, y.im, hi[2 * w + 1], lo[2 * w + 1]);
        }
    }

    /* sum = the products of a step. */
    static __device__ __forceinline__ void multiply_step(const product (&from)[PRODUCTS],
                                                         float (&sum)[4][4])
    {
        const unsigned odd = 2 * (threadIdx.x / 4 % 8 + threadIdx.x / 32 % 2 * 8) + 1;
        const unsigned which = threadIdx.x / 64 ? 0xeeeeeeeeu : 0x44444444u;
        const uint64_t first = descriptor(from, 128, 512);
        unsigned hi[2][4], lo[2][4];
#pragma unroll
        for (int i = 0; i < PRODUCTS; i++) {
            const uint64_t b = first + i * (sizeof(product) >> 4), low = b + (2048 >> 4);
            auto &high_rows = hi[i % 2], &low_rows = lo[i % 2];
            wait<1>();
            make_rows(from[i], odd, high_rows, low_rows);
            settle(high_rows);
            settle(low_rows);
            fence();
            multiply_sparse(sum, low_rows, which, b, i > 0);
            multiply_sparse(sum, high_rows, which, low, 1);
            multiply_sparse(sum, high_rows, which, b, 1);
            commit();
        }
    }
};

/* A piece's part of the sum: rows of a group each. */
__device__ __forceinline__ void ndft_sum_line_wgmma(const ndft_line_side &s,
                                                    const ndft_segment &segment,
                                                    const ndft_complex<float> *__restrict__ in,
                                                    float scale, ndft_forward_wgmma::stage &stage,
                                                    float (&total)[4][4])
{
    using unit = ndft_forward_wgmma;
    const int64_t coil = segment.sum / s.split.outputs.blocks;
    const ndft_line *line = s.lines + (segment.sum - coil * s.split.outputs.blocks);
    in += coil * s.in.coil;
    float sum[4][4] = {};
    ndft_forward_load next;
    auto load = [&](int step) { next.load(s, in, (int64_t)step * unit::STEP + threadIdx.x); };
    auto add = [&] {
        unit::wait<0>();
        unit::settle(sum);
#pragma unroll
        for (int i = 0; i < 16; i++) total[i / 4][i % 4] += sum[i / 4][i % 4];
    };
    load(segment.begin);
    __syncthreads();
    stage.line = *line; /* by all threads: a branch would cost uniform registers */
    __syncthreads();
    unit::make(stage.products[segment.begin % 2], stage.line, scale, next);
    for (int step = segment.begin; step < segment.end; step++) {
        load(step + 1);
        add();
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        unit::multiply_step(stage.products[step % 2], sum);
        unit::make(stage.products[(step + 1) % 2], stage.line, scale, next);
    }
    add();
}

template <int BLOCKS>
__global__ void __launch_bounds__(NDFT_LINE_THREADS, BLOCKS)
    ndft_line_forward_wgmma(ndft_line_side s, const ndft_complex<float> *in,
                            ndft_complex<float> *out)
{
    using T = ndft_forward_wgmma::tile;
    __shared__ alignas(128) ndft_forward_wgmma::stage stage;
    const ndft_shares &shares = s.split.shares;
    const float scale = ndft_line_scale(s);
    const int64_t end = shares.begin(blockIdx.x + 1);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        float total[4][4] = {};
        ndft_sum_line_wgmma(s, segment, in, scale, stage, total);
        /* The second group's sums join the first's. */
        auto *join = (float(*)[64]) & stage;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            if (threadIdx.x >= 64) join[i][threadIdx.x - 64] = total[i / 4][i % 4];
        __syncthreads();
        if (threadIdx.x < 64) {
            const int g = threadIdx.x / 4 % 8, t = threadIdx.x % 4, j = g + threadIdx.x / 32 * 8;
#pragma unroll
            for (int i = 0; i < 16; i++) total[i / 4][i % 4] += join[i][threadIdx.x];
#pragma unroll
            for (int i = 0; i < 2; i++)
                ndft_forward_sums<T>::put_signs(
                    s, segment, 2 * t + i, j, 1 / scale,
                    {{{total[0][i], total[1][i]}, {total[2][i], total[3][i]}},
                     {{total[0][2 + i], total[1][2 + i]}, {total[2][2 + i], total[3][2 + i]}}},
                    out, 0);
        }
        at += segment.end - segment.begin;
    }
}

#endif
