/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bounds.h"
#include "device/cuda_parts.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A libndft_cuda.so whose device is the processor, and whose variants are some of the processor's:
 * for tests of how libndft opens one. FAKE_BUILD: the build that it is of. What is copied on a
 * stream beside the device's is copied as late as may be: when somebody waits for it. */

extern const ndft_variant ndft_naive_cpu, ndft_tiled_cpu, ndft_tiled_no_trig_cpu,
    ndft_uniform_naive_cpu, ndft_chirpz_naive_cpu;

static ndft_backend backend;
static ndft_variant variants[5];

static const char *missing(void) { return NULL; }

static ndft_status open(int index, ndft_exec **exec, ndft_error *err)
{
    NDFT_TRY(ndft_backend_cpu.open(index, exec, err));
    (*exec)->device.backend = "cuda";
    return NDFT_OK;
}

static ndft_status pin(ndft_exec *exec, size_t bytes, void **memory)
{
    *memory = malloc(bytes);
    return *memory ? NDFT_OK : ndft_fail(exec->error, NDFT_ENOMEM, "no memory");
}

static void unpin(ndft_exec *exec, void *memory)
{
    (void)exec;
    free(memory);
}

/* Of what device_take gives (device_memory.h). */
static bool holds(const void *memory) { return (uintptr_t)memory % 256 == 0; }

enum { MOST_LATE = 256 };

typedef struct late {
    struct {
        void *to;
        const void *from;
        size_t bytes;
    } copy[MOST_LATE];
    int n;
} late;

static ndft_status copy(ndft_exec *exec, void *to, const void *from, size_t bytes)
{
    late *queued = exec->stream;
    if (!queued) memcpy(to, from, bytes);
    if (!queued) return NDFT_OK;
    if (queued->n == MOST_LATE) return ndft_fail(exec->error, NDFT_EDEVICE, "too many copies");
    queued->copy[queued->n].to = to;
    queued->copy[queued->n].from = from;
    queued->copy[queued->n++].bytes = bytes;
    return NDFT_OK;
}

static ndft_status copy_rows(ndft_exec *exec, int64_t rows, size_t bytes, void *to,
                             size_t to_stride, const void *from, size_t from_stride)
{
    for (int64_t i = 0; i < rows; i++)
        NDFT_TRY(copy(exec, (char *)to + (size_t)i * to_stride,
                      (const char *)from + (size_t)i * from_stride, bytes));
    return NDFT_OK;
}

static ndft_status fork_beside(const ndft_exec *of, ndft_exec **out, ndft_error *err)
{
    NDFT_TRY(ndft_backend_cpu.fork(of, out, err));
    (*out)->stream = calloc(1, sizeof(late));
    return (*out)->stream ? NDFT_OK : ndft_fail(err, NDFT_ENOMEM, "no memory");
}

/* Nothing is late on the device's own stream. */
static ndft_status wait_for(ndft_exec *waits, const ndft_exec *other)
{
    (void)waits;
    late *queued = other->stream;
    for (int i = 0; queued && i < queued->n; i++)
        memcpy(queued->copy[i].to, queued->copy[i].from, queued->copy[i].bytes);
    if (queued) queued->n = 0;
    return NDFT_OK;
}

static void close_late(ndft_exec *exec)
{
    if (exec) free(exec->stream);
    ndft_backend_cpu.close(exec);
}

static ndft_status largest(ndft_exec *exec, ndft_prec prec, int n, const void *const of[],
                           int64_t count, double *most)
{
    (void)exec;
    memset(most, 0, (size_t)n * NDFT_LARGEST_PARTS * sizeof *most);
    for (int i = 0; i < n; i++)
        most[(i + 1) * NDFT_LARGEST_PARTS - 1] = ndft_largest(of[i], prec, count);
    return NDFT_OK;
}

static bool reach(ndft_exec *exec, const ndft_exec *other)
{
    (void)exec;
    (void)other;
    return false;
}

__attribute__((constructor)) static void plant(void)
{
    backend = ndft_backend_cpu;
    backend.name = "cuda";
    backend.missing = missing;
    backend.open = open;
    backend.close = close_late;
    backend.fork_beside = fork_beside;
    backend.wait_for = wait_for;
    backend.pin = pin;
    backend.unpin = unpin;
    backend.holds = holds;
    backend.copy = copy;
    backend.copy_rows = copy_rows;
    backend.largest = largest;
    backend.reach = reach;
    const ndft_variant *const taken[] = {&ndft_naive_cpu, &ndft_tiled_cpu, &ndft_tiled_no_trig_cpu,
                                         &ndft_uniform_naive_cpu, &ndft_chirpz_naive_cpu};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        variants[i] = *taken[i];
        variants[i].backend = "cuda";
    }
}

static const ndft_variant *find(const char *name)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (!strcmp(variants[i].name, name)) return &variants[i];
    return NULL;
}

ndft_status ndft_cuda_parts_of(const char *build, const ndft_cuda_parts **parts, ndft_error *err)
{
    static const ndft_cuda_parts own = {&backend, find};
    *parts = &own;
    return ndft_same_build(FAKE_BUILD, build, err);
}
