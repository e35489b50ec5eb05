/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_MMA_CUH
#define NDFT_COIL_MMA_CUH

#include "coil_choice.cuh"

#include <type_traits>

/* A word of each of four core matrices, whose rows are where eight lanes each say. */
__device__ __forceinline__ void ndft_coil_load(unsigned at, unsigned (&b)[4])
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(at));
}

/* Four products: re += c re - s im, im += c im + s re, with -s made of s. */
struct ndft_coil_four {
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR;
    static constexpr bool AHEAD = true, SINC = true;
    static constexpr int UNROLLED = 4; /* steps */

    /* Phasors as operands. */
    template <class C> struct operands {
        unsigned c[C::PARTS][4], s[C::PARTS][4], minus[C::PARTS][4];

        __device__ __forceinline__ void make(const float cosine[2][4], const float sine[2][4],
                                             int substep)
        {
            constexpr unsigned signs = C::MODE == NDFT_COIL_TF32X3 ? 1u << 31 : 0x80008000u;
            ndft_coil_fragment<C>(cosine, substep, c);
            ndft_coil_fragment<C>(sine, substep, s);
#pragma unroll
            for (int i = 0; i < 4 * C::PARTS; i++) minus[i / 4][i % 4] = s[i / 4][i % 4] ^ signs;
        }

        /* For one part and column block. */
        __device__ __forceinline__ void multiply(int part, const unsigned (&b)[4],
                                                 ndft_coil_sum<C> &sum, int n) const
        {
            using mma =
                std::conditional_t<C::MODE == NDFT_COIL_TF32X3, ndft_mma_tf32, ndft_mma_f16>;
            mma::multiply(sum.v[0][n], c[part], b[0], b[1]);
            mma::multiply(sum.v[1][n], c[part], b[2], b[3]);
            mma::multiply(sum.v[0][n], minus[part], b[2], b[3]);
            mma::multiply(sum.v[1][n], s[part], b[0], b[1]);
        }

        __device__ __forceinline__ void multiply(unsigned b, ndft_coil_sum<C> &sum) const
        {
#pragma unroll
            for (int n = 0; n < C::BLOCKS; n++) {
                unsigned high[4], low[4];
                ndft_coil_load(b + n * 256, high);
                if constexpr (C::PARTS == 2) {
                    ndft_coil_load(b + C::PART + n * 256, low);
                    multiply(1, high, sum, n);
                    multiply(0, low, sum, n);
                }
                multiply(0, high, sum, n);
            }
        }
    };

    /* A load brings both words of re, then of im. */
    template <class C> static constexpr int FARTHER = C::QUANTITY;
};

/*
 * Three products after Gauss: c re, s im and (c + s)(re + im), whose sums are kept
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

/* Products by mma.sync: each warp loads the fragments of B for itself. With AHEAD the phasors of a
 * step are made among the products of the last one. */
template <template <class> class PIPE, class PRODUCTS, int THREADS_OF_BLOCK, int BLOCKS>
struct ndft_coil_mma {
    template <class C> using pipe = PIPE<C>;
    template <class C> using store = ndft_coil_registers<C>;
    static constexpr int THREADS = THREADS_OF_BLOCK, PER_MULTIPROCESSOR = BLOCKS;
    static constexpr ndft_coil_form FORM = PRODUCTS::FORM;
    static constexpr int CUTS = 0;
    static constexpr bool SINC = PRODUCTS::SINC, EXACT_SINC = SINC;

    template <class C> using sum = ndft_coil_sum<C>;
    template <class SUM> static __device__ __forceinline__ void finish(SUM &) {}

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        const int lane = threadIdx.x % 32;
        const float *coords = (const float *)(stage + ndft_coil_chunk<C>::DATA) + lane % 4 * 4;
        /* this lane's row of the four core matrices of a load */
        unsigned b = (unsigned)__cvta_generic_to_shared(stage) +
                     lane / 16 * PRODUCTS::template FARTHER<C> + lane / 8 % 2 * 128 + lane % 8 * 16;
        float cosine[2][4], sine[2][4];
        if (first) sum.clear();
        if constexpr (PRODUCTS::AHEAD) ndft_coil_phasors<C>(loop, coords, cosine, sine);
#pragma unroll PRODUCTS::UNROLLED
        for (int step = 0; step < C::STEPS; step++) {
            if constexpr (!PRODUCTS::AHEAD)
                ndft_coil_phasors<C>(loop, coords + step * NDFT_COIL_STEP, cosine, sine);
            typename PRODUCTS::template operands<C> a[C::SUBSTEPS];
#pragma unroll
            for (int substep = 0; substep < C::SUBSTEPS; substep++)
                a[substep].make(cosine, sine, substep);
            if (PRODUCTS::AHEAD && step + 1 < C::STEPS)
                ndft_coil_phasors<C>(loop, coords + (step + 1) * NDFT_COIL_STEP, cosine, sine);
#pragma unroll
            for (int substep = 0; substep < C::SUBSTEPS; substep++, b += C::PARTS * C::PART)
                a[substep].multiply(b, sum);
        }
    }
};

template <template <class> class PIPE, int MODE>
ndft_coil_kernel ndft_coil_choose_blocks(const ndft_coil_shape &want, bool to_voxels)
{
    using few = ndft_coil_mma<PIPE, ndft_coil_four, 256, 2>;
    using many = ndft_coil_mma<PIPE, ndft_coil_four, 384, 1>;
    return want.blocks == 1   ? ndft_coil_choose<few, MODE, 1>(want, to_voxels)
           : want.blocks == 2 ? ndft_coil_choose<few, MODE, 2>(want, to_voxels)
                              : ndft_coil_choose<many, MODE, 4>(want, to_voxels);
}

template <template <class> class PIPE>
ndft_coil_kernel ndft_coil_choose_mma(const ndft_coil_shape &want, bool to_voxels)
{
    using wide = ndft_coil_mma<PIPE, ndft_coil_four, 256, 2>;
    if (want.mode == NDFT_COIL_TF32X3)
        return ndft_coil_choose<wide, NDFT_COIL_TF32X3, 2>(want, to_voxels);
    return want.mode == NDFT_COIL_F16X1
               ? ndft_coil_choose_blocks<PIPE, NDFT_COIL_F16X1>(want, to_voxels)
               : ndft_coil_choose_blocks<PIPE, NDFT_COIL_F16X3>(want, to_voxels);
}

#endif
