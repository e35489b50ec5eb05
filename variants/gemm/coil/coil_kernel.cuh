/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_KERNEL_CUH
#define NDFT_COIL_KERNEL_CUH

#include "coil_phasors.cuh"
#include "coil_stage.cuh"

/*
 * The kernel of coil_gemm, but for the products themselves: UNIT::over adds a staged chunk with
 * one instruction or another, and after UNIT::finish the sum can be read. A warp has 16 outputs and
 * all coils of a group.
 */

/* A lane's sums of a tile, element i of each column block: re and im, or those of three products
 * whose differences these are. */
template <class C> struct ndft_coil_sum {
    float v[C::SUMS][C::BLOCKS][4];

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < 4 * C::BLOCKS; i++)
#pragma unroll
            for (int q = 0; q < C::SUMS; q++) v[q][i / 4][i % 4] = 0;
    }

    /* Of sums that are in parts, one. */
    __device__ __forceinline__ void join() {}

    /* total += turn * element; of three products c re, s im and (c + s)(re + im) that is six
     * multiply-adds. */
    __device__ __forceinline__ void turn_add(ndft_complex<float> &total,
                                             const ndft_complex<float> &turn, int n, int i) const
    {
        if constexpr (C::SUMS == 2) {
            ndft_accumulate(total, turn.re, turn.im, ndft_complex<float>{v[0][n][i], v[1][n][i]});
        } else {
            const float plus = turn.re + turn.im, minus = turn.im - turn.re;
            total.re = fmaf(plus, v[0][n][i],
                            fmaf(minus, v[1][n][i], fmaf(-turn.im, v[2][n][i], total.re)));
            total.im = fmaf(minus, v[0][n][i],
                            fmaf(-plus, v[1][n][i], fmaf(turn.re, v[2][n][i], total.im)));
        }
    }
};

/* Where the sums of all tiles are kept, two columns of a row at a time: in registers, */
template <class C> struct ndft_coil_registers {
    static constexpr int SHARED = 0;
    float4 v[C::BLOCKS][2];

    __device__ explicit ndft_coil_registers(unsigned char *) {}
    __device__ __forceinline__ float4 get(int n, int row) const { return v[n][row]; }
    __device__ __forceinline__ void set(int n, int row, float4 sums) { v[n][row] = sums; }
};

/* or in shared memory, which leaves registers for more warps. */
template <class C, int THREADS> struct ndft_coil_shared {
    static constexpr int SHARED = C::BLOCKS * 2 * THREADS * (int)sizeof(float4);
    float4 *v;

    __device__ explicit ndft_coil_shared(unsigned char *shared) : v((float4 *)shared + threadIdx.x)
    {
    }
    __device__ __forceinline__ float4 get(int n, int row) const
    {
        return v[(2 * n + row) * THREADS];
    }
    __device__ __forceinline__ void set(int n, int row, float4 sums)
    {
        v[(2 * n + row) * THREADS] = sums;
        if (row == 1) asm volatile("" ::: "memory"); /* no more loads at a time than registers */
    }
};

/* The sums of all tiles. */
template <class C, class STORE> struct ndft_coil_total : STORE {
    using STORE::STORE;

    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < 2 * C::BLOCKS; i++) this->set(i / 2, i % 2, make_float4(0, 0, 0, 0));
    }

    /* this += turn * tile; an element's row is one of the lane's two. */
    __device__ __forceinline__ void rotate_add(const ndft_complex<float> turn[2],
                                               const ndft_coil_sum<C> &tile)
    {
#pragma unroll
        for (int n = 0; n < C::BLOCKS; n++)
#pragma unroll
            for (int row = 0; row < 2; row++) {
                const float4 sums = this->get(n, row);
                ndft_complex<float> a = {sums.x, sums.y}, b = {sums.z, sums.w};
                tile.turn_add(a, turn[row], n, 2 * row);
                tile.turn_add(b, turn[row], n, 2 * row + 1);
                this->set(n, row, make_float4(a.re, a.im, b.re, b.im));
            }
    }

    /* row: the warp's first among the outputs of the block. */
    __device__ __forceinline__ void put(const ndft_split<float> &split, const ndft_segment &segment,
                                        int row, ndft_complex<float> *out) const
    {
        const ndft_outputs &to = split.outputs;
        const int lane = threadIdx.x % 32, group = (int)(segment.sum / to.blocks);
        const bool part = !segment.whole;
        const int64_t first = to.place(segment.sum, 0);
        const int rows =
            part || to.length - first >= to.block ? to.block : (int)(to.length - first);
        const int columns = part ? to.columns : to.coils - group * to.columns;
        const ndft_strides stride = part ? ndft_strides{1, to.block} : to.strides;
        ndft_complex<float> *const at =
            part ? split.parts + segment.slot * to.size()
                 : out + first * stride.element + (int64_t)group * to.columns * stride.coil;
#pragma unroll
        for (int n = 0; n < C::BLOCKS; n++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int column = n * NDFT_COIL_COLUMNS + ndft_mma_f16::d_col(lane, i);
                const int place = row + ndft_mma_f16::d_row(lane, i);
                const float4 sums = this->get(n, i / 2);
                if (place < rows && column < columns)
                    at[place * stride.element + column * stride.coil] =
                        i % 2 ? ndft_complex<float>{sums.z, sums.w}
                              : ndft_complex<float>{sums.x, sums.y};
            }
    }
};

/* Outputs of a block: 16 a warp. */
template <class UNIT> constexpr int ndft_coil_block = UNIT::THREADS / 32 * 16;

/* A segment of the sums of a block. */
template <class UNIT, class C, class PIPE>
__device__ __forceinline__ void ndft_coil_segment(const ndft_coil_side &s,
                                                  const ndft_segment &segment, PIPE &pipe,
                                                  ndft_complex<float> *out)
{
    const int row = threadIdx.x / 32 * 16, lane = threadIdx.x % 32;
    const int group = (int)(segment.sum / s.split.outputs.blocks);
    const int chunks = s.tile / C::CHUNK;
    const float *const unscale = s.unscale + (int64_t)group * s.n_tiles;
    typename C::loop loop;
    ndft_coil_total<C, typename UNIT::template store<C>> total(pipe.shared + PIPE::SHARED);
    typename UNIT::template sum<C> sum;
    int left = segment.end - segment.begin;
    int t = (segment.begin + s.split.shares.turned(segment.sum)) % s.n_tiles;
    pipe.begin(group, t * chunks, left * chunks);
    ndft_coil_outputs<C>(s, s.split.outputs.place(segment.sum, row + lane / 4), loop);
    total.clear();
    for (; left > 0; left--) {
        ndft_complex<float> turn[2];
        for (int i = 0; i < chunks; i++) {
            UNIT::template over<C>(loop, pipe.take(), i == 0, sum);
            if (i == chunks - 1) ndft_coil_turns<C>(loop, s.centre[t], unscale[t], turn);
            UNIT::finish(sum);
            pipe.release();
        }
        sum.join();
        total.rotate_add(turn, sum);
        t = t + 1 < s.n_tiles ? t + 1 : 0;
    }
    total.put(s.split, segment, row, out);
}

template <class UNIT, class C>
__global__ void __launch_bounds__(UNIT::THREADS, UNIT::PER_MULTIPROCESSOR)
    ndft_coil_gemm(ndft_coil_side s, ndft_complex<float> *out)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const ndft_shares &shares = s.split.shares;
    const int64_t end = shares.begin(blockIdx.x + 1);
    typename UNIT::template pipe<C> pipe(s, shared);
    for (int64_t at = shares.begin(blockIdx.x); at < end;) {
        const ndft_segment segment = ndft_segment_at(shares, blockIdx.x, at);
        ndft_coil_segment<UNIT, C>(s, segment, pipe, out);
        at += segment.end - segment.begin;
    }
}

#endif
