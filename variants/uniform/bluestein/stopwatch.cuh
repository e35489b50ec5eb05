/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_STOPWATCH_CUH
#define NDFT_UNIFORM_STOPWATCH_CUH

#include "core/device.cuh"

#include <chrono>

enum { NDFT_STOPWATCH_RUNS = 3, NDFT_STOPWATCH_PAUSE_NS = 1000000 };

/* Lasts as long by the device's clock. */
static __global__ void ndft_pause(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

/* Seconds that the device takes for what run() queues, the shortest of a few times after one that
 * is not counted. For plans that choose by measuring. A launch takes the host longer than some
 * kernels take: the device pauses twice as long as it took to queue the last run. */
template <class Run> ndft_status ndft_stopwatch(ndft_exec *exec, Run run, double *seconds)
{
    using clock = std::chrono::steady_clock;
    const cudaStream_t stream = ndft_stream(exec);
    cudaEvent_t begin = nullptr, end = nullptr;
    cudaError_t error = cudaEventCreate(&begin);
    if (error == cudaSuccess) error = cudaEventCreate(&end);
    ndft_status status = NDFT_OK;
    std::chrono::nanoseconds queueing{0};
    float least = INFINITY, ms = 0;
    for (int i = 0; i <= NDFT_STOPWATCH_RUNS && status == NDFT_OK && error == cudaSuccess; i++) {
        const int64_t pause = min(2 * (int64_t)queueing.count(), (int64_t)NDFT_STOPWATCH_PAUSE_NS);
        ndft_pause<<<1, 1, 0, stream>>>((unsigned long long)pause);
        error = cudaEventRecord(begin, stream);
        const clock::time_point start = clock::now();
        status = run();
        queueing = clock::now() - start;
        if (error == cudaSuccess) error = cudaEventRecord(end, stream);
        if (error == cudaSuccess) error = cudaEventSynchronize(end);
        if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, begin, end);
        if (i > 0) least = min(ms, least);
    }
    if (begin) (void)cudaEventDestroy(begin);
    if (end) (void)cudaEventDestroy(end);
    *seconds = 1e-3 * (double)least;
    return error == cudaSuccess ? status : ndft_checked(exec, error, "timing candidates");
}

#endif
