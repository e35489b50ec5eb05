/* SPDX-License-Identifier: Apache-2.0 */
#include "backend.h"
#include "base/host_fft.h"
#include "base/memory/memory.h"
#include "base/threads.h"
#include "moments.h"
#include "processor.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

/* The processor as a device: device memory is host memory. */

typedef struct cpu_exec {
    ndft_exec base; /* first, so that an ndft_exec points at it */
    ndft_pool pool;
} cpu_exec;

static const char *missing(void)
{
    return __builtin_cpu_supports("sse4.2") ? NULL : "the processor lacks x86-64-v2";
}

static const char *lacks(const char *library)
{
    return strcmp(library, "fftw") ? "no such library" : ndft_host_fft_missing();
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

static ndft_status copy_rows(ndft_exec *exec, int64_t rows, size_t bytes, void *to,
                             size_t to_stride, const void *from, size_t from_stride)
{
    (void)exec;
    for (int64_t i = 0; i < rows; i++)
        memcpy((char *)to + (size_t)i * to_stride, (const char *)from + (size_t)i * from_stride,
               bytes);
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

/* A context like the one given, which has nothing of its own. */
static ndft_status fork_cpu(const ndft_exec *of, ndft_exec **out, ndft_error *err)
{
    *out = NULL;
    cpu_exec *exec = calloc(1, sizeof *exec);
    if (!exec) return ndft_fail(err, NDFT_ENOMEM, "no memory for an execution context");
    exec->base = (ndft_exec){.device = of->device,
                             .threads = of->threads,
                             .error = err,
                             .alloc = alloc,
                             .release = release,
                             .upload = copy,
                             .free_bytes = free_bytes,
                             .room_bytes = of->device.memory_bytes,
                             .account = of->account};
    exec->pool =
        (ndft_pool){.raw_alloc = raw_alloc, .raw_free = raw_free, .fill = fill, .get = copy};
    *out = &exec->base;
    return NDFT_OK;
}

static ndft_status open_cpu(int index, ndft_exec **out, ndft_error *err)
{
    *out = NULL;
    if (index != 0)
        return ndft_fail(err, NDFT_EDEVICE, "no cpu device %d; the only one is 0", index);
    if (missing()) return ndft_fail(err, NDFT_EDEVICE, "%s", missing());
    int threads = 0;
    const ndft_status status = ndft_openmp_threads(&threads, err);
    if (status != NDFT_OK) return status;
    const ndft_exec machine = {.device = ndft_device_cpu(threads), .threads = threads};
    return fork_cpu(&machine, out, err);
}

static void close_cpu(ndft_exec *exec)
{
    if (!exec) return;
    if (exec->put_away) exec->put_away(exec);
    ndft_pool_clear(&((cpu_exec *)exec)->pool, exec);
    free(exec);
}

/* Whatever is called has finished on return. */
static ndft_status nothing(ndft_exec *exec)
{
    (void)exec;
    return NDFT_OK;
}

static ndft_pool *pool(ndft_exec *exec) { return &((cpu_exec *)exec)->pool; }

const ndft_backend ndft_backend_cpu = {
    .name = "cpu",
    .missing = missing,
    .lacks = lacks,
    .open = open_cpu,
    .close = close_cpu,
    .fork = fork_cpu,
    .download = copy,
    .fetch = copy,
    .fill = fill,
    .copy = copy,
    .copy_rows = copy_rows,
    .scale = ndft_vectors_scale,
    .place = ndft_vectors_place,
    .multiply = ndft_vectors_multiply,
    .add = ndft_vectors_add,
    .weigh_moments = ndft_moments_weigh,
    .sum_moments = ndft_moments_sum,
    .weigh = ndft_vectors_weigh,
    .combine = ndft_vectors_combine,
    .sync = nothing,
    .pool = pool,
};
