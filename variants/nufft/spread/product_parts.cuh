/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NUFFT_PRODUCT_PARTS_CUH
#define NDFT_NUFFT_PRODUCT_PARTS_CUH

#include "core/mma.cuh"

#include <cuda_bf16.h>

/* Products of weights and data on tensor cores as spreading forms them: in f32 of two parts of tf32
 * or of bf16 each, in f64 as they are. */

namespace
{

/* N numbers as products take them. */
template <class R, int N> struct parts {
    R v[N];
    __device__ explicit parts(const R (&of)[N])
    {
#pragma unroll
        for (int e = 0; e < N; e++) v[e] = of[e];
    }
};

template <int N> struct parts<float, N> {
    unsigned high[N], low[N];
    __device__ explicit parts(const float (&of)[N])
    {
#pragma unroll
        for (int e = 0; e < N; e++) ndft_split_tf32(of[e], high[e], low[e]);
    }
};

/* sum += weights of 16 cells and 8 samples times the data of two samples of a lane, of N reals. */
template <int N>
__device__ __forceinline__ void multiply(const parts<float, 4> &a, const parts<float, N> &one,
                                         const parts<float, N> &two, float (*sum)[4])
{
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.low, one.high[i], two.high[i]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, one.low[i], two.low[i]);
#pragma unroll
    for (int i = 0; i < N; i++) ndft_mma_tf32::multiply(sum[i], a.high, one.high[i], two.high[i]);
}

template <int N>
__device__ __forceinline__ void multiply(const parts<double, 4> &a, const parts<double, N> &one,
                                         const parts<double, N> &two, double (*sum)[4])
{
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int m = 0; m < 2; m++)
#pragma unroll
            for (int i = 0; i < N; i++) {
                auto &to = *(double(*)[2])(sum[i] + 2 * m);
                ndft_mma_f64::multiply(to, {a.v[m + 2 * k]}, {k ? two.v[i] : one.v[i]});
            }
}

/* m16n8k16, bf16 with f32 sums; compute capability 8.0 */
struct mma_bf16 : ndft_fragments<2> {
    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    unsigned b0, unsigned b1)
    {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
};

/* A number as a word of two bf16, whose sum it is but for 2^-17 of it. */
__device__ __forceinline__ unsigned word_of(float high, float low)
{
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const unsigned *>(&pair);
}

__device__ __forceinline__ unsigned pair_of(float x)
{
    return word_of(x, x - __uint_as_float(word_of(x, 0)));
}

/* Data as such words, which a product takes for two of its sixteen inputs; of a weight a word has
 * the higher part twice, and another the lower one. So two products add all four terms. */
template <int N> struct paired {
    unsigned word[N];
    __device__ explicit paired(const float (&of)[N])
    {
#pragma unroll
        for (int e = 0; e < N; e++) word[e] = __float_as_uint(of[e]);
    }
};

struct paired_weights {
    unsigned high[4], low[4];
    __device__ explicit paired_weights(const float (&of)[4])
    {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            high[e] = word_of(of[e], of[e]);
            const float rest = of[e] - __uint_as_float(high[e] & 0xffff0000u);
            low[e] = word_of(rest, rest);
        }
    }
};

template <int N>
__device__ __forceinline__ void multiply(const paired_weights &a, const paired<N> &one,
                                         const paired<N> &two, float (*sum)[4])
{
#pragma unroll
    for (int i = 0; i < N; i++) mma_bf16::multiply(sum[i], a.low, one.word[i], two.word[i]);
#pragma unroll
    for (int i = 0; i < N; i++) mma_bf16::multiply(sum[i], a.high, one.word[i], two.word[i]);
}

/* How a kernel takes both: numbers as they are in memory, or words. */
template <class R> struct by_parts {
    using real = R;
    using weights = parts<R, 4>;
    template <int N> using data = parts<R, N>;
    static constexpr bool PAIRS = false;
};

struct by_pairs {
    using real = float;
    using weights = paired_weights;
    template <int N> using data = paired<N>;
    static constexpr bool PAIRS = true;
};

} // namespace

#endif
