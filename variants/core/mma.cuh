/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_MMA_CUH
#define NDFT_MMA_CUH

#include <cuda_fp16.h>

/*
 * Products of small matrices by one warp on tensor cores, D(M x N) += A(M x K) B(K x N), and the
 * splitting of numbers into parts that tensor cores take. A lane holds a few elements of each
 * matrix, its fragment; which ones is told by the PTX ISA ("Matrix fragments for mma") and here by
 * a_row .. d_col. An f16 word holds two neighbouring columns of A, or rows of B: a_col and b_row
 * are the even one's. Since the order of a sum is free, a kernel may number the K inputs of a step
 * as suits its loads, as long as A and B agree.
 */

/* Where the elements of a lane's fragments lie; PACK neighbours share a word of A or B. */
template <int PACK> struct ndft_fragments {
    static constexpr __host__ __device__ int a_row(int lane, int word)
    {
        return lane / 4 + word % 2 * 8;
    }
    static constexpr __host__ __device__ int a_col(int lane, int word)
    {
        return (lane % 4 + word / 2 * 4) * PACK;
    }
    static constexpr __host__ __device__ int b_row(int lane, int word)
    {
        return (lane % 4 + word * 4) * PACK;
    }
    static constexpr __host__ __device__ int b_col(int lane) { return lane / 4; }
    static constexpr __host__ __device__ int d_row(int lane, int i) { return lane / 4 + i / 2 * 8; }
    static constexpr __host__ __device__ int d_col(int lane, int i) { return lane % 4 * 2 + i % 2; }
};

/* m16n8k16, f16 with f32 sums; compute capability 8.0 */
struct ndft_mma_f16 : ndft_fragments<2> {
    static constexpr int M = 16, N = 8, K = 16, A = 4, B = 2, D = 4; /* words of a lane */

    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    unsigned b0, unsigned b1)
    {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
};

/* m16n8k8, tf32 with f32 sums; compute capability 8.0 */
struct ndft_mma_tf32 : ndft_fragments<1> {
    static constexpr int M = 16, N = 8, K = 8, A = 4, B = 2, D = 4;

    static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4],
                                                    unsigned b0, unsigned b1)
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
};

/* m8n8k4, f64; compute capability 8.0 */
struct ndft_mma_f64 : ndft_fragments<1> {
    static constexpr int M = 8, N = 8, K = 4, A = 1, B = 1, D = 2;

    static __device__ __forceinline__ void multiply(double (&d)[2], const double (&a)[1],
                                                    const double (&b)[1])
    {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(d[0]), "+d"(d[1])
            : "d"(a[0]), "d"(b[0]));
    }
};

/* m16n8k16, f64; compute capability 9.0 alone, so only files built for it may call it */
struct ndft_mma_f64_wide : ndft_fragments<1> {
    static constexpr int M = 16, N = 8, K = 16, A = 8, B = 4, D = 4;

    static __device__ __forceinline__ void multiply(double (&d)[4], const double (&a)[8],
                                                    const double (&b)[4])
    {
        asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
            "{%0, %1, %2, %3};"
            : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
            : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
              "d"(a[7]), "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
    }
};

/*
 * Splits: x = hi + lo. Three products hi hi + lo hi + hi lo leave out lo lo alone (Ootomo and
 * Yokota, IJHPCA 36 (2022) 475). They scale lo by 2^11, which keeps it out of f16's subnormals and
 * costs a second sum; tensor cores take subnormals at full speed, so lo stays unscaled here and its
 * error is 2^-25 at most in absolute terms. That is as good as f32 for phasors, and for data
 * that ndft_f16_scale brings near to the top of f16's range.
 */

/* Two numbers as a word: x in the low half, where the even column of A or row of B lies. */
__device__ __forceinline__ unsigned ndft_pack_f16(float x, float y)
{
    const half2 pair = __floats2half2_rn(x, y);
    return *reinterpret_cast<const unsigned *>(&pair);
}

__device__ __forceinline__ void ndft_split_f16(float x, float y, unsigned &hi, unsigned &lo)
{
    const half2 high = __floats2half2_rn(x, y);
    hi = *reinterpret_cast<const unsigned *>(&high);
    lo = ndft_pack_f16(x - __low2float(high), y - __high2float(high));
}

/* hi loses its last 13 bits; tensor cores leave out those of lo. */
__device__ __forceinline__ void ndft_split_tf32(float x, unsigned &hi, unsigned &lo)
{
    hi = __float_as_uint(x) & 0xffffe000u;
    lo = __float_as_uint(x - __uint_as_float(hi));
}

/* The larger of two magnitudes, of which the second counts where it is finite: others that share
 * the scale of data that are not would lose theirs, which spoil their own sums at any scale. */
__device__ __forceinline__ float ndft_larger(float most, float magnitude)
{
    return magnitude < __int_as_float(0x7f800000) ? fmaxf(most, magnitude) : most;
}

/* The power of two that brings `most`, the largest magnitude of some data, to 2^14..2^15; 1 for
 * zero. Its reciprocal is finite and normal, too. */
__device__ __forceinline__ float ndft_f16_scale(float most)
{
    const int exponent = (int)(__float_as_uint(most) >> 23 & 255); /* biased by 127 */
    const int scaled = 127 + 127 + 14 - exponent;
    return most == 0 ? 1.0f : __uint_as_float((unsigned)min(max(scaled, 1), 253) << 23);
}

#endif
