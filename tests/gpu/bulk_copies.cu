/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

/*
 * The least program that takes chunks by bulk copies as coil_stage.cuh does, for
 * compute-sanitizer's racecheck: "right" orders every read before its place is overwritten, by a
 * barrier that all warps arrive at, "racy" lets the place go before it is read. What racecheck says
 * of "right" tells what its word on these copies is worth: of a fixture form it reported errors
 * (CUDA 13.0, capability 9.0), of one with 4 warps and thread 0's state in registers none. Exit
 * status 0: the sums are right, 1: they are not (which racy may do), 77: no device of capability 9.
 */

namespace
{

enum { STAGES = 2, CHUNK = 1024, CHUNKS = 64, THREADS = 256 };

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void wait(const uint64_t &barrier, unsigned round)
{
    asm volatile("{\n.reg .pred done;\nagain:\n"
                 "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again;\n}\n" ::"r"(address(&barrier)),
                 "r"(round & 1)
                 : "memory");
}

struct pipe {
    float stage[STAGES][CHUNK];
    uint64_t full[STAGES], empty[STAGES];
    const float *data; /* of thread 0: the next chunk, how many are left, how many it asked for */
    int left;
    unsigned made;
};

__device__ void open(pipe &p, const float *from)
{
    if (threadIdx.x == 0) {
        p.data = from;
        p.left = CHUNKS;
        p.made = 0;
        for (int i = 0; i < STAGES; i++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address(&p.full[i])));
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(&p.empty[i])),
                         "r"(THREADS / 32));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
}

__device__ void copy(float *to, const float *from, unsigned bytes, const uint64_t &full)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(address(to)),
                 "l"(from), "r"(bytes), "r"(address(&full))
                 : "memory");
}

/* Thread 0: asks for the next chunk, in two parts, when all warps have left its place. */
__device__ void fetch(pipe &p)
{
    if (p.left == 0) return;
    const unsigned place = p.made % STAGES, round = p.made / STAGES;
    const int rest = CHUNK / 4, most = CHUNK - rest;
    if (round > 0) wait(p.empty[place], round - 1);
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(&p.full[place])),
                 "r"((unsigned)sizeof p.stage[0])
                 : "memory");
    copy(p.stage[place], p.data, sizeof(float) * most, p.full[place]);
    copy(p.stage[place] + most, p.data + most, sizeof(float) * rest, p.full[place]);
    p.data += CHUNK;
    p.left--;
    p.made++;
}

__device__ void release(pipe &p, int chunk)
{
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address(&p.empty[chunk % STAGES]))
                     : "memory");
}

/* Every warp sums every chunk. */
template <bool RIGHT> __global__ void add_chunks(const float *from, float *to)
{
    __shared__ __align__(128) pipe p;
    float sum = 0;
    open(p, from);
    if (threadIdx.x == 0) fetch(p);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        if (threadIdx.x == 0) fetch(p);
        __syncwarp();
        wait(p.full[chunk % STAGES], chunk / STAGES);
        if (!RIGHT) release(p, chunk);
        for (int i = threadIdx.x % 32; i < CHUNK; i += 32) sum += p.stage[chunk % STAGES][i];
        if (RIGHT) release(p, chunk);
    }
    to[threadIdx.x] = sum;
}

int say(cudaError_t error)
{
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 2;
}

int run(bool right)
{
    static float ones[CHUNKS * CHUNK];
    float *from = nullptr, *to = nullptr, sums[THREADS];
    for (float &one : ones) one = 1;
    cudaError_t error = cudaMalloc(&from, sizeof ones);
    if (error == cudaSuccess) error = cudaMalloc(&to, sizeof sums);
    if (error == cudaSuccess) error = cudaMemcpy(from, ones, sizeof ones, cudaMemcpyDefault);
    if (error != cudaSuccess) return say(error);
    if (right)
        add_chunks<true><<<1, THREADS>>>(from, to);
    else
        add_chunks<false><<<1, THREADS>>>(from, to);
    error = cudaMemcpy(sums, to, sizeof sums, cudaMemcpyDefault);
    if (error != cudaSuccess) return say(error);
    bool all = true;
    for (int i = 0; i < THREADS; i++) all = all && sums[i] == CHUNKS * CHUNK / 32;
    return all ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    const bool right = argc == 2 && !strcmp(argv[1], "right");
    cudaDeviceProp device;
    if (!right && (argc != 2 || strcmp(argv[1], "racy") != 0)) {
        fprintf(stderr, "usage: ndft-bulk-copies right|racy\n");
        return 2;
    }
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.major != 9) return 77;
    return run(right);
}
