/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_WGMMA_CUH
#define NDFT_COIL_WGMMA_CUH

#include "coil_mma.cuh"
#include "core/wgmma.cuh"

/*
 * Products by wgmma of a chunk. A step's phasors are made while the last one's products run, and
 * its operands when those that they replace are read: all products are done, or with two sets of
 * operands all but the last step's. PRODUCTS says which operands, and what they multiply.
 */
template <int WARPGROUPS, int SETS, class PRODUCTS> struct ndft_coil_wgmma : ndft_wgmma_unit {
    template <class C> using pipe = ndft_coil_bulk<C>;
    static constexpr int THREADS = 128 * WARPGROUPS, PER_MULTIPROCESSOR = 1;
    template <class C> using store = typename PRODUCTS::template store<C, THREADS>;
    static constexpr ndft_coil_form FORM = PRODUCTS::FORM;
    static constexpr bool SINC = SETS == 2;
    static constexpr bool EXACT_SINC = false; /* no branches between products */

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        constexpr int UNROLLED = SETS == 2 ? 2 : C::STEPS;
        const float *coords =
            (const float *)(stage + ndft_coil_chunk<C>::DATA) + threadIdx.x % 4 * 4;
        unsigned address = ndft_shared_address(stage);
        /* All lanes have the same; untold, the compiler kept 64 coils' descriptors in each lane. */
        if constexpr (C::BLOCKS == 8) address = __shfl_sync(~0u, address, 0);
        const uint64_t base = descriptor(address, 128, 256);
        typename PRODUCTS::template operands<C> operands[SETS];
#pragma unroll UNROLLED
        for (int step = 0; step < C::STEPS; step++) {
            auto &a = operands[step % SETS];
            float cosine[2][4], sine[2][4];
            ndft_coil_phasors<C>(loop, coords + step * NDFT_COIL_STEP, cosine, sine);
            settle(cosine);
            settle(sine);
            wait<SETS - 1>();
            a.make(cosine, sine);
            fence();
            a.multiply(base + step * (C::STEP_BYTES >> 4), step > 0 || !first, sum);
            commit();
        }
    }

    /* All products are done, and none of the sums was read before. */
    template <class C> static __device__ __forceinline__ void finish(ndft_coil_sum<C> &sum)
    {
        wait<0>();
#pragma unroll
        for (int q = 0; q < C::SUMS; q++) settle(sum.v[q]);
    }
};

/* Four products. B holds [-im, re, im], so that c multiplies [re, im] and s, beginning one quantity
 * earlier, [-im, re]. */
struct ndft_coil_wgmma_four {
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR_NEGATED;
    template <class C, int> using store = ndft_coil_registers<C>;

    template <class C> struct operands {
        unsigned a[2][C::PARTS][4]; /* s, c; high, low */

        __device__ __forceinline__ void make(const float (&cosine)[2][4], const float (&sine)[2][4])
        {
            ndft_coil_fragment<C>(sine, 0, a[0]);
            ndft_coil_fragment<C>(cosine, 0, a[1]);
#pragma unroll
            for (int i = 0; i < 2 * C::PARTS; i++)
                ndft_wgmma_unit::settle(a[i / C::PARTS][i % C::PARTS]);
        }

        __device__ __forceinline__ void multiply(uint64_t b, int add, ndft_coil_sum<C> &sum) const
        {
            using unit = ndft_wgmma_unit;
            auto &all = *reinterpret_cast<float(*)[2 * C::BLOCKS][4]>(&sum.v);
#pragma unroll
            for (int q = 0; q < 2; q++) {
                const uint64_t at = b + q * (C::QUANTITY >> 4);
                unit::multiply(all, a[q][0], at, add || q > 0);
                if constexpr (C::PARTS == 2) {
                    unit::multiply(all, a[q][1], at, 1);
                    unit::multiply(all, a[q][0], at + (C::PART >> 4), 1);
                }
            }
        }
    };
};

/*
 * Phasors as operands whose high parts lie on a grid, so that those of c and s have an exact sum:
 * c + s needs no splitting of its own. Of the two ways to make it the second costs one instruction
 * more, but all of them are of f16, which 64 columns of wgmma leave free.
 */
struct ndft_coil_subnormal {
    /* Of 2^-10, times 2^-14: f16's subnormals. Low parts keep their size, and multiply smaller
     * data. */
    static constexpr float SCALE = ndft_coil_grid_scale;
    static __device__ __forceinline__ unsigned round(unsigned word)
    {
        return ndft_coil_finer(word);
    }
};
struct ndft_coil_shifted {
    /* Of 2^-9, f16's between 2 and 4. */
    static constexpr float SCALE = 1;
    static __device__ __forceinline__ unsigned round(unsigned word)
    {
        const half2 up = __hadd2_rn(*reinterpret_cast<const half2 *>(&word), __float2half2_rn(3));
        const half2 on_grid = __hadd2_rn(up, __float2half2_rn(-3));
        return *reinterpret_cast<const unsigned *>(&on_grid);
    }
};

/*
 * Three products after Gauss, of f16x3: a quarter less for the tensor cores, and for power, which
 * bounds them. The sums of all tiles lie in shared memory: more warps, or twice as many coils, for
 * the same registers.
 */
template <class GRID, ndft_coil_form DATA> struct ndft_coil_wgmma_gauss {
    static constexpr ndft_coil_form FORM = DATA;
    template <class C, int THREADS> using store = ndft_coil_shared<C, THREADS>;

    template <class C> struct operands {
        unsigned a[3][2][4]; /* c, s, c + s; high, low */

        static __device__ __forceinline__ void split(const float v[2], unsigned &hi, unsigned &lo)
        {
            hi = GRID::round(ndft_pack_f16(v[0], v[1]));
            const half2 high = *reinterpret_cast<const half2 *>(&hi);
            lo = ndft_pack_f16(v[0] - 1 / GRID::SCALE * __low2float(high),
                               v[1] - 1 / GRID::SCALE * __high2float(high)); /* exact */
        }
        static __device__ __forceinline__ unsigned sum(unsigned x, unsigned y)
        {
            const half2 both = __hadd2_rn(*reinterpret_cast<const half2 *>(&x),
                                          *reinterpret_cast<const half2 *>(&y));
            return *reinterpret_cast<const unsigned *>(&both);
        }

        __device__ __forceinline__ void make(const float (&cosine)[2][4], const float (&sine)[2][4])
        {
#pragma unroll
            for (int word = 0; word < 4; word++)
                split(&cosine[word % 2][word / 2 * 2], a[0][0][word], a[0][1][word]);
#pragma unroll
            for (int word = 0; word < 4; word++)
                split(&sine[word % 2][word / 2 * 2], a[1][0][word], a[1][1][word]);
#pragma unroll
            for (int i = 0; i < 8; i++)
                a[2][i / 4][i % 4] = sum(a[0][i / 4][i % 4], a[1][i / 4][i % 4]);
#pragma unroll
            for (int i = 0; i < 6; i++) ndft_wgmma_unit::settle(a[i / 2][i % 2]);
        }

        __device__ __forceinline__ void multiply(uint64_t b, int add, ndft_coil_sum<C> &sum) const
        {
            using unit = ndft_wgmma_unit;
            constexpr int QUANTITY = C::QUANTITY >> 4, PART = C::PART >> 4;     /* of descriptors */
            constexpr int SMALL = FORM == NDFT_COIL_THREE_SMALL ? 2 * PART : 0; /* for low parts */
#pragma unroll
            for (int q = 0; q < 3; q++) unit::multiply(sum.v[q], a[q][0], b + q * QUANTITY, add);
#pragma unroll
            for (int q = 0; q < 3; q++)
                unit::multiply(sum.v[q], a[q][1], b + q * QUANTITY + SMALL, 1);
#pragma unroll
            for (int q = 0; q < 3; q++)
                unit::multiply(sum.v[q], a[q][0], b + q * QUANTITY + PART, 1);
        }
    };
};

/* The kernels' units, of 8, 16, 32 and 64 coils; where phasors bound, or sums are in shared memory,
 * one set of operands leaves room for more warps. Nor is there room in shared memory for the third
 * part of the data of 64 coils. */
using ndft_coil_wgmma_8 = ndft_coil_wgmma<6, 1, ndft_coil_wgmma_four>;
using ndft_coil_wgmma_16 = ndft_coil_wgmma<5, 1, ndft_coil_wgmma_four>;
using ndft_coil_wgmma_32 =
    ndft_coil_wgmma<4, 1, ndft_coil_wgmma_gauss<ndft_coil_subnormal, NDFT_COIL_THREE_SMALL>>;
using ndft_coil_wgmma_64 =
    ndft_coil_wgmma<3, 1, ndft_coil_wgmma_gauss<ndft_coil_shifted, NDFT_COIL_THREE_WGMMA>>;
/* 32 coils in one part of f16, or dephased. */
using ndft_coil_wgmma_other = ndft_coil_wgmma<3, 2, ndft_coil_wgmma_four>;

#endif
