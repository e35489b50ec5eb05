/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_cuda.cuh"

#include <cuda_fp16.h>

/*
 * Tensor cores through mma.sync: a warp multiplies fragments that it holds in registers and adds to
 * eight of them in turn, so that none waits for its own last product.
 */

namespace
{

constexpr int WARPS = 8, SUMS = 8, STEPS = 16, BLOCKS = 2;

/* Word i of a thread's operands: a value of [-1/2, 1/2). */
__device__ float operand(const float *in, int i) { return in[threadIdx.x + 3 * i] - 1.5f; }

__device__ unsigned half_pair(const float *in, int i)
{
    const half2 pair = __floats2half2_rn(operand(in, 2 * i), operand(in, 2 * i + 1));
    return *reinterpret_cast<const unsigned *>(&pair);
}

struct half_product {
    static constexpr int MACS = 16 * 8 * 16;

    static __device__ unsigned fragment(const float *in, int i) { return half_pair(in, i); }

    static __device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2])
    {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

struct tf32_product {
    static constexpr int MACS = 16 * 8 * 8;

    static __device__ unsigned fragment(const float *in, int i)
    {
        return __float_as_uint(operand(in, i));
    }

    static __device__ void multiply(float d[4], const unsigned a[4], const unsigned b[2])
    {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};

template <class Product>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    products(const float *in, int rounds, float *out)
{
    unsigned a[4][4], b[2][2];
    float sum[SUMS][4] = {};
#pragma unroll
    for (int i = 0; i < 16; i++) a[i / 4][i % 4] = Product::fragment(in, i);
#pragma unroll
    for (int i = 0; i < 4; i++) b[i / 2][i % 2] = Product::fragment(in, 16 + i);
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++)
#pragma unroll
            for (int i = 0; i < SUMS; i++) Product::multiply(sum[i], a[i % 4], b[i / 4]);
    }
    float total = 0;
#pragma unroll
    for (int i = 0; i < 4 * SUMS; i++) total += sum[i / 4][i % 4];
    out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

constexpr size_t IN_BYTES = 4096;

int blocks_of(const ndft_device *device) { return BLOCKS * device->units; }

size_t bytes(const ndft_device *device)
{
    return IN_BYTES + (size_t)blocks_of(device) * 32 * WARPS * sizeof(float);
}

template <class Product>
ndft_status run(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    const int blocks = blocks_of(&exec->device);
    products<Product><<<blocks, 32 * WARPS, 0, ndft_probe_stream(exec)>>>(
        (const float *)memory, rounds, (float *)((char *)memory + IN_BYTES));
    *units = (double)blocks * WARPS * STEPS * SUMS * Product::MACS * rounds;
    return ndft_probe_launched(exec, "tensor cores");
}

const char *unsupported(const ndft_device *device)
{
    return device->capability < 80 ? "needs compute capability 8.0" : nullptr;
}

} // namespace

const ndft_probe ndft_probes_mma[] = {
    {"tensor_f16_mma", "multiply-adds", "mma.sync m16n8k16, f16 added in f32", unsupported, bytes,
     run<half_product>},
    {"tensor_tf32_mma", "multiply-adds", "mma.sync m16n8k8, tf32 added in f32", unsupported, bytes,
     run<tf32_product>},
    {},
};
