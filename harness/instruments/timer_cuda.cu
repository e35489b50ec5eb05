/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

#include <cmath>
#include <cstring>

/*
 * The timers: two events on the stream each. Outside of them, right before the first and right
 * after the second, a small kernel reads the cycle counter of the multiprocessors that it reaches,
 * and the time, so that the mean clock over the timed work comes from the clock itself. (NVML gives
 * the clock of one moment, and asking takes longer than most samples.)
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

static ndft_status open_one(ndft_exec *exec, cuda_instruments::timer *t)
{
    const size_t bytes = 2 * (size_t)exec->device.units * sizeof(stamp);
    NDFT_TRY(check(exec, cudaEventCreate(&t->start), "cudaEventCreate"));
    NDFT_TRY(check(exec, cudaEventCreate(&t->stop), "cudaEventCreate"));
    NDFT_TRY(check(exec, cudaEventCreateWithFlags(&t->passed, cudaEventDisableTiming),
                   "cudaEventCreateWithFlags"));
    return check(exec, cudaMallocHost(&t->stamps, bytes), "cudaMallocHost");
}

ndft_status timer_open(ndft_exec *exec)
{
    cuda_instruments *i = own(exec);
    for (cuda_instruments::timer &t : i->timers) NDFT_TRY(open_one(exec, &t));
    NDFT_TRY(check(exec, cudaMallocHost(&i->gate, sizeof *i->gate), "cudaMallocHost"));
    *i->gate = {};
    return NDFT_OK;
}

void timer_close(ndft_exec *exec)
{
    const cuda_instruments *i = own(exec);
    for (const cuda_instruments::timer &t : i->timers) {
        for (cudaEvent_t event : {t.start, t.stop, t.passed})
            if (event) (void)cudaEventDestroy(event);
        if (t.stamps) (void)cudaFreeHost(t.stamps);
    }
    if (i->gate) (void)cudaFreeHost(i->gate);
}

ndft_status timer_start(ndft_exec *exec, int timer)
{
    NDFT_TRY(set_up(exec));
    const cuda_instruments::timer *t = &own(exec)->timers[timer];
    memset(t->stamps, 0, 2 * (size_t)exec->device.units * sizeof *t->stamps);
    NDFT_TRY(queue_stamps(exec, t->stamps));
    return check(exec, cudaEventRecord(t->start, stream_of(exec)), "cudaEventRecord");
}

ndft_status timer_stop(ndft_exec *exec, int timer)
{
    const cuda_instruments::timer *t = &own(exec)->timers[timer];
    NDFT_TRY(check(exec, cudaEventRecord(t->stop, stream_of(exec)), "cudaEventRecord"));
    NDFT_TRY(queue_stamps(exec, t->stamps + exec->device.units));
    return check(exec, cudaEventRecord(t->passed, stream_of(exec)), "cudaEventRecord");
}

bool timer_passed(ndft_exec *exec, int timer)
{
    if (cudaEventQuery(own(exec)->timers[timer].passed) != cudaErrorNotReady) return true;
    (void)cudaGetLastError(); /* that it is not ready is no error */
    return false;
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

ndft_status timer_read(ndft_exec *exec, int timer, double *seconds, double *clock_mhz)
{
    const cuda_instruments::timer *t = &own(exec)->timers[timer];
    const int units = exec->device.units;
    float ms = 0;
    NDFT_TRY(check(exec, cudaEventSynchronize(t->passed), "cudaEventSynchronize"));
    NDFT_TRY(check(exec, cudaEventElapsedTime(&ms, t->start, t->stop), "cudaEventElapsedTime"));
    *seconds = 1e-3 * ms;
    *clock_mhz = mean_clock(t->stamps, t->stamps + units, units);
    return NDFT_OK;
}

} // namespace ndft_cuda
