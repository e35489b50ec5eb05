/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_INSTRUMENTS_CUDA_CUH
#define NDFT_INSTRUMENTS_CUDA_CUH

#include "device/stream_cuda.cuh"
#include "instruments.h"

/* What the instruments of the CUDA backend share. */

namespace ndft_cuda
{

/* One multiprocessor's clock and the time, read together. */
struct stamp {
    unsigned long long cycles, ns;
};

/* Host memory between the host and the kernels that hold the device back or watch it. */
struct gate {
    unsigned long long open;    /* every ticket up to this one may pass */
    unsigned long long gave_up; /* the last ticket that waited too long */
    unsigned long long leap;    /* of the time, ns, as a watching kernel saw it */
};

struct cuda_instruments {
    char bus[32];
    bool nvml_tried; /* loading it takes longer than a small check */
    ndft_nvml *nvml;

    struct timer {
        cudaEvent_t start, stop, passed;
        struct stamp *stamps; /* host memory: units of them at the start, as many at the stop */
    } timers[NDFT_TIMERS];
    struct gate *gate;
    unsigned long long ticket; /* of the last hold */
    void *flushed;             /* device memory of twice the L2 cache; NULL until it is needed */
};

inline cuda_instruments *own(ndft_exec *exec)
{
    return static_cast<cuda_instruments *>(exec->instruments);
}

/* Makes them where nobody has: after it own() has all. */
ndft_status set_up(ndft_exec *);

ndft_status timer_open(ndft_exec *);
void timer_close(ndft_exec *);
ndft_status timer_start(ndft_exec *, int timer);
ndft_status timer_stop(ndft_exec *, int timer);
ndft_status timer_read(ndft_exec *, int timer, double *seconds, double *clock_mhz);
bool timer_passed(ndft_exec *, int timer);

ndft_status block_stream(ndft_exec *);
ndft_status release_stream(ndft_exec *);

ndft_status flush(ndft_exec *);
double away(ndft_exec *);

ndft_status capture(ndft_exec *, ndft_status (*queue)(void *context), void *context, void **graph);
ndft_status replay(ndft_exec *, void *graph);
void graph_free(ndft_exec *, void *graph);
ndft_status count_nodes(ndft_exec *, ndft_status (*queue)(void *context), void *context,
                        size_t *nodes);

void range_push(ndft_phase, const char *label, uint64_t payload);
void range_pop();
ndft_status profiler(ndft_exec *, bool on);

/* Nanoseconds of a clock that all multiprocessors share. */
__device__ inline unsigned long long global_ns()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

} // namespace ndft_cuda

#endif
