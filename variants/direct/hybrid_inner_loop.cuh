/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_HYBRID_INNER_LOOP_CUH
#define NDFT_HYBRID_INNER_LOOP_CUH

#include "packed.cuh"

#include "phase/sincos_minimax.h"

/*
 * ndft_inner_loop in f32 with the sines and cosines of SHARE pairs in 8 by polynomials on the FMA
 * pipe, the others' on the special-function unit. Which is which is known when the loop is
 * compiled: the polynomials serve the last of four inputs, for as many outputs as it takes, or with
 * one output the middle of eight; and the pairs are taken output by output. Of the orders tried
 * these were the fastest.
 */
template <int DIMS, int OUTS, int SHARE>
struct ndft_hybrid_inner_loop : ndft_packed_inner_loop<DIMS, NDFT_NO_SINC, false, OUTS> {
    using base = ndft_packed_inner_loop<DIMS, NDFT_NO_SINC, false, OUTS>;
    using base::ROWS;
    static constexpr int VECTOR = OUTS == 1 ? 8 : 4, PAIRS = VECTOR * OUTS;
    using pack = ndft_pack<float, 4>;

    /* Constants of the polynomials that stand beside another one in their instruction, which can
     * have but one. A compiler that knows them moves them into registers anew in every round:
     * `none` is 0, and only the caller knows. 1/(2 pi) is the float that the hardware's sine
     * multiplies by, too. */
    struct constants {
        float turns, sine, cosine;

        static __device__ __forceinline__ float held(float x, int none)
        {
            return __int_as_float(__float_as_int(x) | none);
        }
        __device__ __forceinline__ explicit constants(int none)
            : turns(held(0.159154937f, none)), sine(held(ndft_sine_lead, none)),
              cosine(held(ndft_cosine_lead, none))
        {
        }
    };

    /* Whole turns are taken off by adding 1.5 2^23, which rounds to an integer. */
    static __device__ __forceinline__ void polynomial(const constants &k, float phase, float &s,
                                                      float &c)
    {
        const float magic = 0x1.8p23f;
        const float whole = __fadd_rn(fmaf(phase, k.turns, magic), -magic);
        const float r = fmaf(phase, k.turns, -whole), z = r * r;
        s = ndft_sine_of_turns(k.sine, r, z);
        c = ndft_cosine_of_turns(k.cosine, z);
    }

    static __device__ constexpr bool on_fma(int o, int v)
    {
        constexpr int some = PAIRS * SHARE / 8, middle = VECTOR / 2 - some / 2;
        return OUTS == 1 ? v >= middle && v < middle + some : v == 3 && o < some;
    }

    __device__ __forceinline__ void add_pair(int pair, const constants &k,
                                             const pack row[VECTOR / 4 * ROWS])
    {
        const int o = pair / VECTOR, v = pair % VECTOR;
        float in[ROWS], s, c;
#pragma unroll
        for (int r = 0; r < ROWS; r++) in[r] = row[v / 4 * ROWS + r].v[v % 4];
        const float phase = this->phase(o, in);
        if (on_fma(o, v))
            polynomial(k, phase, s, c);
        else
            __sincosf(phase, &s, &c);
        ndft_accumulate(this->sum[o], c, s, ndft_complex<float>{in[DIMS + 1], in[DIMS + 2]});
    }

    /* Adds count inputs, a multiple of VECTOR, to sum. */
    __device__ __forceinline__ void over(const float *tile, int stride, int count)
    {
        const constants k(OUTS == 1 ? 0 : stride >> 31); /* one output has no need */
        for (int i = 0; i < count; i += VECTOR, tile += VECTOR * ROWS) {
            pack row[VECTOR / 4 * ROWS];
#pragma unroll
            for (int r = 0; r < VECTOR / 4 * ROWS; r++) row[r] = ((const pack *)tile)[r];
#pragma unroll
            for (int pair = 0; pair < PAIRS; pair++) add_pair(pair, k, row);
        }
    }
};

#endif
