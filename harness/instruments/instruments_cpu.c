/* SPDX-License-Identifier: Apache-2.0 */
#include "base/now.h"
#include "device/processor.h"
#include "instruments.h"
#include "pin.h"
#include "rapl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What measures the processor: the timer is a steady clock, nothing is queued. */

typedef struct cpu_instruments {
    double start[NDFT_TIMERS], stop[NDFT_TIMERS];
    ndft_pins pins;
    char *flushed; /* twice the last cache; NULL until it is needed */
    char sink;     /* so that reading it is not in vain */
} cpu_instruments;

static cpu_instruments *of(ndft_exec *exec) { return exec->instruments; }

static void put_away(ndft_exec *exec)
{
    free(of(exec)->flushed);
    ndft_pins_free(&of(exec)->pins);
    free(exec->instruments);
    exec->instruments = NULL;
}

static ndft_status set_up(ndft_exec *exec)
{
    if (exec->instruments) return NDFT_OK;
    exec->instruments = calloc(1, sizeof(cpu_instruments));
    if (!exec->instruments) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for timers");
    exec->put_away = put_away;
    return NDFT_OK;
}

static ndft_status timer_start(ndft_exec *exec, int timer)
{
    NDFT_TRY(set_up(exec));
    of(exec)->start[timer] = ndft_now_s();
    return NDFT_OK;
}

static ndft_status timer_stop(ndft_exec *exec, int timer)
{
    of(exec)->stop[timer] = ndft_now_s();
    return NDFT_OK;
}

static ndft_status timer_read(ndft_exec *exec, int timer, double *seconds, double *clock)
{
    const cpu_instruments *own = of(exec);
    *seconds = own->stop[timer] - own->start[timer];
    *clock = NAN;
    return NDFT_OK;
}

/* Every thread reads all of it: cores may share the last cache or not. */
static ndft_status flush_cpu(ndft_exec *exec)
{
    NDFT_TRY(set_up(exec));
    cpu_instruments *own = of(exec);
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
    return set_up(exec) == NDFT_OK && ndft_pin(&of(exec)->pins, exec->threads, on);
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

const ndft_instruments ndft_instruments_cpu = {
    .backend = "cpu",
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
