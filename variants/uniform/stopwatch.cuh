/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_UNIFORM_STOPWATCH_CUH
#define NDFT_UNIFORM_STOPWATCH_CUH

#include "device.cuh"

enum { NDFT_STOPWATCH_RUNS = 3 };

/* Seconds that the device takes for what run() queues, the shortest of a few times after one that
 * is not counted. For plans that choose by measuring. */
template <class Run> ndft_status ndft_stopwatch(ndft_exec *exec, Run run, double *seconds)
{
    const cudaStream_t stream = ndft_stream(exec);
    cudaEvent_t begin = nullptr, end = nullptr;
    cudaError_t error = cudaEventCreate(&begin);
    if (error == cudaSuccess) error = cudaEventCreate(&end);
    ndft_status status = error == cudaSuccess ? run() : NDFT_OK;
    float least = INFINITY, ms = 0;
    for (int i = 0; i < NDFT_STOPWATCH_RUNS && status == NDFT_OK && error == cudaSuccess; i++) {
        error = cudaEventRecord(begin, stream);
        status = run();
        if (error == cudaSuccess) error = cudaEventRecord(end, stream);
        if (error == cudaSuccess) error = cudaEventSynchronize(end);
        if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, begin, end);
        least = ms < least ? ms : least;
    }
    if (begin) cudaEventDestroy(begin);
    if (end) cudaEventDestroy(end);
    *seconds = 1e-3 * (double)least;
    if (error == cudaSuccess) return status;
    return ndft_fail(exec->error, NDFT_EDEVICE, "timing candidates: %s", cudaGetErrorString(error));
}

#endif
