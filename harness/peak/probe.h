/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PROBE_H
#define NDFT_PROBE_H

#include "base/exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One ceiling of a device and the loop that reaches it. Nearly all instructions of the loop are the
 * one that is measured, which tests/project/test_peak_sass.py holds; its operands come from memory
 * and its results go there, so that no compiler can shorten it, and they never settle, since the
 * power that a device draws, and with it its clock, depends on the bits that change.
 */
typedef struct ndft_probe {
    const char *resource; /* a field of ndft_cost, with _f64 in double, or a name of its own */
    const char *unit;     /* what is counted */
    const char *note;     /* what runs */

    const char *(*unsupported)(
        const ndft_device *);             /* NULL, or why it cannot run here; may be NULL */
    size_t (*bytes)(const ndft_device *); /* of the memory that it works on */

    /* Queues the loop on exec's stream, rounds times over. units: the work in that. seconds: left
     * alone where the backend's timer is to say. */
    ndft_status (*run)(ndft_exec *, void *memory, int rounds, double *units, double *seconds);
} ndft_probe;

/* The probes of a backend, hung beside its ndft_backend. */
typedef struct ndft_probes {
    const char *backend;
    const ndft_probe *const *lists; /* NULL-terminated; each ends with a resource that is NULL */
    double warm_s, sample_s;        /* queued before the first sample, and for each */
    int samples;
    double faster; /* share of the samples that are left out as luck, a clock still high */
    double agree;  /* two measurements differ by at most this share */

    /* Fills memory with floats drawn from [1, 2). */
    ndft_status (*prepare)(ndft_exec *, void *memory, size_t bytes);
} ndft_probes;

extern const ndft_probes ndft_probes_cpu, ndft_probes_cuda;

#ifdef __cplusplus
}
#endif
#endif
