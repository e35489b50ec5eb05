/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include <cmath>

/*
 * What nvbench measures, written anew from its documentation. Cold: the L2 cache is overwritten,
 * the device waits at a blocking kernel until the start event, one launch and the stop event are
 * queued; the mean over half a second of launches, ten at least. Batch: so many launches that they
 * take half a second, between one pair of events, behind a blocking kernel that opens when the
 * driver's queue might be full.
 */

namespace
{

enum { LEAST = 10, QUEUE = 256 };
constexpr double least_s = 0.5;

__global__ void wait_until(const volatile int *open)
{
    while (!*open) {
    }
}

struct bench {
    const job *work;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    int *open; /* host memory */
    void *cache;
    int cache_bytes;
};

cudaError_t begin(bench *b)
{
    cudaError_t status = cudaDeviceGetAttribute(&b->cache_bytes, cudaDevAttrL2CacheSize, 0);
    if (status == cudaSuccess)
        status = cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking);
    if (status == cudaSuccess) status = cudaEventCreate(&b->start);
    if (status == cudaSuccess) status = cudaEventCreate(&b->stop);
    if (status == cudaSuccess) status = cudaMallocHost(&b->open, sizeof *b->open);
    if (status == cudaSuccess) status = cudaMalloc(&b->cache, (size_t)b->cache_bytes);
    return status;
}

void end(const bench *b)
{
    (void)cudaFree(b->cache);
    (void)cudaFreeHost(b->open);
    (void)cudaEventDestroy(b->start);
    (void)cudaEventDestroy(b->stop);
    (void)cudaStreamDestroy(b->stream);
}

/* Seconds of n launches together. */
double take(const bench *b, int n)
{
    volatile int *open = b->open;
    float ms = NAN;
    *open = 0;
    wait_until<<<1, 1, 0, b->stream>>>(b->open);
    const cudaError_t started = cudaEventRecord(b->start, b->stream);
    for (int i = 0; i < n; i++) {
        b->work->launch(b->work, b->stream);
        if (i == QUEUE) *open = 1;
    }
    const cudaError_t stopped = cudaEventRecord(b->stop, b->stream);
    *open = 1;
    const cudaError_t ended = cudaStreamSynchronize(b->stream);
    if (started != cudaSuccess || stopped != cudaSuccess || ended != cudaSuccess ||
        cudaEventElapsedTime(&ms, b->start, b->stop) != cudaSuccess)
        return NAN;
    return 1e-3 * ms;
}

double cold(const bench *b)
{
    double sum = 0;
    int n = 0;
    while (n < LEAST || sum < least_s) {
        if (cudaMemsetAsync(b->cache, 0, (size_t)b->cache_bytes, b->stream) != cudaSuccess)
            return NAN;
        if (cudaStreamSynchronize(b->stream) != cudaSuccess) return NAN;
        const double one = take(b, 1);
        if (std::isnan(one)) return NAN;
        sum += one;
        n++;
    }
    return sum / n;
}

double batch(const bench *b)
{
    const int n = (int)fmax(LEAST, ceil(least_s / cold(b)));
    return take(b, n) / n;
}

double with(const job *work, double (*how)(const bench *))
{
    bench b = {};
    b.work = work;
    double seconds = NAN;
    if (begin(&b) == cudaSuccess) {
        b.work->launch(b.work, b.stream); /* loads it */
        if (cudaStreamSynchronize(b.stream) == cudaSuccess) seconds = how(&b);
    }
    end(&b);
    return seconds;
}

} // namespace

double nvbench_cold(const job *work) { return with(work, cold); }

double nvbench_batch(const job *work) { return with(work, batch); }
