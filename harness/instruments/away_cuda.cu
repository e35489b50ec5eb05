/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

#include <cmath>

/*
 * Whether the device is ours alone: one thread that reads the time again and again. Programs share
 * a device by turns of some milliseconds, so that a thread of ours which runs for several of them
 * sees the time leap by a turn of another's, and times of work that is longer than a turn are of
 * both. (NVML names no programs outside of a container.)
 */

namespace ndft_cuda
{

static constexpr unsigned long long watched_ns = 8000000;

static __global__ void watch(unsigned long long *longest)
{
    const unsigned long long begun = global_ns();
    unsigned long long leap = 0;
    for (unsigned long long last = begun; last - begun < watched_ns;) {
        const unsigned long long now = global_ns();
        leap = max(leap, now - last);
        last = now;
    }
    *longest = leap;
}

double away(ndft_exec *exec)
{
    if (set_up(exec) != NDFT_OK) return NAN;
    unsigned long long *longest = &own(exec)->gate->leap;
    watch<<<1, 1, 0, stream_of(exec)>>>(longest);
    if (cudaGetLastError() != cudaSuccess || cudaStreamSynchronize(stream_of(exec)) != cudaSuccess)
        return NAN;
    return 1e-9 * (double)*longest;
}

} // namespace ndft_cuda
