/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_cuda.cuh"

#include <cstdint>
#include <cuda_fp16.h>

/*
 * Tensor cores of compute capability 9.0, whose instructions no other has: wgmma multiplies tiles
 * that lie in shared memory, four warps together; products in double have larger shapes.
 */

namespace
{

constexpr int THREADS = 256, BLOCKS = 2;
constexpr int GROUPS = THREADS / 128, SUM = 64, STEPS = 128; /* warpgroups; sums of a thread */
constexpr size_t TILE_A = 64 * 32, TILE_B = 128 * 32, TILES = TILE_A + TILE_B;

/* Word i of a thread's operands: a value of [-1/2, 1/2). */
__device__ float operand(const float *in, int i) { return in[threadIdx.x + 3 * i] - 1.5f; }

/*
 * A tile of rows of 32 bytes in shared memory, as the PTX ISA describes it (wgmma, matrix
 * descriptor): not swizzled, blocks of 8 rows by 16 bytes, 128 bytes to the next along a row and
 * 256 down.
 */
__device__ uint64_t descriptor(const void *tile)
{
    const uint64_t address = __cvta_generic_to_shared(tile);
    return (address & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 16 | (uint64_t)(256 >> 4) << 32;
}

/* The sums of a thread as inline assembly names and finds them: it knows no loops. */
#define SUM_NAMES                                                                                  \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                      \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
#define SUMS_8(d, i)                                                                               \
    "+f"((d)[i]), "+f"((d)[i + 1]), "+f"((d)[i + 2]), "+f"((d)[i + 3]), "+f"((d)[i + 4]),          \
        "+f"((d)[i + 5]), "+f"((d)[i + 6]), "+f"((d)[i + 7])
#define SUMS(d)                                                                                    \
    SUMS_8(d, 0), SUMS_8(d, 8), SUMS_8(d, 16), SUMS_8(d, 24), SUMS_8(d, 32), SUMS_8(d, 40),        \
        SUMS_8(d, 48), SUMS_8(d, 56)

struct half_product {
    static constexpr int MACS = 64 * 128 * 16;

    static __device__ unsigned word(const float *in, int i)
    {
        const half2 pair = __floats2half2_rn(operand(in, 2 * i), operand(in, 2 * i + 1));
        return *reinterpret_cast<const unsigned *>(&pair);
    }

    static __device__ void multiply(float (&d)[SUM], uint64_t a, uint64_t b)
    {
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " SUM_NAMES
                     "%64, %65, 1, 1, 1, 0, 0;"
                     : SUMS(d)
                     : "l"(a), "l"(b));
    }
};

struct tf32_product {
    static constexpr int MACS = 64 * 128 * 8;

    static __device__ unsigned word(const float *in, int i)
    {
        return __float_as_uint(operand(in, i));
    }

    static __device__ void multiply(float (&d)[SUM], uint64_t a, uint64_t b)
    {
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 " SUM_NAMES
                     "%64, %65, 1, 1, 1;"
                     : SUMS(d)
                     : "l"(a), "l"(b));
    }
};

/* The warpgroups of a block share their operands: descriptors that differ between warps would have
 * to be made uniform over and over. */
template <class Product>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    group_products(const float *in, int rounds, float *out)
{
    __shared__ alignas(128) unsigned tile[TILES / sizeof(unsigned)];
    for (int i = 0; i < (int)(TILES / sizeof tile[0] / THREADS); i++)
        tile[i * THREADS + threadIdx.x] = Product::word(in, i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const char *const tiles = (const char *)tile;
    const uint64_t a = descriptor(tiles);
    const uint64_t b = descriptor(tiles + TILE_A);
    float sum[SUM] = {};
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEPS; step++) Product::multiply(sum, a, b);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
    float total = 0;
#pragma unroll
    for (int i = 0; i < SUM; i++) total += sum[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

__device__ void multiply_f64(double d[4], const double a[8], const double b[4])
{
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, "
        "{%0, %1, %2, %3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
          "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

constexpr int SUMS_F64 = 4, STEPS_F64 = 32;

__global__ void __launch_bounds__(THREADS, BLOCKS)
    products_f64(const float *in, int rounds, float *out)
{
    double a[8], b[2][4], sum[SUMS_F64][4] = {};
#pragma unroll
    for (int i = 0; i < 8; i++) a[i] = (double)operand(in, i) * operand(in, i + 8);
#pragma unroll
    for (int i = 0; i < 8; i++) b[i / 4][i % 4] = (double)operand(in, i + 16) * operand(in, i + 24);
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int step = 0; step < STEPS_F64; step++)
#pragma unroll
            for (int i = 0; i < SUMS_F64; i++) multiply_f64(sum[i], a, b[i % 2]);
    }
    double total = 0;
#pragma unroll
    for (int i = 0; i < 4 * SUMS_F64; i++) total += sum[i / 4][i % 4];
    out[blockIdx.x * blockDim.x + threadIdx.x] = (float)total;
}

constexpr size_t IN_BYTES = 4096;

int blocks_of(const ndft_exec *exec) { return BLOCKS * exec->device.units; }

size_t bytes(const ndft_device *device)
{
    return IN_BYTES + (size_t)BLOCKS * device->units * THREADS * sizeof(float);
}

template <void (*KERNEL)(const float *, int, float *), int MACS>
ndft_status run(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    KERNEL<<<blocks_of(exec), THREADS, 0, ndft_probe_stream(exec)>>>(
        (const float *)memory, rounds, (float *)((char *)memory + IN_BYTES));
    *units = (double)blocks_of(exec) * MACS * rounds;
    return ndft_probe_launched(exec, "tensor cores");
}

const char *unsupported(const ndft_device *device)
{
    return device->code == 90 ? nullptr : "needs code built for compute capability 9.0";
}

template <class Product> constexpr int GROUP_MACS = GROUPS *STEPS *Product::MACS;
constexpr int MACS_F64 = THREADS / 32 * STEPS_F64 * SUMS_F64 * 16 * 8 * 16;

} // namespace

const ndft_probe ndft_probes_sm90[] = {
    {"tensor_f16_wgmma", "multiply-adds", "wgmma m64n128k16 from shared memory, f16 added in f32",
     unsupported, bytes, run<group_products<half_product>, GROUP_MACS<half_product>>},
    {"tensor_tf32_wgmma", "multiply-adds", "wgmma m64n128k8 from shared memory, tf32 added in f32",
     unsupported, bytes, run<group_products<tf32_product>, GROUP_MACS<tf32_product>>},
    {"tensor_f64_mma", "multiply-adds", "mma.sync m16n8k16, f64", unsupported, bytes,
     run<products_f64, MACS_F64>},
    {},
};
