/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

#include <cstdlib>

/* What measures a CUDA device. Timer, blocking and watching kernel, cache, graphs and profiler
 * ranges have files of their own. */

using namespace ndft_cuda;

namespace
{

void put_away(ndft_exec *exec)
{
    timer_close(exec);
    if (own(exec)->flushed) (void)cudaFree(own(exec)->flushed);
    ndft_nvml_close(own(exec)->nvml);
    free(exec->instruments);
    exec->instruments = nullptr;
}

ndft_status open_all(ndft_exec *exec)
{
    cuda_instruments *i = own(exec);
    int device = 0;
    NDFT_TRY(check(exec, cudaGetDevice(&device), "cudaGetDevice"));
    NDFT_TRY(
        check(exec, cudaDeviceGetPCIBusId(i->bus, sizeof i->bus, device), "cudaDeviceGetPCIBusId"));
    return timer_open(exec);
}

/* NULL: it is not there, or there is nothing to ask it with. */
const ndft_nvml *nvml(ndft_exec *exec)
{
    if (set_up(exec) != NDFT_OK) return nullptr;
    cuda_instruments *i = own(exec);
    if (!i->nvml_tried) i->nvml = ndft_nvml_open(i->bus);
    i->nvml_tried = true;
    return i->nvml;
}

ndft_state state(ndft_exec *exec) { return ndft_nvml_state(nvml(exec)); }

ndft_counters counters(ndft_exec *exec) { return ndft_nvml_counters(nvml(exec)); }

double energy(ndft_exec *exec) { return ndft_nvml_energy(nvml(exec)); }

ndft_nvml_facts facts(ndft_exec *exec) { return ndft_nvml_facts_of(nvml(exec)); }

} // namespace

ndft_status ndft_cuda::set_up(ndft_exec *exec)
{
    if (exec->instruments) return NDFT_OK;
    exec->instruments = calloc(1, sizeof(cuda_instruments));
    if (!exec->instruments) return ndft_fail(exec->error, NDFT_ENOMEM, "no memory for timers");
    exec->put_away = put_away;
    const ndft_status status = open_all(exec);
    if (status == NDFT_OK) return NDFT_OK;
    put_away(exec);
    exec->put_away = nullptr;
    return status;
}

const ndft_instruments ndft_instruments_cuda = {
    .backend = "cuda",
    .timer_start = timer_start,
    .timer_stop = timer_stop,
    .timer_read = timer_read,
    .timer_passed = timer_passed,
    .block_stream = block_stream,
    .release_stream = release_stream,
    .flush = flush,
    .capture = capture,
    .replay = replay,
    .graph_free = graph_free,
    .count_nodes = count_nodes,
    .state = state,
    .counters = counters,
    .energy = energy,
    .facts = facts,
    .away = away,
    .range_push = range_push,
    .range_pop = range_pop,
    .profiler = profiler,
};
