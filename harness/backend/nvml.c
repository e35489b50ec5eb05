/* SPDX-License-Identifier: Apache-2.0 */
#include "nvml.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Prototypes as in NVIDIA's NVML API reference, which the CUDA Toolkit's headers do not carry. */
typedef int nvml_init(void);
typedef int nvml_shutdown(void);
typedef int nvml_by_pci(const char *, void **device);
typedef int nvml_clock(void *device, int type, unsigned *mhz);

enum { NVML_CLOCK_SM = 1 };

struct ndft_nvml {
    void *library, *device;
    nvml_shutdown *shutdown;
    nvml_clock *clock;
};

/* ISO C has no conversion from an object to a function pointer; POSIX promises the bits agree. */
static void load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

ndft_nvml *ndft_nvml_open(const char *pci_bus_id)
{
    ndft_nvml *nvml = calloc(1, sizeof *nvml);
    if (!nvml) return NULL;
    nvml->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (nvml->library) {
        nvml_init *init;
        nvml_by_pci *by_pci;
        load(nvml->library, "nvmlInit_v2", &init);
        load(nvml->library, "nvmlDeviceGetHandleByPciBusId_v2", &by_pci);
        load(nvml->library, "nvmlDeviceGetClockInfo", &nvml->clock);
        load(nvml->library, "nvmlShutdown", &nvml->shutdown);
        if (init && by_pci && nvml->clock && nvml->shutdown && init() == 0 &&
            by_pci(pci_bus_id, &nvml->device) == 0)
            return nvml;
        dlclose(nvml->library);
    }
    free(nvml);
    return NULL;
}

void ndft_nvml_close(ndft_nvml *nvml)
{
    if (!nvml) return;
    nvml->shutdown();
    dlclose(nvml->library);
    free(nvml);
}

double ndft_nvml_sm_clock(const ndft_nvml *nvml)
{
    unsigned mhz = 0;
    if (!nvml || nvml->clock(nvml->device, NVML_CLOCK_SM, &mhz) != 0) return 0;
    return mhz;
}
