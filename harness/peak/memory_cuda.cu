/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_cuda.cuh"

/*
 * Memory: 16 bytes a thread and instruction, neighbours beside each other, at offsets that the
 * instructions themselves hold. A volatile load is made even when nothing needs its value; those
 * from global memory, and reductions, pass the first cache by.
 */

namespace
{

constexpr int THREADS = 256, BLOCKS = 8, STEPS = 256;
constexpr int REGISTERS = 65536 / (BLOCKS * THREADS); /* as many blocks as threads allow stay */
constexpr size_t LINE = THREADS * sizeof(uint4), CHUNK = STEPS * LINE; /* of a block, of a round */
constexpr int PLACES = 4;

__device__ uint4 load_shared(unsigned address)
{
    uint4 value;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "r"(address));
    return value;
}

__device__ uint4 load_l2(const char *address)
{
    uint4 value;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(address));
    return value;
}

__device__ bool is_odd(uint4 value) { return (value.x ^ value.y ^ value.z ^ value.w) & 1; }

/* Four lines of a block's tile over and over. */
__global__ void __maxnreg__(REGISTERS) shared_read(const uint4 *in, int rounds, unsigned *out)
{
    __shared__ uint4 tile[4 * THREADS];
    for (int i = 0; i < 4; i++) tile[i * THREADS + threadIdx.x] = in[i * THREADS + threadIdx.x];
    __syncthreads();
    const unsigned own = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
    uint4 value = {};
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) value = load_shared(own + step % 4 * LINE);
    }
    if (is_odd(value)) out[threadIdx.x] = value.x;
}

/* size: a power of two. Blocks start two lines apart, so that no two read the same at a time. */
__global__ void __maxnreg__(REGISTERS)
    l2_read(const char *in, unsigned size, int rounds, unsigned *out)
{
    const char *own = in + threadIdx.x * sizeof(uint4);
    uint4 value = {};
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        const char *at = own + ((blockIdx.x * 2 * LINE + i * CHUNK) & (size - 1));
#pragma unroll
        for (int step = 0; step < STEPS; step++) value = load_l2(at + step * LINE);
    }
    if (is_odd(value)) out[threadIdx.x] = value.x;
}

/* Some lines are under way at a time, as many as registers hold; a block's chunks lie apart. */
__global__ void __launch_bounds__(THREADS, 4) dram_copy(const uint4 *in, uint4 *out, int chunks)
{
    constexpr int HELD = 8;
#pragma unroll 1
    for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const size_t at = chunk * (CHUNK / sizeof(uint4)) + threadIdx.x;
#pragma unroll
        for (int step = 0; step < STEPS; step += HELD) {
            uint4 held[HELD];
#pragma unroll
            for (int i = 0; i < HELD; i++) held[i] = in[at + (step + i) * THREADS];
#pragma unroll
            for (int i = 0; i < HELD; i++) out[at + (step + i) * THREADS] = held[i];
        }
    }
}

/* Every thread adds to four places of its own, a warp to 128 bytes in a row. */
__global__ void __maxnreg__(REGISTERS) reductions(float *out, int rounds)
{
    float *own = out + blockIdx.x * PLACES * THREADS + threadIdx.x;
    const float value = (float)threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) atomicAdd(own + step % PLACES * THREADS, value);
    }
}

/* The largest power of two that is at most a quarter of L2. */
unsigned l2_size(const ndft_device *device)
{
    unsigned size = CHUNK;
    while (2 * size <= device->l2_bytes / 4) size *= 2;
    return size;
}

unsigned dram_chunks(const ndft_device *device)
{
    return (unsigned)(10 * device->l2_bytes / CHUNK) + 1;
}

size_t shared_bytes(const ndft_device *) { return 5 * LINE; }
size_t l2_bytes(const ndft_device *device) { return l2_size(device) + CHUNK + LINE; }
size_t dram_bytes(const ndft_device *device) { return 2 * dram_chunks(device) * CHUNK; }
int blocks_of(const ndft_exec *exec) { return BLOCKS * exec->device.units; }

size_t places_bytes(const ndft_device *device)
{
    return (size_t)BLOCKS * device->units * PLACES * THREADS * sizeof(float);
}

ndft_status run_shared(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    unsigned *out = (unsigned *)((char *)memory + 4 * LINE);
    shared_read<<<blocks_of(exec), THREADS, 0, ndft_probe_stream(exec)>>>((const uint4 *)memory,
                                                                          rounds, out);
    *units = (double)blocks_of(exec) * CHUNK * rounds;
    return ndft_probe_launched(exec, "shared memory");
}

ndft_status run_l2(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    const unsigned size = l2_size(&exec->device);
    unsigned *out = (unsigned *)((char *)memory + size + CHUNK);
    l2_read<<<blocks_of(exec), THREADS, 0, ndft_probe_stream(exec)>>>((const char *)memory, size,
                                                                      rounds, out);
    *units = (double)blocks_of(exec) * CHUNK * rounds;
    return ndft_probe_launched(exec, "L2");
}

ndft_status run_dram(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    const int chunks = (int)dram_chunks(&exec->device);
    const size_t half = (size_t)chunks * CHUNK;
    const uint4 *in = (const uint4 *)memory;
    uint4 *out = (uint4 *)((char *)memory + half);
    for (int i = 0; i < rounds; i++)
        dram_copy<<<4 * exec->device.units, THREADS, 0, ndft_probe_stream(exec)>>>(in, out, chunks);
    *units = 2.0 * half * rounds;
    return ndft_probe_launched(exec, "DRAM");
}

ndft_status run_reductions(ndft_exec *exec, void *memory, int rounds, double *units, double *)
{
    reductions<<<blocks_of(exec), THREADS, 0, ndft_probe_stream(exec)>>>((float *)memory, rounds);
    *units = (double)blocks_of(exec) * STEPS * THREADS * rounds;
    return ndft_probe_launched(exec, "atomics");
}

} // namespace

const ndft_probe ndft_probes_memory[] = {
    {"shared_bytes", "bytes", "LDS.128, read without conflicts", nullptr, shared_bytes, run_shared},
    {"l2_bytes", "bytes", "LDG.128 past the first cache, from a quarter of L2", nullptr, l2_bytes,
     run_l2},
    {"dram_bytes", "bytes", "LDG.128 and STG.128: a copy, read and written", nullptr, dram_bytes,
     run_dram},
    {"atomic", "lane operations", "RED.ADD.F32, each lane its own addresses, in L2", nullptr,
     places_bytes, run_reductions},
    {},
};
