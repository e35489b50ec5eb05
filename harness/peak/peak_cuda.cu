/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments/instruments_cuda.cuh"
#include "probe_cuda.cuh"

#include <cstdint>

/* The probes of a CUDA device, and the one that does nothing: launches back to back. */

namespace
{

/* The finaliser of MurmurHash3 (A. Appleby) as the mantissa. */
__global__ void draw(float *memory, size_t count)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        uint32_t h = (uint32_t)i + 1;
        h = (h ^ h >> 16) * 0x85ebca6b;
        h = (h ^ h >> 13) * 0xc2b2ae35;
        memory[i] = __uint_as_float(0x3f800000 | (h ^ h >> 16) >> 9);
    }
}

ndft_status prepare(ndft_exec *exec, void *memory, size_t bytes)
{
    draw<<<ndft_probe_blocks(&exec->device), NDFT_PROBE_THREADS, 0, ndft_probe_stream(exec)>>>(
        (float *)memory, bytes / sizeof(float));
    return ndft_probe_launched(exec, "nothing yet");
}

__global__ void nothing() {}

size_t no_bytes(const ndft_device *) { return sizeof(float); }

enum { CHAIN = 256 };

ndft_status queue_chain(void *stream)
{
    for (int i = 0; i < CHAIN; i++) nothing<<<1, 32, 0, (cudaStream_t)stream>>>();
    return NDFT_OK;
}

ndft_status time_replays(ndft_exec *exec, void *chain, int rounds, double *seconds)
{
    double clock_mhz;
    NDFT_TRY(ndft_cuda::timer_start(exec, 1));
    for (int i = 0; i < rounds; i++) NDFT_TRY(ndft_cuda::replay(exec, chain));
    NDFT_TRY(ndft_cuda::timer_stop(exec, 1));
    return ndft_cuda::timer_read(exec, 1, seconds, &clock_mhz);
}

/* What the device can do: a graph leaves the host, which may be slower, out of it. */
ndft_status run_launches(ndft_exec *exec, void *, int rounds, double *units, double *seconds)
{
    void *chain = nullptr;
    ndft_status status = ndft_cuda::capture(exec, queue_chain, exec->stream, &chain);
    if (status == NDFT_OK) status = time_replays(exec, chain, rounds, seconds);
    ndft_cuda::graph_free(exec, chain);
    *units = (double)rounds * (double)CHAIN;
    return status;
}

const ndft_probe launches[] = {
    {"launch", "launches", "a kernel that does nothing, 256 in a graph", nullptr, no_bytes,
     run_launches},
    {},
};

const ndft_probe *const lists[] = {ndft_probes_arithmetic, ndft_probes_memory, ndft_probes_mma,
                                   ndft_probes_sm90,       launches,           nullptr};

} // namespace

const ndft_probes ndft_probes_cuda = {
    .backend = "cuda",
    .lists = lists,
    .warm_s = 0.1,
    .sample_s = 0.02,
    .samples = 15,
    .faster = 0.25,
    .agree = 0.02,
    .prepare = prepare,
};
