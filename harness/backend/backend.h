/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_BACKEND_H
#define NDFT_BACKEND_H

#include "phase.h"

#include <ndft/exec.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Everything the harness needs from a place where variants run. The measuring loop, the checks and
 * the CLI know only this table; all knowledge of CUDA on the harness's side is in backend_cuda.cu,
 * or in backend_none.c when there is no nvcc.
 */
typedef struct ndft_backend {
    const char *name; /* "cpu", "cuda" */

    /* NULL when usable, else why not: "no CUDA device is present". */
    const char *(*missing)(void);

    /* Opens device number index; error messages of the exec go to err. */
    ndft_status (*open)(int index, ndft_exec **, ndft_error *err);
    void (*close)(ndft_exec *); /* NULL is allowed */

    ndft_status (*download)(ndft_exec *, void *host, const void *device, size_t bytes);
    ndft_status (*fill)(ndft_exec *, void *device, int byte, size_t bytes); /* poison */
    ndft_status (*sync)(ndft_exec *); /* waits; reports errors of earlier launches */

    /* NDFT_OK while every guard band of every live buffer is intact; else NDFT_EDEVICE with a
     * message naming the buffer and the side that was overwritten. Repairs the band. */
    ndft_status (*guards)(ndft_exec *);

    /* Seconds of work queued between start and stop: steady clock, or events on the stream. */
    ndft_status (*timer_start)(ndft_exec *);
    ndft_status (*timer_stop)(ndft_exec *, double *seconds); /* waits for the work */

    double (*clock_mhz)(ndft_exec *); /* current core clock, 0 when unknown */

    /* Profiler ranges in the domain "ndft"; nested; the phase is their category, the payload the
     * problem's content hash. */
    void (*range_push)(ndft_phase, const char *label, uint64_t payload);
    void (*range_pop)(void);
} ndft_backend;

extern const ndft_backend ndft_backend_cpu, ndft_backend_cuda;

/* "x86-64-v3" */
const char *ndft_isa_name(ndft_isa);

/* NULL when no backend has this name. */
const ndft_backend *ndft_backend_find(const char *name);

/* NULL-terminated, in report order. */
extern const ndft_backend *const ndft_backends[];

#ifdef __cplusplus
}
#endif
#endif
