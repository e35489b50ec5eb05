/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_GAUSS_CUH
#define NDFT_COIL_GAUSS_CUH

#include "coil_mma.cuh"

/*
 * Three products after Gauss for coil_mma.cuh: c re, s im and (c + s)(re + im), whose sums are kept
 * apart until the tile ends. That is a quarter less for the tensor cores, which mma.sync keeps from
 * everything else, for one more operand to be made and half as many loads again.
 */
struct ndft_coil_gauss {
    static constexpr ndft_coil_form FORM = NDFT_COIL_THREE;
    static constexpr bool AHEAD = false, SINC = false; /* for want of registers */
    static constexpr int UNROLLED = 8;

    template <class C> struct operands {
        static_assert(C::MODE == NDFT_COIL_F16X3, "built for f16x3");
        unsigned a[3][2][4]; /* c, s, c + s; high, low */

        __device__ __forceinline__ void make(const float cosine[2][4], const float sine[2][4], int)
        {
            float both[2][4];
#pragma unroll
            for (int i = 0; i < 8; i++)
                both[i / 4][i % 4] = cosine[i / 4][i % 4] + sine[i / 4][i % 4];
            ndft_coil_fragment<C>(cosine, 0, a[0]);
            ndft_coil_fragment<C>(sine, 0, a[1]);
            ndft_coil_fragment<C>(both, 0, a[2]);
        }

        __device__ __forceinline__ void multiply(unsigned at, ndft_coil_sum<C> &sum) const
        {
#pragma unroll
            for (int n = 0; n < C::BLOCKS; n++) {
                unsigned b[3][4];
#pragma unroll
                for (int q = 0; q < 3; q++) ndft_coil_load(at + q * C::QUANTITY + n * 256, b[q]);
#pragma unroll
                for (int q = 0; q < 3; q++)
                    ndft_mma_f16::multiply(sum.v[q][n], a[q][1], b[q][0], b[q][1]);
#pragma unroll
                for (int q = 0; q < 3; q++)
                    ndft_mma_f16::multiply(sum.v[q][n], a[q][0], b[q][2], b[q][3]);
#pragma unroll
                for (int q = 0; q < 3; q++)
                    ndft_mma_f16::multiply(sum.v[q][n], a[q][0], b[q][0], b[q][1]);
            }
        }
    };

    /* A load brings both words of the high part, then of the low one. */
    template <class C> static constexpr int FARTHER = C::PART;
};

#endif
