/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MMA_SPLIT_CUH
#define NDFT_MMA_SPLIT_CUH

#include "mma.cuh"

/*
 * Splits of four numbers a lane into f16 parts: x0 and x1 in the first words, x2 and x3 in the
 * second. By conversions, or by a tensor core: the packed high parts lie as A of m16n8k8 where the
 * numbers lie as its sums, so that x - hi is one product with minus the identity and not four
 * conversions and four subtractions. Both are exact. By a tensor core all lanes of a warp take
 * part, and numbers that are not finite spoil those of the lanes with the same lane / 4, too.
 */

struct ndft_split_by_conversion {
    __device__ __forceinline__ void four(float x0, float x1, float x2, float x3, unsigned &hi0,
                                         unsigned &hi1, unsigned &lo0, unsigned &lo1) const
    {
        ndft_split_f16(x0, x1, hi0, lo0);
        ndft_split_f16(x2, x3, hi1, lo1);
    }
};

struct ndft_split_by_mma {
    unsigned minus; /* a lane's word of minus the identity, from a shuffle to be made once */

    __device__ __forceinline__ ndft_split_by_mma()
    {
        const unsigned row = threadIdx.x / 4 % 8, pair = threadIdx.x % 4;
        const unsigned word = row / 2 != pair ? 0u : row % 2 ? 0xbc000000u : 0xbc00u;
        minus = __shfl_xor_sync(0xffffffffu, word, 0);
    }

    __device__ __forceinline__ void four(float x0, float x1, float x2, float x3, unsigned &hi0,
                                         unsigned &hi1, unsigned &lo0, unsigned &lo1) const
    {
        hi0 = ndft_pack_f16(x0, x1);
        hi1 = ndft_pack_f16(x2, x3);
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(x0), "+f"(x1), "+f"(x2), "+f"(x3)
            : "r"(hi0), "r"(hi1), "r"(minus));
        lo0 = ndft_pack_f16(x0, x1);
        lo1 = ndft_pack_f16(x2, x3);
    }
};

#endif
