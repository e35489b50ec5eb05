/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "guard.h"
#include "nvml.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

/* A CUDA device: plain cudaMalloc memory, one stream, events as the timer, NVTX ranges. */

namespace
{

struct cuda_exec {
    ndft_exec base; /* first, so that an ndft_exec points at it */
    ndft_pool pool;
    cudaEvent_t start, stop;
    char bus[32];
    bool nvml_tried; /* loading it takes longer than a small check */
    ndft_nvml *nvml;
};

cuda_exec *own(ndft_exec *exec) { return reinterpret_cast<cuda_exec *>(exec); }

cudaStream_t stream_of(const ndft_exec *exec) { return static_cast<cudaStream_t>(exec->stream); }

/* Turns a failed call into a message; clears the error where CUDA lets it be cleared. */
ndft_status check(ndft_exec *exec, cudaError_t error, const char *call)
{
    if (error == cudaSuccess) return NDFT_OK;
    (void)cudaGetLastError();
    return ndft_fail(exec->error, NDFT_EDEVICE, "%s: %s (%s)", call, cudaGetErrorString(error),
                     cudaGetErrorName(error));
}

const char *missing()
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaErrorNoDevice || (error == cudaSuccess && count == 0))
        return "no CUDA device is present";
    if (error == cudaErrorInsufficientDriver)
        return "no NVIDIA driver is loaded, or it is older than this CUDA runtime";
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

size_t free_bytes(ndft_exec *)
{
    size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

ndft_status raw_alloc(ndft_exec *exec, size_t bytes, void **memory)
{
    if (cudaMalloc(memory, bytes) == cudaSuccess) return NDFT_OK;
    (void)cudaGetLastError();
    return ndft_fail(exec->error, NDFT_ENOMEM, "cudaMalloc of %zu bytes failed", bytes);
}

void raw_free(ndft_exec *, void *memory) { (void)cudaFree(memory); }

ndft_status copy(ndft_exec *exec, void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    NDFT_TRY(
        check(exec, cudaMemcpyAsync(to, from, bytes, kind, stream_of(exec)), "cudaMemcpyAsync"));
    return check(exec, cudaStreamSynchronize(stream_of(exec)), "cudaStreamSynchronize");
}

ndft_status upload(ndft_exec *exec, void *device, const void *host, size_t bytes)
{
    return copy(exec, device, host, bytes, cudaMemcpyHostToDevice);
}

ndft_status download(ndft_exec *exec, void *host, const void *device, size_t bytes)
{
    return copy(exec, host, device, bytes, cudaMemcpyDeviceToHost);
}

ndft_status alloc(ndft_exec *exec, const char *what, size_t bytes, void **memory)
{
    return ndft_pool_alloc(&own(exec)->pool, exec, what, bytes, memory);
}

void release(ndft_exec *exec, void *memory) { ndft_pool_release(&own(exec)->pool, exec, memory); }

/* "NVIDIA GeForce RTX 4090" -> "geforce-rtx-4090". */
void make_slug(const char *name, char *slug, size_t size)
{
    if (!strncmp(name, "NVIDIA ", 7)) name += 7;
    size_t used = 0;
    for (; *name && used + 1 < size; name++)
        slug[used++] = isalnum((unsigned char)*name) ? (char)tolower((unsigned char)*name) : '-';
    slug[used] = 0;
}

int attribute(int index, cudaDeviceAttr which)
{
    int value = 0;
    (void)cudaDeviceGetAttribute(&value, which, index);
    return value;
}

void describe(int index, const cudaDeviceProp &prop, ndft_device *device)
{
    device->backend = "cuda";
    snprintf(device->name, sizeof device->name, "%.95s", prop.name);
    make_slug(prop.name, device->slug, sizeof device->slug);
    device->units = prop.multiProcessorCount;
    device->memory_bytes = prop.totalGlobalMem;
    device->l2_bytes = (size_t)prop.l2CacheSize;
    device->shared_bytes = prop.sharedMemPerBlockOptin;
    device->capability = 10 * prop.major + prop.minor;
    device->clock_mhz = attribute(index, cudaDevAttrClockRate) / 1000.0;
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    snprintf(device->driver, sizeof device->driver, "CUDA driver %d.%d, runtime %d.%d",
             driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
}

ndft_status start(cuda_exec *exec, int index)
{
    ndft_exec *base = &exec->base;
    cudaDeviceProp prop;
    cudaStream_t stream = nullptr;
    NDFT_TRY(check(base, cudaSetDevice(index), "cudaSetDevice"));
    NDFT_TRY(check(base, cudaGetDeviceProperties(&prop, index), "cudaGetDeviceProperties"));
    NDFT_TRY(check(base, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                   "cudaStreamCreateWithFlags"));
    base->stream = stream;
    NDFT_TRY(check(base, cudaEventCreate(&exec->start), "cudaEventCreate"));
    NDFT_TRY(check(base, cudaEventCreate(&exec->stop), "cudaEventCreate"));
    describe(index, prop, &base->device);
    return check(base, cudaDeviceGetPCIBusId(exec->bus, sizeof exec->bus, index),
                 "cudaDeviceGetPCIBusId");
}

void close_cuda(ndft_exec *base)
{
    if (!base) return;
    cuda_exec *exec = own(base);
    ndft_pool_clear(&exec->pool, base);
    if (exec->start) (void)cudaEventDestroy(exec->start);
    if (exec->stop) (void)cudaEventDestroy(exec->stop);
    if (base->stream) (void)cudaStreamDestroy(stream_of(base));
    ndft_nvml_close(exec->nvml);
    free(exec);
}

ndft_status open_cuda(int index, ndft_exec **out, ndft_error *err)
{
    *out = nullptr;
    if (missing()) return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
    int count = 0;
    (void)cudaGetDeviceCount(&count);
    if (index < 0 || index >= count)
        return ndft_fail(err, NDFT_EINVAL, "no CUDA device %d; they are 0 to %d", index, count - 1);
    cuda_exec *exec = static_cast<cuda_exec *>(calloc(1, sizeof *exec));
    if (!exec) return ndft_fail(err, NDFT_ENOMEM, "no memory for an execution context");
    exec->base.threads = 1;
    exec->base.error = err;
    exec->base.alloc = alloc;
    exec->base.release = release;
    exec->base.upload = upload;
    exec->pool.raw_alloc = raw_alloc;
    exec->pool.raw_free = raw_free;
    exec->pool.put = upload;
    exec->pool.get = download;
    exec->pool.free_bytes = free_bytes;
    ndft_status status = start(exec, index);
    if (status != NDFT_OK) {
        close_cuda(&exec->base);
        return status;
    }
    *out = &exec->base;
    return NDFT_OK;
}

ndft_status fill(ndft_exec *exec, void *device, int byte, size_t bytes)
{
    return check(exec, cudaMemsetAsync(device, byte, bytes, stream_of(exec)), "cudaMemsetAsync");
}

ndft_status sync_cuda(ndft_exec *exec)
{
    NDFT_TRY(check(exec, cudaStreamSynchronize(stream_of(exec)), "cudaStreamSynchronize"));
    return check(exec, cudaGetLastError(), "kernel launch");
}

ndft_status guards(ndft_exec *exec) { return ndft_pool_check(&own(exec)->pool, exec); }

ndft_status timer_start(ndft_exec *exec)
{
    return check(exec, cudaEventRecord(own(exec)->start, stream_of(exec)), "cudaEventRecord");
}

ndft_status timer_stop(ndft_exec *exec, double *seconds)
{
    float ms = 0;
    NDFT_TRY(check(exec, cudaEventRecord(own(exec)->stop, stream_of(exec)), "cudaEventRecord"));
    NDFT_TRY(check(exec, cudaEventSynchronize(own(exec)->stop), "cudaEventSynchronize"));
    NDFT_TRY(check(exec, cudaEventElapsedTime(&ms, own(exec)->start, own(exec)->stop),
                   "cudaEventElapsedTime"));
    *seconds = 1e-3 * ms;
    return NDFT_OK;
}

double clock_mhz(ndft_exec *base)
{
    cuda_exec *exec = own(base);
    if (!exec->nvml_tried) exec->nvml = ndft_nvml_open(exec->bus);
    exec->nvml_tried = true;
    return ndft_nvml_sm_clock(exec->nvml);
}

nvtxDomainHandle_t domain()
{
    static const nvtxDomainHandle_t handle = [] {
        nvtxDomainHandle_t made = nvtxDomainCreateA("ndft");
        for (uint32_t phase = 0; phase < NDFT_N_PHASES; phase++)
            nvtxDomainNameCategoryA(made, phase + 1, ndft_phase_name((ndft_phase)phase));
        return made;
    }();
    return handle;
}

void range_push(ndft_phase phase, const char *label, uint64_t payload)
{
    nvtxEventAttributes_t range = {};
    range.version = NVTX_VERSION;
    range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    range.category = (uint32_t)phase + 1; /* 0 is no category */
    range.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    range.message.registered = nvtxDomainRegisterStringA(domain(), label);
    range.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
    range.payload.ullValue = payload;
    (void)nvtxDomainRangePushEx(domain(), &range);
}

void range_pop() { (void)nvtxDomainRangePop(domain()); }

} // namespace

const ndft_backend ndft_backend_cuda = {
    .name = "cuda",
    .missing = missing,
    .open = open_cuda,
    .close = close_cuda,
    .download = download,
    .fill = fill,
    .sync = sync_cuda,
    .guards = guards,
    .timer_start = timer_start,
    .timer_stop = timer_stop,
    .clock_mhz = clock_mhz,
    .range_push = range_push,
    .range_pop = range_pop,
};
