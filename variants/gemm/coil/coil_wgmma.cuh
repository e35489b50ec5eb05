/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_COIL_WGMMA_CUH
#define NDFT_COIL_WGMMA_CUH

#include "coil_kernel.cuh"

/*
 * Products by wgmma, of compute capability 9.0a alone: four warps multiply their fragments of A,
 * 64 outputs, by B in shared memory, and make the phasors of the next step meanwhile. B holds
 * [-im, re, im], so that c multiplies [re, im] and s, beginning one quantity earlier, [-im, re].
 */
struct ndft_coil_bulk_wgmma {
    template <class C> using pipe = ndft_coil_bulk<C>;
    static constexpr int THREADS = 384, PER_MULTIPROCESSOR = 1; /* for 168 registers */
    static constexpr ndft_coil_form FORM = NDFT_COIL_FOUR_NEGATED;
    static constexpr bool SINC = true;
    static constexpr bool EXACT_SINC = false; /* no branches between products */

    /* Core matrices as the PTX ISA describes them (matrix descriptor, no swizzle): 128 bytes to
     * the next along the inputs, 256 to the next columns. */
    static __device__ __forceinline__ uint64_t descriptor(unsigned address)
    {
        return (address & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
    }

    /* v = A B, or += it. */
    static __device__ __forceinline__ void multiply(float (&v)[2][4][4], const unsigned (&a)[4],
                                                    uint64_t b, int add)
    {
        asm volatile("{\n"
                     ".reg .pred add;\n"
                     "setp.ne.b32 add, %37, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                     "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                     "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, "
                     "%31}, {%32, %33, %34, %35}, %36, add, 1, 1, 0;\n"
                     "}\n"
                     : "+f"(v[0][0][0]), "+f"(v[0][0][1]), "+f"(v[0][0][2]), "+f"(v[0][0][3]),
                       "+f"(v[0][1][0]), "+f"(v[0][1][1]), "+f"(v[0][1][2]), "+f"(v[0][1][3]),
                       "+f"(v[0][2][0]), "+f"(v[0][2][1]), "+f"(v[0][2][2]), "+f"(v[0][2][3]),
                       "+f"(v[0][3][0]), "+f"(v[0][3][1]), "+f"(v[0][3][2]), "+f"(v[0][3][3]),
                       "+f"(v[1][0][0]), "+f"(v[1][0][1]), "+f"(v[1][0][2]), "+f"(v[1][0][3]),
                       "+f"(v[1][1][0]), "+f"(v[1][1][1]), "+f"(v[1][1][2]), "+f"(v[1][1][3]),
                       "+f"(v[1][2][0]), "+f"(v[1][2][1]), "+f"(v[1][2][2]), "+f"(v[1][2][3]),
                       "+f"(v[1][3][0]), "+f"(v[1][3][1]), "+f"(v[1][3][2]), "+f"(v[1][3][3])
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
    /* Keeps the making of operands on its side of the fence. */
    template <int PARTS> static __device__ __forceinline__ void settle(unsigned (&a)[PARTS][4])
    {
#pragma unroll
        for (int i = 0; i < PARTS; i++)
            asm volatile("" : "+r"(a[i][0]), "+r"(a[i][1]), "+r"(a[i][2]), "+r"(a[i][3])::"memory");
    }

    /* All products are done, and none of the sums was read before. */
    template <class C> static __device__ __forceinline__ void finish(ndft_coil_sum<C> &sum)
    {
        wait<0>();
#pragma unroll
        for (int i = 0; i < 32; i++)
            asm volatile("" : "+f"(sum.v[i / 16][i / 4 % 4][i % 4])::"memory");
    }

    /* sum += the products of a chunk, or = them. */
    template <class C>
    static __device__ __forceinline__ void over(const typename C::loop &loop,
                                                const unsigned char *stage, bool first,
                                                ndft_coil_sum<C> &sum)
    {
        const float *coords =
            (const float *)(stage + ndft_coil_chunk<C>::DATA) + threadIdx.x % 4 * 4;
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
            multiply(sum.v, c[0], plus, step > 0 || !first);
            multiply(sum.v, s[0], minus, 1);
            if constexpr (C::PARTS == 2) {
                multiply(sum.v, c[1], plus, 1);
                multiply(sum.v, s[1], minus, 1);
                multiply(sum.v, c[0], plus + (C::PART >> 4), 1);
                multiply(sum.v, s[0], minus + (C::PART >> 4), 1);
            }
            commit();
        }
    }
};

#endif
