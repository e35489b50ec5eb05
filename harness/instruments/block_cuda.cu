/* SPDX-License-Identifier: Apache-2.0 */
#include "instruments_cuda.cuh"

/*
 * The blocking kernel (as in nvbench): one thread that spins on host memory, so that the device
 * begins only when everything behind it is queued. Whoever waits for the device meanwhile would
 * wait for ever: the kernel gives up after a while, and the next release_stream says why.
 */

namespace ndft_cuda
{

static constexpr unsigned long long patience_s = 5;

/* Tickets, not a flag, so that a gate which opens and closes again leaves nobody behind. */
static __global__ void wait_at(volatile gate *gate, unsigned long long ticket)
{
    unsigned long long start = global_ns();
    while (gate->open < ticket) {
        if (global_ns() - start < patience_s * 1000000000) continue;
        gate->gave_up = ticket;
        return;
    }
}

ndft_status block_stream(ndft_exec *exec)
{
    NDFT_TRY(set_up(exec));
    wait_at<<<1, 1, 0, stream_of(exec)>>>(own(exec)->gate, ++own(exec)->ticket);
    return check(exec, cudaGetLastError(), "kernel launch");
}

ndft_status release_stream(ndft_exec *exec)
{
    volatile gate *gate = own(exec)->gate;
    gate->open = own(exec)->ticket;
    if (gate->gave_up != own(exec)->ticket) return NDFT_OK;
    return ndft_fail(exec->error, NDFT_EDEVICE,
                     "the blocking kernel waited %llu s for the launches behind it: either execute "
                     "waits for the device, which it must not, or something runs launches one at "
                     "a time (CUDA_LAUNCH_BLOCKING, a profiler)",
                     patience_s);
}

} // namespace ndft_cuda
