/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NDFT_NVML_H
#define NDFT_NVML_H

#ifdef __cplusplus
extern "C" {
#endif

/* NVIDIA's management library, loaded at run time; its absence is never an error. */
typedef struct ndft_nvml ndft_nvml;

/* NULL when the library or the device ("0000:01:00.0") is not to be found. */
ndft_nvml *ndft_nvml_open(const char *pci_bus_id);
void ndft_nvml_close(ndft_nvml *);

/* Current clock of the multiprocessors in MHz, 0 when unknown. */
double ndft_nvml_sm_clock(const ndft_nvml *);

#ifdef __cplusplus
}
#endif
#endif
