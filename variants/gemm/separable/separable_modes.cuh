/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_SEPARABLE_MODES_CUH
#define NDFT_SEPARABLE_MODES_CUH

#include "core/mma.cuh"

#include <type_traits>

/*
 * The arithmetics of separable_gemm: D(16 x 8) += A(16 x 16) B(16 x 8) by one warp in several
 * number formats behind one face. All of them give a lane g = lane/4, l = lane%4 the same elements,
 * because the K inputs of a product are numbered to suit: of A the rows g and g + 8 at inputs
 * 4l..4l+3, of B the column g at inputs 4l..4l+3, of D the rows g and g + 8 at columns 2l and
 * 2l + 1. `parts` numbers stand for one where the format is too short.
 */

template <class R> struct ndft_tile_sum {
    R d[4]; /* (g, 2l) (g, 2l+1) (g+8, 2l) (g+8, 2l+1) */
};

/* f16 with f32 sums, x = hi + lo, three products. */
struct ndft_mode_f16x3 {
    using R = float;
    using element = __half;
    static constexpr int PARTS = 2, WARPS = 16;
    static constexpr float TOP = 1024; /* phasors are scaled so that lo is no subnormal */

    struct operand_a {
        unsigned w[PARTS][4];
    };
    struct operand_b {
        unsigned w[PARTS][2];
    };

    static __host__ __device__ int a_row(int lane, int v) { return lane / 4 + v / 2 % 2 * 8; }
    static __host__ __device__ int a_col(int lane, int v)
    {
        return lane % 4 * 4 + v / 4 * 2 + v % 2;
    }

    static __device__ element part(double x, int p)
    {
        const __half hi = __float2half_rn((float)x);
        return p == 0 ? hi : __float2half_rn((float)(x - (double)__half2float(hi)));
    }

    static __device__ __forceinline__ operand_b split(const float (&x)[4])
    {
        operand_b b;
        ndft_split_f16(x[0], x[1], b.w[0][0], b.w[1][0]);
        ndft_split_f16(x[2], x[3], b.w[0][1], b.w[1][1]);
        return b;
    }

    static __device__ __forceinline__ void multiply(ndft_tile_sum<float> &sum, const operand_a &a,
                                                    const operand_b &b)
    {
        ndft_mma_f16::multiply(sum.d, a.w[1], b.w[0][0], b.w[0][1]);
        ndft_mma_f16::multiply(sum.d, a.w[0], b.w[1][0], b.w[1][1]);
        ndft_mma_f16::multiply(sum.d, a.w[0], b.w[0][0], b.w[0][1]);
    }
};

/* tf32 with f32 sums, likewise; a product is two steps of 8 inputs. */
struct ndft_mode_tf32x3 {
    using R = float;
    using element = float;
    static constexpr int PARTS = 2, WARPS = 16;
    static constexpr float TOP = 1;

    struct operand_a {
        unsigned w[PARTS][2][4];
    };
    struct operand_b {
        unsigned w[PARTS][2][2];
    };

    static __host__ __device__ int a_row(int lane, int v) { return lane / 4 + v % 2 * 8; }
    static __host__ __device__ int a_col(int lane, int v) { return lane % 4 * 4 + v / 2; }

    static __device__ element part(double x, int p)
    {
        unsigned hi, lo;
        ndft_split_tf32((float)x, hi, lo);
        return p == 0 ? __uint_as_float(hi) : (float)(x - (double)__uint_as_float(hi));
    }

    static __device__ __forceinline__ operand_b split(const float (&x)[4])
    {
        operand_b b;
#pragma unroll
        for (int i = 0; i < 4; i++)
            ndft_split_tf32(x[i], b.w[0][i / 2][i % 2], b.w[1][i / 2][i % 2]);
        return b;
    }

    static __device__ __forceinline__ void multiply(ndft_tile_sum<float> &sum, const operand_a &a,
                                                    const operand_b &b)
    {
#pragma unroll
        for (int s = 0; s < 2; s++) {
            ndft_mma_tf32::multiply(sum.d, a.w[1][s], b.w[0][s][0], b.w[0][s][1]);
            ndft_mma_tf32::multiply(sum.d, a.w[0][s], b.w[1][s][0], b.w[1][s][1]);
            ndft_mma_tf32::multiply(sum.d, a.w[0][s], b.w[0][s][0], b.w[0][s][1]);
        }
    }
};

/* Double throughout. */
struct ndft_mode_f64 {
    using R = double;
    using element = double;
    static constexpr int PARTS = 1, WARPS = 8;
    static constexpr double TOP = 1;

    struct operand_a {
        double v[8];
    };
    struct operand_b {
        double v[4];
    };

    static __host__ __device__ int a_row(int lane, int v) { return lane / 4 + v % 2 * 8; }
    static __host__ __device__ int a_col(int lane, int v) { return lane % 4 * 4 + v / 2; }

    static __device__ element part(double x, int) { return x; }

    static __device__ __forceinline__ operand_b split(const double (&x)[4])
    {
        return {{x[0], x[1], x[2], x[3]}};
    }

    static __device__ __forceinline__ void multiply(ndft_tile_sum<double> &sum, const operand_a &a,
                                                    const operand_b &b)
    {
        ndft_mma_f64_wide::multiply(sum.d, a.v, b.v);
    }
};

/* Code for compute capability 9.0 takes f16x3 from separable_gemm_sm90a.cu, and leaves the kernels
 * of mma.sync empty. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
template <class M> constexpr bool ndft_separable_by_wgmma = std::is_same<M, ndft_mode_f16x3>::value;
#else
template <class M> constexpr bool ndft_separable_by_wgmma = false;
#endif

#endif
