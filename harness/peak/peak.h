/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_PEAK_H
#define NDFT_PEAK_H

#include "instruments/instruments.h"
#include "probe.h"

#include <jansson.h>
#include <signal.h>

/*
 * The ceilings of a device, measured. One is an object {"backend", "resource", "value" (units per
 * second), "unit", "spread" (quartiles of the samples, relative), "clock_mhz" (null when unknown),
 * "note"}; of one that the device cannot have, value and spread are null and the note says why.
 */

/* NULL when no backend has this name. */
const ndft_probes *ndft_probes_find(const char *backend);

int ndft_probes_count(const ndft_probes *);

/* Who is told of every probe that is done, and may ask to stop. */
typedef struct ndft_peak_watch {
    void (*done)(void *context, const char *resource);
    void *context;
    const volatile sig_atomic_t *interrupted;
} ndft_peak_watch;

/*
 * Measures every ceiling of the device behind exec into an array, a new reference. What disturbs a
 * sample only makes it longer, so that a ceiling is the rate of one of the fastest (probe.h).
 * NDFT_ENOMEM, NDFT_EDEVICE; NDFT_EINTR after the probe during which the user asked to stop.
 */
ndft_status ndft_peak_measure(const ndft_backend *, ndft_exec *, const ndft_peak_watch *,
                              json_t **ceilings, ndft_error *);

/* The rate of a resource, NAN where the array has none. */
double ndft_peak_value(const json_t *ceilings, const char *resource);

#endif
