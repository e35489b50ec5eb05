/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_WGMMA_CUH
#define NDFT_COIL_WGMMA_CUH

#include "coil_mma.cuh"
#include "core/wgmma.cuh"

/* Sums of a tile where those of products with low parts are apart, in f16, two columns in a word:
 * half of the registers to read and write, and the others are cut off once a step for three times.
 */
template <class C> struct ndft_coil_apart : ndft_coil_sum<C> {
    /* After Gauss as many as there are others; of four products re and im are one. */
    static constexpr int SUMS = C::SUMS == 3 ? 3 : 1, WORDS = 2 * C::BLOCKS * C::SUMS / SUMS;
    unsigned low[SUMS][WORDS];

    __device__ __forceinline__ void settle()
    {
#pragma unroll
        for (int i = 0; i < SUMS * WORDS; i++)
            asm volatile("" : "+r"(low[i / WORDS][i % WORDS])::"memory");
    }

    __device__ __forceinline__ void join()
    {
        constexpr float up = C::FORM == NDFT_COIL_THREE_SMALL ? 1 / ndft_coil_grid_scale : 1;
        auto &high = *reinterpret_cast<float(*)[SUMS * WORDS][2]>(&this->v);
#pragma unroll
        for (int i = 0; i < SUMS * WORDS; i++) {
            const half2 two = *reinterpret_cast<const half2 *>(&low[i / WORDS][i % WORDS]);
            high[i][0] = fmaf(up, high[i][0], __low2float(two));
            high[i][1] = fmaf(up, high[i][1], __high2float(two));
        }
    }
};

/*
 * Products by wgmma of a chunk. A step's phasors are made while the last one's products run, and
 * its operands when those that they replace are read: all products are done, or with two sets of
 * operands all but the last step's. PRODUCTS says which operands, and what they multiply.
 */
template <int WARPGROUPS, int SETS, class PRODUCTS> struct ndft_coil_wgmma : ndft_wgmma_unit {
    /* By the last warp with 32 coils, where it was faster; 64 coils' descriptors would be a lane's.
     */
    template <class C>
    using pipe = std::conditional_t<WARPGROUPS == 4, ndft_coil_passed<C>, ndft_coil_bulk<C>>;
    static constexpr int THREADS = 128 * WARPGROUPS, PER_MULTIPROCESSOR = 1;
    template <class C> using store = typename PRODUCTS::template store<C, THREADS>;
    template <class C> using sum = typename PRODUCTS::template sum<C>;
    static constexpr ndft_coil_form FORM = PRODUCTS::FORM;
    static constexpr int CUTS = PRODUCTS::CUTS;
    static constexpr bool SINC = SETS == 2;
    static constexpr bool EXACT_SINC = false; /* no branches between products */

    /* tile += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void
    over(const typename C::loop &loop, const unsigned char *stage, bool first, sum<C> &tile)
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
            a.multiply(base + step * (C::STEP_BYTES >> 4), step > 0 || !first, tile);
            commit();
        }
    }

    /* All products are done, and none of the sums was read before. */
    template <class SUM> static __device__ __forceinline__ void finish(SUM &tile)
    {
        wait<0>();
#pragma unroll
        for (auto &v : tile.v) settle(v);
        if constexpr (PRODUCTS::APART) tile.settle();
    }
};

/* Four products. B holds [-im, re, im], so that c multiplies [re, im] and s, beginning one quantity
 * earlier, [-im, re]. */
template <bool LOW_APART> struct ndft_coil_wgmma_four {
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR_NEGATED;
    static constexpr bool APART = LOW_APART;
    static constexpr int CUTS = LOW_APART ? 2 : 0;
    template <class C, int THREADS>
    using store =
        std::conditional_t<LOW_APART, ndft_coil_shared<C, THREADS>, ndft_coil_registers<C>>;
    template <class C> using sum = std::conditional_t<APART, ndft_coil_apart<C>, ndft_coil_sum<C>>;

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

        __device__ __forceinline__ void multiply(uint64_t b, int add, sum<C> &tile) const
        {
            using unit = ndft_wgmma_unit;
            auto &high = *reinterpret_cast<float(*)[2 * C::BLOCKS][4]>(&tile.v);
            auto &low = [&]() -> auto &
            {
                if constexpr (APART)
                    return tile.low[0];
                else
                    return high;
            }
            ();
#pragma unroll
            for (int q = 0; q < 2; q++) {
                const uint64_t at = b + q * (C::QUANTITY >> 4);
                unit::multiply(high, a[q][0], at, add || q > 0);
                if constexpr (C::PARTS == 2) {
                    unit::multiply(low, a[q][1], at, add || q > 0 || !APART);
                    unit::multiply(low, a[q][0], at + (C::PART >> 4), 1);
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
    /* Of 2^-10, times 2^-14: f16's subnormals. Low parts keep their size, and have sums apart. */
    static constexpr float SCALE = ndft_coil_grid_scale;
    static constexpr ndft_coil_form FORM = NDFT_COIL_THREE_SMALL;
    static constexpr bool APART = true;
    static __device__ __forceinline__ unsigned round(unsigned word)
    {
        return ndft_coil_scaled(word, SCALE);
    }
};
struct ndft_coil_shifted {
    /* Of 2^-9, f16's between 2 and 4. */
    static constexpr float SCALE = 1;
    static constexpr ndft_coil_form FORM = NDFT_COIL_THREE_WGMMA;
    static constexpr bool APART = false; /* for want of registers */
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
template <class GRID> struct ndft_coil_wgmma_gauss {
    static constexpr ndft_coil_form FORM = GRID::FORM;
    static constexpr bool APART = GRID::APART;
    static constexpr int CUTS = APART ? 1 : 3;
    template <class C, int THREADS> using store = ndft_coil_shared<C, THREADS>;
    template <class C> using sum = std::conditional_t<APART, ndft_coil_apart<C>, ndft_coil_sum<C>>;

    template <class C> struct operands {
        unsigned a[3][2][4]; /* c, s, c + s; high, low */

        static __device__ __forceinline__ void split(const float v[2], unsigned &hi, unsigned &lo)
        {
            hi = GRID::round(ndft_pack_f16(v[0], v[1]));
            const half2 high = *reinterpret_cast<const half2 *>(&hi);
            lo = ndft_pack_f16(v[0] - 1 / GRID::SCALE * __low2float(high),
                               v[1] - 1 / GRID::SCALE * __high2float(high)); /* exact */
        }
        static __device__ __forceinline__ unsigned plus(unsigned x, unsigned y)
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
                a[2][i / 4][i % 4] = plus(a[0][i / 4][i % 4], a[1][i / 4][i % 4]);
#pragma unroll
            for (int i = 0; i < 6; i++) ndft_wgmma_unit::settle(a[i / 2][i % 2]);
        }

        __device__ __forceinline__ void multiply(uint64_t b, int add, sum<C> &tile) const
        {
            using unit = ndft_wgmma_unit;
            constexpr int QUANTITY = C::QUANTITY >> 4, PART = C::PART >> 4; /* of descriptors */
            auto &low = [&]() -> auto &
            {
                if constexpr (APART)
                    return tile.low;
                else
                    return tile.v;
            }
            ();
#pragma unroll
            for (int q = 0; q < 3; q++) unit::multiply(tile.v[q], a[q][0], b + q * QUANTITY, add);
#pragma unroll
            for (int q = 0; q < 3; q++)
                unit::multiply(low[q], a[q][1], b + q * QUANTITY, add || !APART);
#pragma unroll
            for (int q = 0; q < 3; q++) unit::multiply(low[q], a[q][0], b + q * QUANTITY + PART, 1);
        }
    };
};

/* The kernels' units, of 8, 16, 32 and 64 coils; where phasors bound, or sums are in shared memory,
 * one set of operands leaves room for more warps. */
using ndft_coil_wgmma_8 = ndft_coil_wgmma<6, 1, ndft_coil_wgmma_four<true>>;
using ndft_coil_wgmma_16 = ndft_coil_wgmma<5, 1, ndft_coil_wgmma_four<true>>;
using ndft_coil_wgmma_32 = ndft_coil_wgmma<4, 1, ndft_coil_wgmma_gauss<ndft_coil_subnormal>>;
using ndft_coil_wgmma_64 = ndft_coil_wgmma<3, 1, ndft_coil_wgmma_gauss<ndft_coil_shifted>>;
/* 32 coils in one part of f16, or dephased. */
using ndft_coil_wgmma_other = ndft_coil_wgmma<3, 2, ndft_coil_wgmma_four<false>>;

#endif
