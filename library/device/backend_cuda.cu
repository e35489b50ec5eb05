/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "base/cufft.h"
#include "base/launched.cuh"
#include "base/original.h"
#include "describe_cuda.cuh"
#include "largest_cuda.cuh"
#include "moments_cuda.cuh"
#include "stream_cuda.cuh"
#include "thread_cuda.cuh"
#include "vectors_cuda.cuh"

#include <cstdio>
#include <cstdlib>
#include <cstring>

/* A CUDA device: plain cudaMalloc memory, one stream. */

using namespace ndft_cuda;

ndft_status ndft_cuda::check(ndft_exec *exec, cudaError_t error, const char *call)
{
    if (error == cudaSuccess) return NDFT_OK;
    (void)cudaGetLastError();
    return ndft_fail(exec->error, NDFT_EDEVICE, "%s: %s (%s)", call, cudaGetErrorString(error),
                     cudaGetErrorName(error));
}

namespace
{

struct cuda_exec {
    ndft_exec base; /* first, so that an ndft_exec points at it */
    ndft_pool pool;
    int index;
    void *context;
    bool own_stream;
    const void *copies[3], *originals[3]; /* original.h */
};

cuda_exec *own(ndft_exec *exec) { return reinterpret_cast<cuda_exec *>(exec); }

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

const char *lacks(const char *library)
{
    return strcmp(library, "cufft") ? "no such library" : ndft_cufft_missing();
}

size_t free_bytes(ndft_exec *)
{
    size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

ndft_status raw_alloc(ndft_exec *exec, size_t bytes, void **memory)
{
    cudaError_t error = cudaMalloc(memory, bytes);
    if (error != cudaErrorMemoryAllocation) return ndft_cuda::check(exec, error, "cudaMalloc");
    (void)cudaGetLastError();
    return NDFT_ENOMEM;
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

ndft_status pin(ndft_exec *exec, size_t bytes, void **memory)
{
    const cudaError_t error = cudaMallocHost(memory, bytes);
    if (error != cudaErrorMemoryAllocation) return check(exec, error, "cudaMallocHost");
    (void)cudaGetLastError();
    *memory = nullptr;
    return ndft_fail(exec->error, NDFT_ENOMEM, "no %zu bytes of the host can be pinned", bytes);
}

void unpin(ndft_exec *, void *memory) { (void)cudaFreeHost(memory); }

ndft_status duplicate(ndft_exec *exec, void *to, const void *from, size_t bytes)
{
    return check(exec, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(exec)),
                 "cudaMemcpyAsync");
}

/* The copy engine takes strides of less than 2^31 bytes. */
ndft_status duplicate_rows(ndft_exec *exec, int64_t rows, size_t bytes, void *to, size_t to_stride,
                           const void *from, size_t from_stride)
{
    if (rows > 1 && to_stride <= INT32_MAX && from_stride <= INT32_MAX)
        return check(exec,
                     cudaMemcpy2DAsync(to, to_stride, from, from_stride, bytes,
                                       static_cast<size_t>(rows), cudaMemcpyDefault,
                                       stream_of(exec)),
                     "cudaMemcpy2DAsync");
    for (int64_t i = 0; i < rows; i++)
        NDFT_TRY(duplicate(exec, static_cast<char *>(to) + i * to_stride,
                           static_cast<const char *>(from) + i * from_stride, bytes));
    return NDFT_OK;
}

ndft_status fill(ndft_exec *exec, void *device, int byte, size_t bytes)
{
    return check(exec, cudaMemsetAsync(device, byte, bytes, stream_of(exec)), "cudaMemsetAsync");
}

ndft_status alloc(ndft_exec *exec, const char *what, size_t bytes, void **memory)
{
    return ndft_pool_alloc(&own(exec)->pool, exec, what, bytes, memory);
}

void release(ndft_exec *exec, void *memory) { ndft_pool_release(&own(exec)->pool, exec, memory); }

ndft_status start(ndft_exec *base, int index)
{
    cudaDeviceProp prop;
    cudaStream_t stream = nullptr;
    NDFT_TRY(take_context(base, index, &own(base)->context));
    NDFT_TRY(check(base, cudaGetDeviceProperties(&prop, index), "cudaGetDeviceProperties"));
    NDFT_TRY(check(base, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                   "cudaStreamCreateWithFlags"));
    base->stream = stream;
    own(base)->own_stream = true;
    describe(index, prop, &base->device);
    base->room_bytes = base->device.memory_bytes;
    return NDFT_OK;
}

void close_cuda(ndft_exec *base)
{
    if (!base) return;
    cuda_exec *exec = own(base);
    if (base->put_away) base->put_away(base);
    ndft_pool_clear(&exec->pool, base);
    if (exec->own_stream) (void)cudaStreamDestroy(stream_of(base));
    free(exec);
}

/* With calls, and nothing that they need. */
ndft_status blank(int index, ndft_error *err, cuda_exec **out)
{
    cuda_exec *exec = static_cast<cuda_exec *>(calloc(1, sizeof *exec));
    if (!exec) return ndft_fail(err, NDFT_ENOMEM, "no memory for an execution context");
    exec->index = index;
    exec->base.threads = 1;
    exec->base.error = err;
    exec->base.alloc = alloc;
    exec->base.release = release;
    exec->base.upload = upload;
    exec->base.free_bytes = free_bytes;
    exec->pool.raw_alloc = raw_alloc;
    exec->pool.raw_free = raw_free;
    exec->pool.fill = fill;
    exec->pool.get = download;
    *out = exec;
    return NDFT_OK;
}

ndft_status open_cuda(int index, ndft_exec **out, ndft_error *err)
{
    *out = nullptr;
    if (missing()) return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    if (index < 0 || index >= count)
        return ndft_fail(err, NDFT_EDEVICE, "no CUDA device %d; they are 0 to %d", index,
                         count - 1);
    cuda_exec *exec = nullptr;
    NDFT_TRY(blank(index, err, &exec));
    ndft_status status = start(&exec->base, index);
    if (status != NDFT_OK) {
        close_cuda(&exec->base);
        return status;
    }
    *out = &exec->base;
    return NDFT_OK;
}

ndft_status fork_cuda(const ndft_exec *of, ndft_exec **out, ndft_error *err)
{
    cuda_exec *exec = nullptr;
    *out = nullptr;
    NDFT_TRY(blank(reinterpret_cast<const cuda_exec *>(of)->index, err, &exec));
    exec->context = reinterpret_cast<const cuda_exec *>(of)->context;
    exec->base.device = of->device;
    exec->base.stream = of->stream;
    exec->base.threads = of->threads;
    exec->base.room_bytes = of->device.memory_bytes;
    exec->base.account = of->account;
    exec->base.stock = of->stock;
    *out = &exec->base;
    return NDFT_OK;
}

ndft_status fork_beside(const ndft_exec *of, ndft_exec **out, ndft_error *err)
{
    cudaStream_t stream = nullptr;
    NDFT_TRY(fork_cuda(of, out, err));
    const ndft_status status =
        check(*out, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
    if (status == NDFT_OK) {
        (*out)->stream = stream;
        own(*out)->own_stream = true;
        return status;
    }
    close_cuda(*out);
    *out = nullptr;
    return status;
}

ndft_status use_stream(ndft_exec *base, void *stream)
{
    cuda_exec *exec = own(base);
    if (exec->own_stream)
        NDFT_TRY(check(base, cudaStreamDestroy(stream_of(base)), "cudaStreamDestroy"));
    exec->own_stream = false;
    base->stream = stream;
    return NDFT_OK;
}

ndft_before enter_cuda(const ndft_exec *base, bool allocates)
{
    return enter(base ? reinterpret_cast<const cuda_exec *>(base)->context : nullptr, allocates);
}

/* Whether CUDA knows nothing of it: memory of the host's that nothing copies by itself. */
bool is_plain(const void *memory)
{
    cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    return error == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered;
}

/* Whether kernels on the current device read it. */
bool holds(const void *memory)
{
    cudaPointerAttributes attributes;
    int device = 0;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, memory);
    return error == cudaSuccess && attributes.type == cudaMemoryTypeDevice &&
           cudaGetDevice(&device) == cudaSuccess && attributes.device == device;
}

void give(ndft_exec *exec, const void *const copies[3], const void *const originals[3])
{
    for (int d = 0; d < 3; d++) {
        own(exec)->copies[d] = copies ? copies[d] : nullptr;
        own(exec)->originals[d] = copies ? originals[d] : nullptr;
    }
}

/* Unified addresses say where it is. */
ndft_status fetch(ndft_exec *exec, void *host, const void *from, size_t bytes)
{
    if (!is_plain(from)) return copy(exec, host, from, bytes, cudaMemcpyDefault);
    NDFT_TRY(check(exec, cudaStreamSynchronize(stream_of(exec)), "cudaStreamSynchronize"));
    memcpy(host, from, bytes);
    return NDFT_OK;
}

ndft_status sync_cuda(ndft_exec *exec)
{
    NDFT_TRY(check(exec, cudaStreamSynchronize(stream_of(exec)), "cudaStreamSynchronize"));
    return check(exec, ndft_launch_error(), "kernel launch");
}

bool reach(ndft_exec *exec, const ndft_exec *other)
{
    const int from = own(exec)->index, to = reinterpret_cast<const cuda_exec *>(other)->index;
    int can = from == to;
    if (can) return true;
    if (cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess) can = 0;
    if (!can) return false;
    const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
    if (error != cudaSuccess) (void)cudaGetLastError();
    return error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
}

ndft_pool *pool(ndft_exec *exec) { return &own(exec)->pool; }

} // namespace

const void *ndft_original_of(const ndft_exec *exec, const void *array)
{
    const cuda_exec *of = reinterpret_cast<const cuda_exec *>(exec);
    for (int d = 0; d < 3; d++)
        if (of->originals[d] && of->copies[d] == array) return of->originals[d];
    return array;
}

const ndft_backend ndft_backend_cuda = {
    .name = "cuda",
    .missing = missing,
    .lacks = lacks,
    .open = open_cuda,
    .close = close_cuda,
    .fork = fork_cuda,
    .fork_beside = fork_beside,
    .wait_for = ndft_cuda::wait_for,
    .use_stream = use_stream,
    .enter = enter_cuda,
    .leave = leave,
    .download = download,
    .holds = holds,
    .largest = ndft_cuda::largest,
    .give = give,
    .fetch = fetch,
    .fill = fill,
    .pin = pin,
    .unpin = unpin,
    .copy = duplicate,
    .copy_rows = duplicate_rows,
    .scale = ndft_cuda::scale,
    .place = ndft_cuda::place,
    .multiply = ndft_cuda::multiply,
    .add = ndft_cuda::add,
    .reach = reach,
    .weigh_moments = ndft_cuda::weigh_moments,
    .sum_moments = ndft_cuda::sum_moments,
    .weigh = ndft_cuda::weigh,
    .combine = ndft_cuda::combine,
    .sync = sync_cuda,
    .pool = pool,
};
