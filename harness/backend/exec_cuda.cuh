/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_EXEC_CUDA_CUH
#define NDFT_EXEC_CUDA_CUH

#include "backend.h"
#include "guard.h"

#include <cuda_runtime.h>

/* What the files of the CUDA backend share. */

namespace ndft_cuda
{

/* One multiprocessor's clock and the time, read together. */
struct stamp {
    unsigned long long cycles, ns;
};

/* Host memory between the host and the kernel that holds the device back. */
struct gate {
    unsigned long long open;    /* every ticket up to this one may pass */
    unsigned long long gave_up; /* the last ticket that waited too long */
};

struct cuda_exec {
    ndft_exec base; /* first, so that an ndft_exec points at it */
    ndft_pool pool;
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

inline cuda_exec *own(ndft_exec *exec) { return reinterpret_cast<cuda_exec *>(exec); }

inline cudaStream_t stream_of(const ndft_exec *exec)
{
    return static_cast<cudaStream_t>(exec->stream);
}

/* Turns a failed call into a message; clears the error where CUDA lets it be cleared. */
ndft_status check(ndft_exec *, cudaError_t, const char *call);

ndft_status timer_open(cuda_exec *);
void timer_close(cuda_exec *);
ndft_status timer_start(ndft_exec *, int timer);
ndft_status timer_stop(ndft_exec *, int timer);
ndft_status timer_read(ndft_exec *, int timer, double *seconds, double *clock_mhz);
bool timer_passed(ndft_exec *, int timer);

ndft_status hold(ndft_exec *);
ndft_status let_go(ndft_exec *);

ndft_status flush(ndft_exec *);

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
