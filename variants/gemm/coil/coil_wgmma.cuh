/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_WGMMA_CUH
#define NDFT_COIL_WGMMA_CUH

#include "coil_mma.cuh"
#include "core/wgmma.cuh"

/* Products by wgmma. */
struct ndft_coil_wgmma : ndft_wgmma_unit {
    using ndft_wgmma_unit::settle;
    template <class C> using pipe = ndft_coil_bulk<C>;
    static constexpr int PER_MULTIPROCESSOR = 1;
    static constexpr bool EXACT_SINC = false; /* no branches between products */

    static __device__ __forceinline__ uint64_t descriptor(unsigned address)
    {
        return ndft_wgmma_unit::descriptor(address, 128, 256);
    }

    template <int PARTS> static __device__ __forceinline__ void settle(unsigned (&a)[PARTS][4])
    {
#pragma unroll
        for (int i = 0; i < PARTS; i++) settle(a[i]);
    }

    /* All products are done, and none of the sums was read before. */
    template <class C> static __device__ __forceinline__ void finish(ndft_coil_sum<C> &sum)
    {
        wait<0>();
#pragma unroll
        for (int q = 0; q < C::SUMS; q++) settle(sum.v[q]);
    }
};

/* Four products, whose warps make the phasors of the next step meanwhile. B holds [-im, re, im],
 * so that c multiplies [re, im] and s, beginning one quantity earlier, [-im, re]. */
struct ndft_coil_wgmma_four : ndft_coil_wgmma {
    static constexpr int THREADS = 384; /* for 168 registers */
    template <class C> using store = ndft_coil_registers<C>;
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR_NEGATED;
    static constexpr bool SINC = true;

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        const float *coords =
            (const float *)(stage + ndft_coil_chunk<C>::DATA) + threadIdx.x % 4 * 4;
        auto &all = *reinterpret_cast<float(*)[2 * C::BLOCKS][4]>(&sum.v);
        const uint64_t base = descriptor((unsigned)__cvta_generic_to_shared(stage));
        /* Two steps' operands, for wgmma reads them until its group is done. */
        unsigned cosine[2][C::PARTS][4], sine[2][C::PARTS][4];
#pragma unroll 2
        for (int step = 0; step < C::STEPS; step++) {
            const uint64_t minus = base + step * (C::STEP_BYTES >> 4),
                           plus = minus + (C::QUANTITY >> 4);
            auto &c = cosine[step % 2], &s = sine[step % 2];
            float re[2][4], im[2][4];
            ndft_coil_phasors<C>(loop, coords + step * NDFT_COIL_STEP, re, im);
            wait<1>();
            ndft_coil_fragment<C>(re, 0, c);
            ndft_coil_fragment<C>(im, 0, s);
            settle(c);
            settle(s);
            fence();
            multiply(all, c[0], plus, step > 0 || !first);
            multiply(all, s[0], minus, 1);
            if constexpr (C::PARTS == 2) {
                multiply(all, c[1], plus, 1);
                multiply(all, s[1], minus, 1);
                multiply(all, c[0], plus + (C::PART >> 4), 1);
                multiply(all, s[0], minus + (C::PART >> 4), 1);
            }
            commit();
        }
    }
};

/* Four products of f16x3 for 8 or 16 coils, where the phasors bound: one set of operands, for more
 * warps. */
template <int WARPGROUPS> struct ndft_coil_wgmma_few : ndft_coil_wgmma {
    static constexpr int THREADS = 128 * WARPGROUPS;
    template <class C> using store = ndft_coil_registers<C>;
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR_NEGATED;
    static constexpr bool SINC = false;

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        constexpr int QUANTITY = C::QUANTITY >> 4, PART = C::PART >> 4; /* of a descriptor */
        const float *coords =
            (const float *)(stage + ndft_coil_chunk<C>::DATA) + threadIdx.x % 4 * 4;
        auto &all = *reinterpret_cast<float(*)[2 * C::BLOCKS][4]>(&sum.v);
        const uint64_t base = descriptor((unsigned)__cvta_generic_to_shared(stage));
        unsigned a[2][2][4]; /* s, c; high, low */
#pragma unroll
        for (int step = 0; step < C::STEPS; step++) {
            const uint64_t b = base + step * (C::STEP_BYTES >> 4);
            float v[2][2][4];
            ndft_coil_phasors<C>(loop, coords + step * NDFT_COIL_STEP, v[1], v[0]);
            settle(v[0]);
            settle(v[1]);
            wait<0>();
#pragma unroll
            for (int q = 0; q < 2; q++) {
                ndft_coil_fragment<C>(v[q], 0, a[q]);
                settle(a[q]);
            }
            fence();
#pragma unroll
            for (int q = 0; q < 2; q++) {
                multiply(all, a[q][0], b + q * QUANTITY, step > 0 || !first || q > 0);
                multiply(all, a[q][1], b + q * QUANTITY, 1);
                multiply(all, a[q][0], b + q * QUANTITY + PART, 1);
            }
            commit();
        }
    }
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
template <class GRID> struct ndft_coil_grid {
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

        __device__ __forceinline__ void make(const float cosine[2][4], const float sine[2][4], int)
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
        }
    };
};

/*
 * Three products after Gauss, of f16x3: a quarter less for the tensor cores, and for power, which
 * bounds them. A step has one set of operands, and the sums of all tiles lie in shared memory: more
 * warps, or twice as many coils, for the same registers.
 */
template <int WARPGROUPS, class PRODUCTS, ndft_coil_form DATA>
struct ndft_coil_wgmma_gauss : ndft_coil_wgmma {
    static constexpr int THREADS = 128 * WARPGROUPS;
    template <class C> using store = ndft_coil_shared<C, THREADS>;
    static constexpr ndft_coil_form FORM = DATA;
    static constexpr bool SINC = false;

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        constexpr int QUANTITY = C::QUANTITY >> 4, PART = C::PART >> 4;     /* of a descriptor */
        constexpr int SMALL = FORM == NDFT_COIL_THREE_SMALL ? 2 * PART : 0; /* for low parts */
        const float *coords =
            (const float *)(stage + ndft_coil_chunk<C>::DATA) + threadIdx.x % 4 * 4;
        unsigned address = (unsigned)__cvta_generic_to_shared(stage);
        /* All lanes have the same; untold, the compiler kept 64 coils' descriptors in each lane. */
        if constexpr (C::BLOCKS == 8) address = __shfl_sync(~0u, address, 0);
        const uint64_t base = descriptor(address);
        typename PRODUCTS::template operands<C> operands;
        auto &a = operands.a;
#pragma unroll
        for (int step = 0; step < C::STEPS; step++) {
            const uint64_t b = base + step * (C::STEP_BYTES >> 4);
            float cosine[2][4], sine[2][4];
            ndft_coil_phasors<C>(loop, coords + step * NDFT_COIL_STEP, cosine, sine);
            settle(cosine);
            settle(sine);
            wait<0>();
            operands.make(cosine, sine, 0);
#pragma unroll
            for (int q = 0; q < 3; q++) settle(a[q]);
            fence();
#pragma unroll
            for (int q = 0; q < 3; q++)
                multiply(sum.v[q], a[q][0], b + q * QUANTITY, step > 0 || !first);
#pragma unroll
            for (int q = 0; q < 3; q++) multiply(sum.v[q], a[q][1], b + q * QUANTITY + SMALL, 1);
#pragma unroll
            for (int q = 0; q < 3; q++) multiply(sum.v[q], a[q][0], b + q * QUANTITY + PART, 1);
            commit();
        }
    }
};

using ndft_coil_wgmma_32 =
    ndft_coil_wgmma_gauss<4, ndft_coil_grid<ndft_coil_subnormal>, NDFT_COIL_THREE_SMALL>;
/* Nor is there room in shared memory for the third part of the data of 64 coils. */
using ndft_coil_wgmma_64 =
    ndft_coil_wgmma_gauss<3, ndft_coil_grid<ndft_coil_shifted>, NDFT_COIL_THREE_WGMMA>;

#endif
