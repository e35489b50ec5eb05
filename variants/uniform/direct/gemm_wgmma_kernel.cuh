/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_GEMM_WGMMA_KERNEL_CUH
#define NDFT_GEMM_WGMMA_KERNEL_CUH

#include "core/mma.cuh"
#include "gemm_wgmma.cuh"

/*
 * Folded products (folded.h) of complex lines by wgmma, of compute capability 9.0a alone, three of
 * f16 for one of f32. Four warps have a tile of 32 lines. The lines are operand A, from registers:
 * rows g and g + 8 of a warp's 16 are the real and imaginary parts of its line g, so that a thread
 * folds what it multiplies and has whole outputs. The matrices are operand B, which all of a tile
 * share in shared memory. Inputs and outputs are numbered so that no two threads of a half warp
 * meet in a bank where a line's pitch is odd: a thread's are 4l to 4l + 3 of each 16. Numbers of a
 * step that are beyond the middle are mirror images, whose factors are zeros.
 * A tile that lies in one piece is copied in bulk either way.
 */

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

/* The matrices of a transform of that sign, a thread an entry. */
static __global__ void ndft_build_wgmma(int length, int sign, int steps, __half *matrix)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= ndft_wgmma_matrix(steps) / (int)sizeof(__half)) return;
    const auto entry = ndft_wgmma_entry::at(at, steps);
    const int j = entry.input, k = entry.output;
    double cosine = 0, sine = 0;
    if (2 * j <= length) sincospi(2 * (double)(j * k % length) / (double)length, &sine, &cosine);
    if (j == 0 || 2 * j == length) cosine *= 0.5;
    const double value = NDFT_WGMMA_TOP * (entry.sine ? sign * sine : cosine);
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

__device__ __forceinline__ unsigned ndft_shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

/* Bulk copies of a thread, and the barrier that tells of what has come. */
struct ndft_bulk_barrier {
    uint64_t state;

    __device__ __forceinline__ void begin()
    {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(ndft_shared_address(&state)));
    }
    __device__ __forceinline__ void expect(int bytes)
    {
        asm volatile(
            "mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(ndft_shared_address(&state)),
            "r"(bytes)
            : "memory");
    }
    __device__ __forceinline__ void copy(void *to, const void *from, int bytes)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(ndft_shared_address(to)),
                     "l"(from), "r"(bytes), "r"(ndft_shared_address(&state))
                     : "memory");
    }
    __device__ __forceinline__ void wait(int round) const
    {
        asm volatile("{\n.reg .pred done;\nagain:\n"
                     "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                     "@!done bra again;\n}\n" ::"r"(ndft_shared_address(&state)),
                     "r"(round & 1)
                     : "memory");
    }
};

__device__ __forceinline__ void ndft_bulk_store(void *to, const void *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(ndft_shared_address(from)), "r"(bytes)
                 : "memory");
}

/* Until what this thread stores in bulk has been read. */
__device__ __forceinline__ void ndft_bulk_stores_read()
{
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* A thread's part of its line: inputs 16 step + 4l + v, then outputs alike. */
template <int STEPS> struct ndft_wgmma_line {
    float even[2][4 * STEPS], odd[2][4 * STEPS]; /* real and imaginary parts, folded */

    /* Returns the largest of the line. */
    __device__ __forceinline__ float fold(const float *line, int length)
    {
        const int l = threadIdx.x % 4;
        const auto *x = (const float2 *)line + 4 * l,
                   *mirrored = (const float2 *)line + length - 4 * l;
        float most = 0;
#pragma unroll
        for (int i = 0; i < 4 * STEPS; i++) {
            const int j = i / 4 * 16 + i % 4;
            const float2 a = x[j], b = i == 0 && l == 0 ? a : mirrored[-j];
            even[0][i] = a.x + b.x, even[1][i] = a.y + b.y;
            odd[0][i] = a.x - b.x, odd[1][i] = a.y - b.y;
#pragma unroll
            for (int c = 0; c < 2; c++)
                most = ndft_larger(ndft_larger(most, fabsf(even[c][i])), fabsf(odd[c][i]));
        }
#pragma unroll
        for (int apart = 1; apart < 4; apart *= 2)
            most = ndft_larger(most, __shfl_xor_sync(~0u, most, apart));
        return most;
    }

    /* Operand A of a step in two parts. */
    static __device__ __forceinline__ void split(const float (&x)[2][4 * STEPS], int step,
                                                 float scale, unsigned (&a)[2][4])
    {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float *from = x[i % 2] + 4 * step + i / 2 * 2;
            ndft_split_f16(scale * from[0], scale * from[1], a[0][i], a[1][i]);
        }
#pragma unroll
        for (int p = 0; p < 2; p++)
            asm volatile("" : "+r"(a[p][0]), "+r"(a[p][1]), "+r"(a[p][2]), "+r"(a[p][3])::"memory");
    }

    /* e, o = the products, scaled. */
    __device__ __forceinline__ void multiply(const void *matrix, float scale, float (&e)[8 * STEPS],
                                             float (&o)[8 * STEPS]) const
    {
        constexpr int PART = 512 * STEPS >> 4; /* bytes of a part of a step, in descriptors */
        /* 128 bytes to the next core matrix along the inputs, 256 to the next outputs. */
        uint64_t b = (ndft_shared_address(matrix) & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 16 |
                     (uint64_t)(256 >> 4) << 32;
        unsigned x[2][2][4], y[2][2][4]; /* of two steps: products read them until they are done */
#pragma unroll
        for (int step = 0; step < STEPS; step++, b += 4 * PART) {
            auto &ex = x[step % 2], &oy = y[step % 2];
            if (step > 1) asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            split(even, step, scale, ex);
            split(odd, step, scale, oy);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            ndft_wgmma<STEPS>(e, ex[1], b, step > 0);
            ndft_wgmma<STEPS>(o, oy[1], b + 2 * PART, step > 0);
            ndft_wgmma<STEPS>(e, ex[0], b + PART, 1);
            ndft_wgmma<STEPS>(o, oy[0], b + 3 * PART, 1);
            ndft_wgmma<STEPS>(e, ex[0], b, 1);
            ndft_wgmma<STEPS>(o, oy[0], b + 2 * PART, 1);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        }
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
        for (int i = 0; i < 8 * STEPS; i++) asm volatile("" : "+f"(e[i]), "+f"(o[i])::"memory");
    }

    /* Outputs k and length - k from sums of real (r) and imaginary parts (r + 2). */
    static __device__ __forceinline__ void unfold(float *line, int length, float back,
                                                  const float (&e)[8 * STEPS],
                                                  const float (&o)[8 * STEPS])
    {
        const int l = threadIdx.x % 4;
        auto *y = (float2 *)line + 4 * l, *mirrored = (float2 *)line + length - 4 * l;
#pragma unroll
        for (int i = 0; i < 4 * STEPS; i++) {
            const int k = i / 4 * 16 + i % 4, r = i / 2 * 4 + i % 2;
            if (i >= 4 * (STEPS - 1) && 2 * (k + 4 * l) > length) continue;
            const float re = back * e[r], im = back * e[r + 2];
            y[k] = {fmaf(-back, o[r + 2], re), fmaf(back, o[r], im)};
            if (i > 0 || l > 0) mirrored[-k] = {fmaf(back, o[r + 2], re), fmaf(-back, o[r], im)};
        }
    }
};

/* A block for tiles blockIdx.x, + gridDim.x and so on; with two stages the next tile comes while
 * one is multiplied, with one there is no next. */
template <int STEPS>
__global__ void __launch_bounds__(NDFT_GEMM_THREADS, STEPS == 4 ? 3 : 4)
    ndft_multiply_wgmma(const __grid_constant__ ndft_gemm_lines g, int64_t tiles, int stages,
                        const float *in, float *out)
{
    using complex = ndft_complex<float>;
    extern __shared__ __align__(128) unsigned char wgmma_room[];
    __shared__ ndft_bulk_barrier full[2], ready;
    __shared__ int64_t places[4][NDFT_WGMMA_LINES];
    auto *const tile_room = (float *)(wgmma_room + ndft_wgmma_matrix(STEPS));
    const int thread = threadIdx.x, length = (int)g.pass.length;
    const int reals = NDFT_WGMMA_LINES * g.pitch;
    const int own_line = thread / 32 * 8 + thread % 32 / 4;
    ndft_line_tile<float> own = {tile_room, places[0], places[1], 0};
    ndft_line_tile<float> next = {tile_room + (stages - 1) * reals, places[2], places[3], 0};
    const auto fetch = [&](ndft_line_tile<float> &tile, int64_t number,
                           ndft_bulk_barrier &barrier) {
        if (!g.in.flat) {
            tile.fetch<complex>(g, in);
            __pipeline_commit();
        } else if (thread == 0) {
            const int bytes = tile.lines * length * (int)sizeof(complex), whole = bytes / 16 * 16;
            const auto *piece = (const unsigned char *)in +
                                number * NDFT_WGMMA_LINES * length * (int64_t)sizeof(complex);
            if (bytes > whole)
                *(float2 *)((unsigned char *)tile.reals + whole) = *(const float2 *)(piece + whole);
            barrier.expect(whole);
            barrier.copy(tile.reals, piece, whole);
        }
    };
    const auto find = [&](ndft_line_tile<float> &tile, int64_t number) {
        if (!g.in.flat || !g.out.flat)
            tile.find(g, number);
        else
            tile.lines =
                (int)max(min(g.pass.lines - number * NDFT_WGMMA_LINES, (int64_t)NDFT_WGMMA_LINES),
                         (int64_t)0);
    };
    if (thread == 0) {
        full[0].begin();
        full[1].begin();
        ready.begin();
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    ndft_wait_for_kernel_before();
    find(own, blockIdx.x);
    __syncthreads();
    fetch(own, blockIdx.x, full[0]);
    if (thread == 0) {
        ready.expect(ndft_wgmma_matrix(STEPS));
        ready.copy(wgmma_room, g.matrix, ndft_wgmma_matrix(STEPS));
    }
    ndft_wgmma_line<STEPS> line;
    for (int64_t tile = blockIdx.x, turn = 0; tile < tiles; tile += gridDim.x, turn++) {
        find(next, tile + gridDim.x);
        if (g.in.flat) {
            full[turn % stages].wait((int)(turn / stages));
        } else {
            __pipeline_wait_prior(0);
            __syncthreads();
        }
        float *at = own.reals + own_line * g.pitch;
        const float most = line.fold(at, length);
        if (next.lines > 0) {
            if (g.out.flat && thread == 0) ndft_bulk_stores_read();
            if (!g.in.flat) __syncthreads();
            fetch(next, tile + gridDim.x, full[(turn + 1) % stages]);
        } else {
            ndft_let_kernel_after_begin();
        }
        const float scale = ndft_f16_scale(most);
        float e[8 * STEPS], o[8 * STEPS];
        if (turn == 0) ready.wait(0);
        line.multiply(wgmma_room, scale, e, o);
        __syncwarp(); /* all lanes have read */
        line.unfold(at, length, 1 / scale / NDFT_WGMMA_TOP, e, o);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (!g.out.flat) {
            own.store<complex>(g, out);
            __syncthreads();
        } else if (thread == 0) {
            const int bytes = own.lines * length * (int)sizeof(complex), whole = bytes / 16 * 16;
            auto *piece =
                (unsigned char *)out + tile * NDFT_WGMMA_LINES * length * (int64_t)sizeof(complex);
            ndft_bulk_store(piece, own.reals, whole);
            if (bytes > whole)
                *(float2 *)(piece + whole) = *(const float2 *)((unsigned char *)own.reals + whole);
        }
        const ndft_line_tile<float> done = own;
        own = next;
        next = done;
    }
    if (thread == 0) ndft_bulk_stores_read();
}

#endif
