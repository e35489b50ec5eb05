/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "device_cpu.h"
#include "guard.h"
#include "memory.h"
#include "pin.h"
#include "rapl.h"
#include "seconds.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* The processor as a device: device memory is host memory, the timer a steady clock. */

typedef struct cpu_exec {
    ndft_exec base; /* first, so that an ndft_exec points at it */
    ndft_pool pool;
    double start[NDFT_TIMERS], stop[NDFT_TIMERS];
    ndft_pins pins;
    char *flushed; /* twice the last cache; NULL until it is needed */
    char sink;     /* so that reading it is not in vain */
} cpu_exec;

static const char *missing(void)
{
    return __builtin_cpu_supports("sse4.2") ? NULL : "the processor lacks x86-64-v2";
}

static size_t free_bytes(ndft_exec *exec)
{
    (void)exec;
    return ndft_memory_available();
}

/* What is small next to the machine is granted unasked. */
static ndft_status raw_alloc(ndft_exec *exec, size_t bytes, void **memory)
{
    if (bytes > exec->device.memory_bytes / 1024 && bytes > free_bytes(exec)) return NDFT_ENOMEM;
    return posix_memalign(memory, 256, bytes) ? NDFT_ENOMEM : NDFT_OK;
}

static void raw_free(ndft_exec *exec, void *memory)
{
    (void)exec;
    free(memory);
}

static ndft_status copy(ndft_exec *exec, void *to, const void *from, size_t bytes)
{
    (void)exec;
    memcpy(to, from, bytes);
    return NDFT_OK;
}

static ndft_status fill(ndft_exec *exec, void *device, int byte, size_t bytes)
{
    (void)exec;
    memset(device, byte, bytes);
    return NDFT_OK;
}

static ndft_status alloc(ndft_exec *exec, const char *what, size_t bytes, void **memory)
{
    return ndft_pool_alloc(&((cpu_exec *)exec)->pool, exec, what, bytes, memory);
}

static void release(ndft_exec *exec, void *memory)
{
    ndft_pool_release(&((cpu_exec *)exec)->pool, exec, memory);
}

static ndft_status open_cpu(int index, ndft_exec **out, ndft_error *err)
{
    *out = NULL;
    if (index != 0)
        return ndft_fail(err, NDFT_EINVAL, "no cpu device %d; the only one is 0", index);
    if (missing()) return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
    cpu_exec *exec = calloc(1, sizeof *exec);
    if (!exec) return ndft_fail(err, NDFT_ENOMEM, "no memory for an execution context");
    int threads = omp_get_max_threads();
    exec->base = (ndft_exec){.device = ndft_device_cpu(threads),
                             .threads = threads,
                             .error = err,
                             .alloc = alloc,
                             .release = release,
                             .upload = copy,
                             .free_bytes = free_bytes};
    exec->base.room_bytes = exec->base.device.memory_bytes;
    exec->pool =
        (ndft_pool){.raw_alloc = raw_alloc, .raw_free = raw_free, .fill = fill, .get = copy};
    *out = &exec->base;
    return NDFT_OK;
}

static void close_cpu(ndft_exec *exec)
{
    if (!exec) return;
    ndft_pool_clear(&((cpu_exec *)exec)->pool, exec);
    free(((cpu_exec *)exec)->flushed);
    ndft_pins_free(&((cpu_exec *)exec)->pins);
    free(exec);
}

/* Whatever is called has finished on return. */
static ndft_status nothing(ndft_exec *exec)
{
    (void)exec;
    return NDFT_OK;
}

static ndft_status guards(ndft_exec *exec)
{
    return ndft_pool_check(&((cpu_exec *)exec)->pool, exec);
}

static ndft_status timer_start(ndft_exec *exec, int timer)
{
    ((cpu_exec *)exec)->start[timer] = ndft_seconds();
    return NDFT_OK;
}

static ndft_status timer_stop(ndft_exec *exec, int timer)
{
    ((cpu_exec *)exec)->stop[timer] = ndft_seconds();
    return NDFT_OK;
}

static ndft_status timer_read(ndft_exec *exec, int timer, double *seconds, double *clock)
{
    const cpu_exec *own = (const cpu_exec *)exec;
    *seconds = own->stop[timer] - own->start[timer];
    *clock = NAN;
    return NDFT_OK;
}

/* Every thread reads all of it: cores may share the last cache or not. */
static ndft_status flush_cpu(ndft_exec *exec)
{
    cpu_exec *own = (cpu_exec *)exec;
    size_t bytes = 2 * ndft_last_cache_bytes();
    if (!own->flushed) {
        own->flushed = malloc(bytes);
        if (!own->flushed)
            return ndft_fail(exec->error, NDFT_ENOMEM, "flushing the caches needs %zu bytes",
                             bytes);
        memset(own->flushed, 1, bytes);
    }
    char sum = 0;
#pragma omp parallel num_threads(exec->threads) reduction(^ : sum)
    for (size_t i = 0; i < bytes; i += 64) sum ^= own->flushed[i];
    own->sink = sum;
    return NDFT_OK;
}

static ndft_state state(ndft_exec *exec)
{
    (void)exec;
    return ndft_state_blank();
}

static ndft_counters counters(ndft_exec *exec)
{
    (void)exec;
    return ndft_counters_blank();
}

static double energy(ndft_exec *exec)
{
    (void)exec;
    return ndft_rapl_joules("/sys/class/powercap");
}

static bool pin(ndft_exec *exec, bool on)
{
    return ndft_pin(&((cpu_exec *)exec)->pins, exec->threads, on);
}

static ndft_nvml_facts facts(ndft_exec *exec)
{
    (void)exec;
    return ndft_nvml_facts_of(NULL);
}

static void range_push(ndft_phase phase, const char *label, uint64_t payload)
{
    (void)phase;
    (void)label;
    (void)payload;
}

static void range_pop(void) {}

static ndft_status profiler(ndft_exec *exec, bool on)
{
    (void)exec;
    (void)on;
    return NDFT_OK;
}

const ndft_backend ndft_backend_cpu = {
    .name = "cpu",
    .missing = missing,
    .open = open_cpu,
    .close = close_cpu,
    .download = copy,
    .fill = fill,
    .copy = copy,
    .sync = nothing,
    .guards = guards,
    .timer_start = timer_start,
    .timer_stop = timer_stop,
    .timer_read = timer_read,
    .flush = flush_cpu,
    .state = state,
    .counters = counters,
    .energy = energy,
    .facts = facts,
    .pin = pin,
    .range_push = range_push,
    .range_pop = range_pop,
    .profiler = profiler,
};
