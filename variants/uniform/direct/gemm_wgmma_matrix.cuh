/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_MATRIX_CUH
#define NDFT_GEMM_WGMMA_MATRIX_CUH

#include "gemm_wgmma.cuh"

#include <cuda_fp16.h>

/* The matrices of folded lines as operand B of wgmma, and the products with them. */

/* The matrices, whose entries are 1024 times as large so that low parts are no subnormals. */
enum { NDFT_WGMMA_TOP = 1024 };

/* Entry `at` of the matrices, [step][cosines, sines][part][8 outputs][8 inputs][output][input]:
 * core matrices without swizzle (PTX ISA, matrix descriptor). */
struct ndft_wgmma_entry {
    int part, sine, input, output;

    static __device__ ndft_wgmma_entry at(int at, int steps)
    {
        const int kk = at % 8, n = at / 8 % 8, half = at / 64 % 2, tile = at / 128 % (2 * steps);
        const int rest = at / (256 * steps);
        return {rest % 2, rest / 2 % 2, rest / 4 * 16 + kk / 2 * 4 + half * 2 + kk % 2,
                tile / 2 * 16 + n / 2 * 4 + tile % 2 * 2 + n % 2};
    }
};

/* The matrices of a transform of that sign, a thread an entry. weight: how often an input that is
 * not its own mirror image counts. */
static __global__ void ndft_build_wgmma(int length, int sign, int steps, double weight,
                                        __half *matrix)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= ndft_wgmma_matrix(steps) / (int)sizeof(__half)) return;
    const auto entry = ndft_wgmma_entry::at(at, steps);
    const int j = entry.input, k = entry.output;
    double cosine = 0, sine = 0;
    if (2 * j <= length) sincospi(2 * (double)(j * k % length) / (double)length, &sine, &cosine);
    if (j == 0 || 2 * j == length) cosine *= 0.5;
    const double value = NDFT_WGMMA_TOP * weight * (entry.sine ? sign * sine : cosine);
    const __half high = __float2half_rn((float)value);
    matrix[at] = entry.part ? __float2half_rn((float)(value - (double)__half2float(high))) : high;
}

#define NDFT_FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define NDFT_SIXTEEN(d, i)                                                                         \
    NDFT_FOUR(d, i), NDFT_FOUR(d, i + 4), NDFT_FOUR(d, i + 8), NDFT_FOUR(d, i + 12)

/* d (+)= A B of 64 x 16 and 16 x 16 STEPS. */
template <int STEPS>
__device__ __forceinline__ void ndft_wgmma(float (&d)[8 * STEPS], const unsigned (&a)[4],
                                           uint64_t b, int add)
{
    if constexpr (STEPS == 1)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7}, "
                     "{%8, %9, %10, %11}, %12, add, 1, 1, 0;\n}\n"
                     : NDFT_FOUR(d, 0), NDFT_FOUR(d, 4)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    if constexpr (STEPS == 2)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %21, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, "
                     "{%16, %17, %18, %19}, %20, add, 1, 1, 0;\n}\n"
                     : NDFT_SIXTEEN(d, 0)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    if constexpr (STEPS == 3)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %29, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                     "%16, %17, %18, %19, %20, %21, %22, %23}, "
                     "{%24, %25, %26, %27}, %28, add, 1, 1, 0;\n}\n"
                     : NDFT_SIXTEEN(d, 0), NDFT_FOUR(d, 16), NDFT_FOUR(d, 20)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    if constexpr (STEPS == 4)
        asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %37, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
                     "%31}, {%32, %33, %34, %35}, %36, add, 1, 1, 0;\n}\n"
                     : NDFT_SIXTEEN(d, 0), NDFT_SIXTEEN(d, 16)
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

#endif
