/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_WGMMA_CUH
#define NDFT_WGMMA_CUH

#include <stdint.h>

/* One product: its shape, the places of sums, of A, of B and of whether it adds, and the sums. */
#define NDFT_WGMMA(SHAPE, SUMS, A, B, ADD, ...)                                                    \
    asm volatile("{\n"                                                                             \
                 ".reg .pred add;\n"                                                               \
                 "setp.ne.b32 add, " ADD ", 0;\n"                                                  \
                 "wgmma.mma_async.sync.aligned." SHAPE " {" SUMS "}, {" A "}, " B                  \
                 ", add, 1, 1, 0;\n"                                                               \
                 "}\n"                                                                             \
                 : __VA_ARGS__                                                                     \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add))
#define NDFT_WGMMA_4 "%0, %1, %2, %3"
#define NDFT_WGMMA_8 NDFT_WGMMA_4 ", %4, %5, %6, %7"
#define NDFT_WGMMA_16 NDFT_WGMMA_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define NDFT_WGMMA_24 NDFT_WGMMA_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define NDFT_WGMMA_32 NDFT_WGMMA_24 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define NDFT_WGMMA_FOUR(KIND, V) KIND(V[0]), KIND(V[1]), KIND(V[2]), KIND(V[3])

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
        NDFT_WGMMA("m64n16k16.f32.f16.f16", NDFT_WGMMA_8, "%8, %9, %10, %11", "%12", "%13",
                   NDFT_WGMMA_FOUR("+f", v[0]), NDFT_WGMMA_FOUR("+f", v[1]));
    }
    static __device__ __forceinline__ void multiply(float (&v)[4][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        NDFT_WGMMA("m64n32k16.f32.f16.f16", NDFT_WGMMA_16, "%16, %17, %18, %19", "%20", "%21",
                   NDFT_WGMMA_FOUR("+f", v[0]), NDFT_WGMMA_FOUR("+f", v[1]),
                   NDFT_WGMMA_FOUR("+f", v[2]), NDFT_WGMMA_FOUR("+f", v[3]));
    }
    static __device__ __forceinline__ void multiply(float (&v)[6][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        NDFT_WGMMA("m64n48k16.f32.f16.f16", NDFT_WGMMA_24, "%24, %25, %26, %27", "%28", "%29",
                   NDFT_WGMMA_FOUR("+f", v[0]), NDFT_WGMMA_FOUR("+f", v[1]),
                   NDFT_WGMMA_FOUR("+f", v[2]), NDFT_WGMMA_FOUR("+f", v[3]),
                   NDFT_WGMMA_FOUR("+f", v[4]), NDFT_WGMMA_FOUR("+f", v[5]));
    }
    static __device__ __forceinline__ void multiply(float (&v)[8][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        NDFT_WGMMA("m64n64k16.f32.f16.f16", NDFT_WGMMA_32, "%32, %33, %34, %35", "%36", "%37",
                   NDFT_WGMMA_FOUR("+f", v[0]), NDFT_WGMMA_FOUR("+f", v[1]),
                   NDFT_WGMMA_FOUR("+f", v[2]), NDFT_WGMMA_FOUR("+f", v[3]),
                   NDFT_WGMMA_FOUR("+f", v[4]), NDFT_WGMMA_FOUR("+f", v[5]),
                   NDFT_WGMMA_FOUR("+f", v[6]), NDFT_WGMMA_FOUR("+f", v[7]));
    }

    /* The same, summed in f16, of 16 or 32 columns: words of two. */
    static __device__ __forceinline__ void multiply(unsigned (&v)[4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        NDFT_WGMMA("m64n16k16.f16.f16.f16", NDFT_WGMMA_4, "%4, %5, %6, %7", "%8", "%9",
                   NDFT_WGMMA_FOUR("+r", v));
    }
    static __device__ __forceinline__ void multiply(unsigned (&v)[8], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        NDFT_WGMMA("m64n32k16.f16.f16.f16", NDFT_WGMMA_8, "%8, %9, %10, %11", "%12", "%13",
                   NDFT_WGMMA_FOUR("+r", v), NDFT_WGMMA_FOUR("+r", (v + 4)));
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

#undef NDFT_WGMMA
#undef NDFT_WGMMA_4
#undef NDFT_WGMMA_8
#undef NDFT_WGMMA_16
#undef NDFT_WGMMA_24
#undef NDFT_WGMMA_32
#undef NDFT_WGMMA_FOUR

#endif
