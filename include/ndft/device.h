/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_DEVICE_H
#define NDFT_DEVICE_H

#include <ndft/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place where plans live: its memory and its stream. */
typedef struct ndft_device ndft_device;

/*
 * Memory that is the caller's. alloc returns bytes bytes, aligned to 256, or NULL where there are
 * none; release gets what alloc returned. Both may be called by any thread that makes, changes or
 * destroys plans or executes them with host memory, with user as it was given, and neither by
 * ndft_execute.
 */
typedef void *ndft_alloc_function(size_t bytes, void *user);
/* Takes back what alloc returned. */
typedef void ndft_release_function(void *memory, void *user);

/* What a device is opened with; all zero is all the library's. */
typedef struct ndft_device_options {
    size_t struct_size;  /* sizeof(ndft_device_options) */
    void *stream;        /* cudaStream_t on which plans work; NULL: one of the device's own, which
                          * waits for no other (cudaStreamNonBlocking) */
    int threads;         /* "cpu": of a plan whose engine is told no other; 0: as OpenMP has it */
    size_t memory_limit; /* bytes that all plans may hold at once, as ndft_plan_options has it, and
                          * of "cpu" all problems with their copies; 0: what there is */
    ndft_alloc_function *alloc;     /* NULL: the library's own */
    ndft_release_function *release; /* with alloc, or neither */
    void *user;                     /* given to both */
} ndft_device_options;

/*
 * Nothing orders the device's own stream and others, the default one among them, on which PyTorch,
 * CuPy and plain kernel launches work: who writes inputs there or reads outputs gives that stream
 * here, cudaStreamLegacy ((void *)1) for the default one, or waits in between, by an event or
 * ndft_device_sync. Graphs capture every stream but the default one.
 *
 * Opens "cpu", "cuda" (the first GPU), "cuda:N", or "auto": a GPU where there is one, else the
 * processor. options may be NULL. What CUDA keeps of the calling thread, its current device, its
 * last error and how it captures, is afterwards as it was, here and in every other call, and no
 * other GPU gets a context.
 * NDFT_EINVAL for a name that is none, and of "cpu" where OpenMP is to have more than 4096 threads
 * or more than the process may start, NDFT_EDEVICE where there is no such device.
 */
NDFT_API ndft_status ndft_device_open(const char *name, const ndft_device_options *options,
                                      ndft_device **device);

/* Waits until all that was queued on the device's stream has finished, and says what failed. */
NDFT_API ndft_status ndft_device_sync(ndft_device *);

/* Writes what the device is as a line of JSON, at most size bytes with the zero: backend, name,
 * slug, units, memory_bytes, threads. NDFT_EINVAL where it does not fit. */
NDFT_API ndft_status ndft_device_describe(const ndft_device *, char *text, size_t size);

/* Bytes that count for its memory_limit now, and may count with those that are free. */
NDFT_API ndft_status ndft_device_memory(ndft_device *, size_t *held, size_t *most);

/* Problems and plans keep their device: it goes with the last of them. NULL is allowed. */
NDFT_API void ndft_device_close(ndft_device *);

#ifdef __cplusplus
}
#endif
#endif
