/* SPDX-License-Identifier: Apache-2.0 */
#include "thread_cuda.cuh"

#include "base/launched.cuh"
#include "stream_cuda.cuh"

#include <cuda.h>
#include <dlfcn.h>

/* By the driver's calls: the runtime's cudaSetDevice and cudaThreadExchangeStreamCaptureMode would
 * make a context on a device that the thread's program never used. */

namespace
{

struct driver {
    decltype(&cuCtxGetCurrent) get;
    decltype(&cuCtxSetCurrent) set;
    decltype(&cuDevicePrimaryCtxRetain) retain;
    decltype(&cuThreadExchangeStreamCaptureMode) exchange;
};

template <class F> void find(void *library, const char *name, F *call)
{
    *call = reinterpret_cast<F>(dlsym(library, name));
}

/* Open already: the runtime needs it. */
driver find()
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    driver d = {};
    if (!library) return d;
    find(library, "cuCtxGetCurrent", &d.get);
    find(library, "cuCtxSetCurrent", &d.set);
    find(library, "cuDevicePrimaryCtxRetain", &d.retain);
    find(library, "cuThreadExchangeStreamCaptureMode", &d.exchange);
    return d;
}

const driver &calls()
{
    static const driver found = find();
    return found;
}

CUcontext current()
{
    CUcontext context = nullptr;
    return calls().get && calls().get(&context) == CUDA_SUCCESS ? context : nullptr;
}

/* Whether the thread's mode is this one now; what it was comes in its place. */
bool exchange(CUstreamCaptureMode *mode)
{
    return calls().exchange && calls().exchange(mode) == CUDA_SUCCESS;
}

} // namespace

/* It lives as long as the process, as the runtime's own do. */
ndft_status ndft_cuda::take_context(ndft_exec *exec, int index, void **out)
{
    CUcontext context = nullptr;
    const driver &d = calls();
    if (d.retain && d.set && d.retain(&context, index) == CUDA_SUCCESS &&
        d.set(context) == CUDA_SUCCESS) {
        *out = context;
        return NDFT_OK;
    }
    return ndft_fail(exec->error, NDFT_EDEVICE, "CUDA device %d gives no context", index);
}

/* Where a context cannot be set, what comes next says so. */
ndft_before ndft_cuda::enter(void *context, bool allocates)
{
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    ndft_before before = {current(), false, 0};
    if (context && context != before.context) (void)calls().set(static_cast<CUcontext>(context));
    if (allocates && exchange(&mode)) {
        before.allocates = true;
        before.capture_mode = mode;
    }
    ndft_error_before = cudaPeekAtLastError();
    return before;
}

void ndft_cuda::leave(ndft_before before)
{
    CUstreamCaptureMode mode = static_cast<CUstreamCaptureMode>(before.capture_mode);
    if (before.allocates) (void)exchange(&mode);
    if (current() != before.context) (void)calls().set(static_cast<CUcontext>(before.context));
    ndft_error_before = cudaSuccess;
}

/* A wait keeps what the event stands for. */
ndft_status ndft_cuda::wait_for(ndft_exec *waits, const ndft_exec *other)
{
    cudaEvent_t event = nullptr;
    NDFT_TRY(check(waits, cudaEventCreateWithFlags(&event, cudaEventDisableTiming),
                   "cudaEventCreateWithFlags"));
    cudaError_t error = cudaEventRecord(event, stream_of(other));
    if (error == cudaSuccess) error = cudaStreamWaitEvent(stream_of(waits), event, 0);
    (void)cudaEventDestroy(event);
    return check(waits, error, "cudaStreamWaitEvent");
}
