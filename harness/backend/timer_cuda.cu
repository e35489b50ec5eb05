/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_cuda.cuh"

#include <cmath>
#include <cstring>

/*
 * The timer: two events on the stream. Outside of them, right before the first and right after the
 * second, a small kernel reads the cycle counter of the multiprocessors that it reaches, and the
 * time, so that the mean clock over the timed work comes from the clock itself. (NVML gives the
 * clock of one moment, and asking takes longer than most samples.)
 */

namespace ndft_cuda
{

/* Below, the nanosecond timer's step of up to 1 us would show. */
static constexpr unsigned long long shortest_ns = 20000;

static __global__ void read_clocks(stamp *stamps, unsigned units)
{
    unsigned unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    if (unit < units) stamps[unit] = {(unsigned long long)clock64(), global_ns()};
}

static ndft_status queue_stamps(ndft_exec *exec, stamp *stamps)
{
    unsigned units = (unsigned)exec->device.units;
    read_clocks<<<units, 1, 0, stream_of(exec)>>>(stamps, units);
    return check(exec, cudaGetLastError(), "kernel launch");
}

ndft_status timer_open(cuda_exec *exec)
{
    ndft_exec *base = &exec->base;
    size_t bytes = 2 * (size_t)base->device.units * sizeof(stamp);
    NDFT_TRY(check(base, cudaEventCreate(&exec->start), "cudaEventCreate"));
    NDFT_TRY(check(base, cudaEventCreate(&exec->stop), "cudaEventCreate"));
    NDFT_TRY(check(base, cudaMallocHost(&exec->stamps, bytes), "cudaMallocHost"));
    NDFT_TRY(check(base, cudaMallocHost(&exec->gate, sizeof *exec->gate), "cudaMallocHost"));
    *exec->gate = {};
    return NDFT_OK;
}

void timer_close(cuda_exec *exec)
{
    if (exec->start) (void)cudaEventDestroy(exec->start);
    if (exec->stop) (void)cudaEventDestroy(exec->stop);
    if (exec->stamps) (void)cudaFreeHost(exec->stamps);
    if (exec->gate) (void)cudaFreeHost(exec->gate);
}

ndft_status timer_start(ndft_exec *exec)
{
    stamp *stamps = own(exec)->stamps;
    memset(stamps, 0, 2 * (size_t)exec->device.units * sizeof *stamps);
    NDFT_TRY(queue_stamps(exec, stamps));
    return check(exec, cudaEventRecord(own(exec)->start, stream_of(exec)), "cudaEventRecord");
}

ndft_status timer_stop(ndft_exec *exec)
{
    NDFT_TRY(check(exec, cudaEventRecord(own(exec)->stop, stream_of(exec)), "cudaEventRecord"));
    return queue_stamps(exec, own(exec)->stamps + exec->device.units);
}

/* Of the first multiprocessor that both kernels reached. */
static double mean_clock(const stamp *start, const stamp *stop, int units)
{
    for (int i = 0; i < units; i++) {
        if (!start[i].ns || stop[i].ns < start[i].ns + shortest_ns) continue;
        return 1e3 * (double)(stop[i].cycles - start[i].cycles) /
               (double)(stop[i].ns - start[i].ns);
    }
    return NAN;
}

ndft_status timer_read(ndft_exec *exec, double *seconds, double *clock_mhz)
{
    float ms = 0;
    NDFT_TRY(check(exec, cudaStreamSynchronize(stream_of(exec)), "cudaStreamSynchronize"));
    NDFT_TRY(check(exec, cudaEventElapsedTime(&ms, own(exec)->start, own(exec)->stop),
                   "cudaEventElapsedTime"));
    *seconds = 1e-3 * ms;
    *clock_mhz =
        mean_clock(own(exec)->stamps, own(exec)->stamps + exec->device.units, exec->device.units);
    return NDFT_OK;
}

} // namespace ndft_cuda
