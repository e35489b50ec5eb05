/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WGMMA_CUH
#define NDFT_WGMMA_CUH

#include <stdint.h>

/*
 * Products by wgmma, of compute capability 9.0a alone: four warps multiply their fragments of A,
 * 64 outputs, by columns of B in shared memory.
 */
struct ndft_wgmma_unit {
    /* Core matrices as the PTX ISA describes them (matrix descriptor, no swizzle); bytes to the
     * next along the inputs, and to the next columns. */
    static __device__ __forceinline__ uint64_t descriptor(unsigned address, int inputs, int columns)
    {
        return (address & 0x3ffff) >> 4 | (uint64_t)(inputs >> 4) << 16 |
               (uint64_t)(columns >> 4) << 32;
    }

    /* v = A B, or += it, of 16, 32, 48 or 64 columns. */
    static __device__ __forceinline__ void multiply(float (&v)[2][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, add, 1, 1, 0;\n"
                     "}\n"
                     : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]),
                       "+f"(v[1][1]), "+f"(v[1][2]), "+f"(v[1][3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
    static __device__ __forceinline__ void multiply(float (&v)[4][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %21, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
                     "%14, %15}, {%16, %17, %18, %19}, %20, add, 1, 1, 0;\n"
                     "}\n"
                     : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]),
                       "+f"(v[1][1]), "+f"(v[1][2]), "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]),
                       "+f"(v[2][2]), "+f"(v[2][3]), "+f"(v[3][0]), "+f"(v[3][1]), "+f"(v[3][2]),
                       "+f"(v[3][3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
    static __device__ __forceinline__ void multiply(float (&v)[6][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %29, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
                     "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23}, "
                     "{%24, %25, %26, %27}, %28, add, 1, 1, 0;\n"
                     "}\n"
                     : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]),
                       "+f"(v[1][1]), "+f"(v[1][2]), "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]),
                       "+f"(v[2][2]), "+f"(v[2][3]), "+f"(v[3][0]), "+f"(v[3][1]), "+f"(v[3][2]),
                       "+f"(v[3][3]), "+f"(v[4][0]), "+f"(v[4][1]), "+f"(v[4][2]), "+f"(v[4][3]),
                       "+f"(v[5][0]), "+f"(v[5][1]), "+f"(v[5][2]), "+f"(v[5][3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
    static __device__ __forceinline__ void multiply(float (&v)[8][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %37, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
                     "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, "
                     "%26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, %36, add, 1, 1, 0;\n"
                     "}\n"
                     : "+f"(v[0][0]), "+f"(v[0][1]), "+f"(v[0][2]), "+f"(v[0][3]), "+f"(v[1][0]),
                       "+f"(v[1][1]), "+f"(v[1][2]), "+f"(v[1][3]), "+f"(v[2][0]), "+f"(v[2][1]),
                       "+f"(v[2][2]), "+f"(v[2][3]), "+f"(v[3][0]), "+f"(v[3][1]), "+f"(v[3][2]),
                       "+f"(v[3][3]), "+f"(v[4][0]), "+f"(v[4][1]), "+f"(v[4][2]), "+f"(v[4][3]),
                       "+f"(v[5][0]), "+f"(v[5][1]), "+f"(v[5][2]), "+f"(v[5][3]), "+f"(v[6][0]),
                       "+f"(v[6][1]), "+f"(v[6][2]), "+f"(v[6][3]), "+f"(v[7][0]), "+f"(v[7][1]),
                       "+f"(v[7][2]), "+f"(v[7][3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }

    /* The same, summed in f16, of 16 or 32 columns: words of two. */
    static __device__ __forceinline__ void multiply(unsigned (&v)[4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %9, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 {"
                     "%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, add, 1, 1, 0;\n"
                     "}\n"
                     : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }
    static __device__ __forceinline__ void multiply(unsigned (&v)[8], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %13, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, add, 1, 1, 0;\n"
                     "}\n"
                     : "+r"(v[0]), "+r"(v[1]), "+r"(v[2]), "+r"(v[3]), "+r"(v[4]), "+r"(v[5]),
                       "+r"(v[6]), "+r"(v[7])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
    }

    static __device__ __forceinline__ void fence()
    {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    }
    static __device__ __forceinline__ void commit()
    {
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    }

    /* Until at most `LEFT` groups of products are under way. */
    template <int LEFT> static __device__ __forceinline__ void wait()
    {
        asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
    }

    /* Keeps the making of operands on its side of the fence, and reading of sums of a wait. */
    static __device__ __forceinline__ void settle(unsigned (&a)[4])
    {
        asm volatile("" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3])::"memory");
    }
    template <int BLOCKS> static __device__ __forceinline__ void settle(float (&v)[BLOCKS][4])
    {
#pragma unroll
        for (int i = 0; i < 4 * BLOCKS; i++) asm volatile("" : "+f"(v[i / 4][i % 4])::"memory");
    }
};

#endif
