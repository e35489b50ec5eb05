/* SPDX-License-Identifier: Apache-2.0 */
#include "thread_cuda.cuh"

#include "base/launched.cuh"
#include "stream_cuda.cuh"

#include <cuda.h>
#include <dlfcn.h>

/* Contexts are set by the driver's calls: cudaSetDevice, to leave a thread as it was, would make
 * one on a device that its program never used. */

namespace
{

struct driver {
    decltype(&cuCtxGetCurrent) get;
    decltype(&cuCtxSetCurrent) set;
    decltype(&cuDevicePrimaryCtxRetain) retain;
};

/* Open already: the runtime needs it. */
driver find()
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return {};
    return {reinterpret_cast<decltype(&cuCtxGetCurrent)>(dlsym(library, "cuCtxGetCurrent")),
            reinterpret_cast<decltype(&cuCtxSetCurrent)>(dlsym(library, "cuCtxSetCurrent")),
            reinterpret_cast<decltype(&cuDevicePrimaryCtxRetain)>(
                dlsym(library, "cuDevicePrimaryCtxRetain"))};
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
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    ndft_before before = {current(), false, 0};
    if (context && context != before.context) (void)calls().set(static_cast<CUcontext>(context));
    if (allocates && cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess) {
        before.allocates = true;
        before.capture_mode = mode;
    }
    ndft_error_before = cudaPeekAtLastError();
    return before;
}

void ndft_cuda::leave(ndft_before before)
{
    cudaStreamCaptureMode mode = static_cast<cudaStreamCaptureMode>(before.capture_mode);
    if (before.allocates && cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess)
        (void)cudaGetLastError(); /* nobody is to find it */
    if (current() != before.context) (void)calls().set(static_cast<CUcontext>(before.context));
    ndft_error_before = cudaSuccess;
}
