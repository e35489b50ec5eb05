/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NVML_H
#define NDFT_NVML_H

#include "state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NVIDIA's management library, loaded at run time; its absence is never an error, nor is that of
 * any function that an older one does not have. */
typedef struct ndft_nvml ndft_nvml;

/* How a device is set up. */
typedef struct ndft_nvml_facts {
    char driver[80];                         /* "580.95.05"; empty when unknown */
    int ecc, mig, persistence;               /* 1 on, 0 off, -1 unknown */
    int compute_mode;                        /* 0 shared, 2 prohibited, 3 exclusive, -1 unknown */
    double power_limit_w;                    /* NaN when unknown, as all that follow */
    double max_sm_clock_mhz, max_memory_mhz; /* highest clocks */
    double sm_clock_mhz;                     /* now */
} ndft_nvml_facts;

/* NULL when the library or the device ("0000:01:00.0") is not to be found. */
ndft_nvml *ndft_nvml_open(const char *pci_bus_id);

/* The same with another library than the system's. */
ndft_nvml *ndft_nvml_open_from(const char *library, const char *pci_bus_id);
void ndft_nvml_close(ndft_nvml *);

/* The device now. Takes up to a millisecond; nvml may be NULL. */
ndft_state ndft_nvml_state(const ndft_nvml *);
ndft_counters ndft_nvml_counters(const ndft_nvml *);

/* Joules since the driver was loaded; NaN when unknown. */
double ndft_nvml_energy(const ndft_nvml *);

ndft_nvml_facts ndft_nvml_facts_of(const ndft_nvml *);

#ifdef __cplusplus
}
#endif
#endif
